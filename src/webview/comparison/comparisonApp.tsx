import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import {
  type ComparedAnswer,
  type ComparedKind,
  type ComparedPairAct,
  type ComparedPairView,
  type ComparisonFilter,
  comparisonFilters,
  type ComparisonHead,
  type ComparisonRow,
  type ComparisonState,
  type FromComparison,
} from '../../shared/comparison/comparisonProtocol';
import { toMarkWord } from '../../shared/results/resultStatus';
import type { Translate } from '../../shared/session/translateText';
import { Button } from '../controls/button';
import { Panel } from '../controls/panelContext';
import type { SavedState } from '../controls/savedState';
import { Cell, TableRow } from '../list/tableRow';
import type { PairPosition } from '../pairs/pairFrame';
import { PairList, type PairRowProps } from '../pairs/pairList';
import type { PairStore } from '../pairs/pairStore';
import { ComparedSides, ComparisonHeader } from './comparisonParts';

export type ComparisonStore = PairStore<ComparisonFilter, ComparisonRow, ComparedPairView, ComparisonHead>;

interface AppProps {
  readonly store: ComparisonStore;
  readonly head: ComparisonHead;
  readonly saved: SavedState<ComparisonState>;
  readonly post: (message: FromComparison) => void;
}

/** The comparison of two runs: the summary, filters, the table of pairs, and the pair that is open. */
export function ComparisonApp({ store, head, saved, post }: AppProps): VNode {
  const { t } = useContext(Panel);
  return (
    <main class="panel comparison">
      <ComparisonHeader
        {...head}
        heading={<h1 class={`summary tone-${head.tone}`}>{head.summary}</h1>}
        acts={
          head.counts.all === head.counts.same ? null : (
            <Button onClick={() => post({ type: 'act', act: 'together' })}>{t('Show Differences in One Editor')}</Button>
          )
        }
      >
        <p>{head.chance}</p>
      </ComparisonHeader>
      <PairList
        store={store}
        saved={saved}
        filters={{ label: t('Which requests'), all: comparisonFilters, always: ['all'], wordsOf: filter => filterWords(filter, t) }}
        label={t('Requests of both runs')}
        empty={t('There are no requests.')}
        columns={[t('B is'), t('ID'), 'A', t('Answer of A'), 'B', t('Answer of B')]}
        drawRow={row => <Row key={row.position} {...row} />}
        drawPair={(pair, position) => (
          <Pair {...position} pair={pair} onAct={act => post({ type: 'pair', filter: store.filter, place: position.position, act })} />
        )}
      />
    </main>
  );
}

function filterWords(filter: ComparisonFilter, t: Translate): string {
  return {
    all: t('All'),
    regressed: t('Worse'),
    fixed: t('Better'),
    changed: t('Changed'),
    lost: t('Only in A'),
    added: t('Only in B'),
    same: t('Same'),
  }[filter];
}

function Row({ position, row, top, isActive, isOpen }: PairRowProps<ComparisonRow>): VNode {
  const { t } = useContext(Panel);
  const id = row === undefined || row.otherId === undefined ? row?.id : `${row.id} / ${row.otherId}`;
  return (
    <TableRow {...{ position, top, isActive, isOpen }} isComing={row === undefined}>
      {row === undefined ? null : (
        <>
          <Cell className={`kind kind-${row.kind}`}>{kindWords(row.kind, t)}</Cell>
          <Cell className="id" title={id}>
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

function Answer({ answer }: { readonly answer: ComparedAnswer | undefined }): VNode {
  const { t } = useContext(Panel);
  if (answer === undefined) {
    return (
      <>
        <Cell className="isComing">{t('no result')}</Cell>
        <Cell> </Cell>
      </>
    );
  }
  const { className, words } = statusOf(answer, t);
  return (
    <>
      <Cell className={className} title={words}>
        <span class="mark">{words}</span>
      </Cell>
      <Cell className="words" title={answer.words}>
        {answer.words}
      </Cell>
    </>
  );
}

function statusOf(
  { mark, reason, expected, failed }: ComparedAnswer,
  t: Translate,
): { readonly className: string; readonly words: string } {
  if (mark === 'succeeded' && expected === 'passes') {
    return { className: 'mark-succeeded', words: t('passes') };
  }
  if (mark === 'succeeded' && expected === 'fails') {
    return { className: 'mark-failed', words: t('fails {0}', failed.join(', ')) };
  }
  const status = toMarkWord(mark, t);
  return { className: `mark-${mark}`, words: reason === '' ? status : t('{0}: {1}', status, reason) };
}

interface PairProps extends PairPosition {
  readonly pair: ComparedPairView | undefined;
  readonly onAct: (act: ComparedPairAct) => void;
}

function Pair(props: PairProps): VNode {
  const { t } = useContext(Panel);
  const { row } = props.pair ?? {};
  return (
    <ComparedSides
      {...props}
      label={row === undefined ? t('Both answers') : t('Both answers to {0}', row.id)}
      toolbarLabel={t('Both answers')}
      name={<h2>{row?.id ?? ''}</h2>}
      links={[
        ['difference', t('Show Difference')],
        ...(row?.before === undefined ? [] : [['before', t('Results of A')] as const]),
        ...(row?.after === undefined ? [] : [['after', t('Results of B')] as const]),
        ['request', t('Go to Request')],
      ]}
    />
  );
}
