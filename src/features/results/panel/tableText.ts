import { toPlainCell } from '../../../jsonl/exporting/csvCell';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { toStatusWord } from '../../../shared/results/resultStatus';

const columns = ['line', 'custom_id', 'status', 'stop_reason', 'error_type', 'input_tokens', 'output_tokens', 'first_words'] as const;

/** Names of the columns as a row of tab-separated values. */
export const tsvHead = `${columns.join('\t')}\n`;

/** A row as tab-separated values that a spreadsheet reads as text: nothing in it becomes a formula. */
export function toTsv(entry: ResultEntry, words: string): string {
  return `${valuesOf(entry, words).map(toCell).join('\t')}\n`;
}

/** A row as a JSON object of one line. */
export function toJsonRow(entry: ResultEntry, words: string): string {
  const values = valuesOf(entry, words);
  return JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, values[at] === '' ? null : values[at]])));
}

function valuesOf(entry: ResultEntry, words: string): readonly (string | number)[] {
  const { line, customId, stopReason = '', errorType = '', inputTokens, outputTokens } = entry;
  return [
    line < 0 ? '' : line + 1,
    customId,
    toStatusWord(entry.status, text => text),
    stopReason,
    errorType,
    inputTokens,
    outputTokens,
    words,
  ];
}

function toCell(value: string | number): string {
  if (typeof value === 'number') {
    return String(value);
  }
  const flat = value.replace(/[\t\r\n]+/g, ' ');
  return toPlainCell(flat);
}
