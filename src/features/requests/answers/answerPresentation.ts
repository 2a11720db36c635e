import type { Translate } from '../../../common/text/translate';
import type { HistoryEntry } from '../../../jsonl/merging/resultsHistory';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { numberFormat } from '../../../shared/formats';
import { type ResultStatus, resultStatuses, toStatusWord } from '../../../shared/results/resultStatus';
import { toLabel } from '../../../shared/text';
import type { LineAnswer } from './fileAnswers';

// Maximum number of characters of a line to search for its id. Lines can have megabytes, and an answer further to the right would be off
// screen.
const maxSearched = 200;

/** Mark of an answer at its request line. `missing` means that the request was sent, but the fetched results don't have it. */
type AnswerMark = ResultStatus | 'missing';

/**
 * Mark of a line. This is the mark of its answer, `changed` if the request differs from the answered request, or `sent` if there is no
 * answer yet.
 */
export type LineMark = AnswerMark | 'changed' | 'sent';

export const lineMarks: readonly LineMark[] = [...resultStatuses, 'missing', 'changed', 'sent'];

export function toMark(entry: Pick<ResultEntry, 'status'> | undefined): AnswerMark {
  return entry?.status ?? 'missing';
}

export function toLineMark({ entry, isMissing, isChanged }: LineAnswer): LineMark {
  return entry === undefined && !isMissing ? 'sent' : isChanged ? 'changed' : toMark(entry);
}

/** Symbols of marks. Each has its own shape, so that color is never the only difference. */
export const signs: Readonly<Record<LineMark, string>> = {
  succeeded: '✓',
  cut_short: '◐',
  refused: '⊘',
  empty: '○',
  failed: '✗',
  canceled: '–',
  expired: '◷',
  other: '?',
  missing: '∅',
  changed: '≠',
  sent: '…',
};

/** Returns a mark as a word. */
export function toMarkWord(mark: AnswerMark, t: Translate): string {
  return mark === 'missing' ? t('no answer') : toStatusWord(mark, t);
}

/**
 * Returns the text of an answer at its line. Contains the symbol, status unless it succeeded, notable stop reason, first words, and tokens.
 * `preview` is the start of the answer or of the error. Empty for a request without an answer yet.
 */
export function toAnswerLine(answer: LineAnswer, preview: string, t: Translate, locale?: string): string {
  const { entry, isMissing, isChanged } = answer;
  if (entry === undefined && !isMissing) {
    return '';
  }
  const mark = toMark(entry);
  const words = toLabel(preview.replace(/\s+/gu, ' ').trim(), 60);
  const parts = [
    ...(mark === 'succeeded' ? [] : [mark === 'cut_short' ? toCutShort(entry, t) : toMarkWord(mark, t)]),
    ...(words === '' ? [] : [words]),
    ...(entry !== undefined && entry.outputTokens > 0
      ? [t('{0} → {1} tokens', toShortNumber(entry.inputTokens, locale), toShortNumber(entry.outputTokens, locale))]
      : []),
  ];
  const line = `${signs[mark]} ${parts.join(' · ')}`;
  return isChanged ? `${signs.changed} ${t('changed since')} · ${line}` : line;
}

function toCutShort(entry: ResultEntry | undefined, t: Translate): string {
  return entry?.stopReason === undefined ? t('cut short') : t('cut short ({0})', toLabel(entry.stopReason, 60));
}

/** Formats a number of tokens, such as `38` or `1.2K`. */
function toShortNumber(value: number, locale: string | undefined): string {
  const options: Intl.NumberFormatOptions = value < 10_000 ? {} : { notation: 'compact', maximumFractionDigits: 1 };
  return numberFormat(locale, options).format(value);
}

/**
 * Returns the column at which to show the answer of a request line: after the id if the line starts with the id, otherwise 0. This keeps
 * the answer of long lines on screen.
 */
export function answerColumn(text: string): number {
  const [lead] = /^\s*\{\s*"custom_id"\s*:\s*"(?:[^"\\]|\\.)*"/.exec(text.slice(0, maxSearched)) ?? [];
  return lead?.length ?? 0;
}

/** Formats the result of a request in one run, such as `Run 2: succeeded, end_turn (shown)`. */
export function toHistoryWords({ generation, status, reason, isMerged, words }: HistoryEntry, t: Translate): string {
  const word = status === 'missing' ? t('no answer') : toStatusWord(status, t);
  const result = reason === undefined ? word : `${word}, ${toLabel(reason, 60)}`;
  if (words === 'other') {
    return t('Run {0}: {1} (different request)', generation + 1, result);
  }
  if (words === 'unknown') {
    return t('Run {0}: {1} (unknown request)', generation + 1, result);
  }
  return isMerged ? t('Run {0}: {1} (shown)', generation + 1, result) : t('Run {0}: {1}', generation + 1, result);
}
