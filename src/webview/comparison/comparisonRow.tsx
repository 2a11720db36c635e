import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ComparedKind } from '../../shared/comparison/comparedKinds';
import type { ComparedAnswer, ComparisonFilter, ComparisonRow } from '../../shared/comparison/comparisonProtocol';
import { toMarkWord } from '../../shared/results/markWords';
import type { Translate } from '../../shared/session/translateText';
import type { PairRowProps } from '../pairs/pairTable';
import { Cell, TableRow } from '../list/tableRow';
import { Panel } from '../controls/panelContext';

export function filterWords(filter: ComparisonFilter, t: Translate): string {
  switch (filter) {
    case 'all':
      return t('All');
    case 'regressed':
      return t('Worse');
    case 'fixed':
      return t('Better');
    case 'changed':
      return t('Changed');
    case 'lost':
      return t('Only in A');
    case 'added':
      return t('Only in B');
    case 'same':
      return t('Same');
  }
}

/** A request and its answers in both runs, or a placeholder until they are loaded. */
export function Row({ place, row, top, isActive, isOpen }: PairRowProps<ComparisonRow>): VNode {
  const { t } = useContext(Panel);
  const id = row === undefined || row.otherId === undefined ? row?.id : `${row.id} / ${row.otherId}`;
  return (
    <TableRow {...{ place, top, isActive, isOpen }} isComing={row === undefined}>
      {row === undefined ? null : (
        <>
          <Cell look={`kind kind-${row.kind}`}>{kindWords(row.kind, t)}</Cell>
          <Cell look="id" title={id}>
            {id}
          </Cell>
          <Answer answer={row.before} />
          <Answer answer={row.after} />
        </>
      )}
    </TableRow>
  );
}

function kindWords(kind: ComparedKind, t: Translate): string {
  return kind === 'lost' ? t('missing') : kind === 'added' ? t('new') : filterWords(kind, t).toLocaleLowerCase();
}

/** The two cells of one run: the status of the request, and the first words of the answer. */
function Answer({ answer }: { readonly answer: ComparedAnswer | undefined }): VNode {
  const { t } = useContext(Panel);
  if (answer === undefined) {
    return (
      <>
        <Cell look="isComing">{t('no result')}</Cell>
        <Cell> </Cell>
      </>
    );
  }
  const { look, words } = statusOf(answer, t);
  return (
    <>
      <Cell look={look} title={words}>
        <span class="mark">{words}</span>
      </Cell>
      <Cell look="words" title={answer.words}>
        {answer.words}
      </Cell>
    </>
  );
}

/** Returns whether a complete answer is as expected, otherwise its status. */
function statusOf({ mark, reason, expected, failed }: ComparedAnswer, t: Translate): { readonly look: string; readonly words: string } {
  if (mark === 'succeeded' && expected === 'passes') {
    return { look: 'mark-succeeded', words: t('passes') };
  }
  if (mark === 'succeeded' && expected === 'fails') {
    return { look: 'mark-failed', words: t('fails {0}', failed.join(', ')) };
  }
  const status = toMarkWord(mark, t);
  return { look: `mark-${mark}`, words: reason === '' ? status : t('{0}: {1}', status, reason) };
}
