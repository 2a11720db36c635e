import type { Translate } from '../../../common/text/translate';
import { checksIn, isAsExpected } from '../../../jsonl/comparing/expectationMarks';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type {
  ComparedCell,
  ComparedKind,
  ComparedPairAct,
  ComparedPairView,
  ComparisonRow,
} from '../../../shared/comparison/comparisonProtocol';
import { toStatusWord } from '../../../shared/results/resultStatus';
import { toLabel } from '../../../shared/text';
import { toAnswerSide } from '../table/pairPresentation';
import { type CompareContext, type ComparedPair, filterWords, nameOfPair } from './comparePresentation';

/** Returns the table row of a pair. `words` are the first words of both answers. */
export function toComparisonRow(pair: ComparedPair, [first, second]: readonly [string, string], t: Translate): ComparisonRow {
  const { kind, before, after, marks } = pair;
  return {
    cells: [
      { words: kindWords(kind, t), className: `kind kind-${kind}` },
      { words: toLabel(nameOfPair(pair), 400), className: 'id' },
      ...toCells(before, marks[0], first, t),
      ...toCells(after, marks[1], second, t),
    ],
  };
}

/** Returns both answers of a pair, from its lines in the joined results. */
export function toPairView(
  pair: ComparedPair,
  [before, after]: readonly [string | undefined, string | undefined],
  { translate: t, locale }: Pick<CompareContext, 'translate' | 'locale'>,
): ComparedPairView {
  const name = toLabel(nameOfPair(pair), 400);
  const link = (act: ComparedPairAct, label: string) => ({ act, label });
  return {
    name,
    label: t('Both answers to {0}', name),
    links: [
      link('difference', t('Show Difference')),
      ...(before === undefined ? [] : [link('before', t('Results of A'))]),
      ...(after === undefined ? [] : [link('after', t('Results of B'))]),
      link('request', t('Go to Request')),
    ],
    ...(before !== undefined && { before: toAnswerSide(before, { translate: t, locale }) }),
    ...(after !== undefined && { after: toAnswerSide(after, { translate: t, locale }) }),
  };
}

function kindWords(kind: ComparedKind, t: Translate): string {
  return kind === 'lost' ? t('missing') : kind === 'added' ? t('new') : filterWords(kind, t).toLocaleLowerCase();
}

function toCells(entry: ResultEntry | undefined, mark: number, preview: string, t: Translate): readonly ComparedCell[] {
  if (entry === undefined) {
    return [{ words: t('no result'), className: 'isComing' }, { words: '' }];
  }
  return [toStatus(entry, mark, t), { words: toLabel(preview, 200), className: 'words' }];
}

function toStatus(entry: ResultEntry, mark: number, t: Translate): ComparedCell {
  const { status, stopReason, errorType } = entry;
  const isExpected = status === 'succeeded' ? isAsExpected(mark) : undefined;
  if (isExpected !== undefined) {
    return isExpected
      ? { words: t('passes'), className: 'mark-succeeded' }
      : { words: t('fails {0}', checksIn(mark).join(', ')), className: 'mark-failed' };
  }
  const reason = stopReason ?? errorType ?? '';
  const word = toStatusWord(status, t);
  return { words: reason === '' || reason === 'end_turn' ? word : t('{0}: {1}', word, toLabel(reason, 80)), className: `mark-${status}` };
}
