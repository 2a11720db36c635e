import { toPlainCell } from '../../../jsonl/exporting/csvCell';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { toStatusWord } from '../../../shared/results/resultStatus';

/** Formats rows for other programs. */
export interface RowTexts {
  /** Names of the columns as a row of tab-separated values. */
  readonly head: string;
  readonly toTsv: (entry: ResultEntry, words: string) => string;
  readonly toJsonRow: (entry: ResultEntry, words: string) => string;
}

/** Returns the values of a row by column. Empty texts become `null` in JSON. */
type ToValues = (entry: ResultEntry, words: string) => readonly (string | number)[];

/** Creates formatters for rows with these columns. Cells can't become formulas in a spreadsheet. */
export function rowTexts(columns: readonly string[], toValues: ToValues): RowTexts {
  return {
    head: `${columns.join('\t')}\n`,
    toTsv: (entry, words) => `${toValues(entry, words).map(toCell).join('\t')}\n`,
    toJsonRow: (entry, words) => {
      const values = toValues(entry, words);
      return JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, values[at] === '' ? null : values[at]])));
    },
  };
}

const resultColumns = ['line', 'custom_id', 'status', 'stop_reason', 'error_type', 'input_tokens', 'output_tokens', 'first_words'];

/** Formats the rows of results. */
export const resultTexts = rowTexts(resultColumns, (entry, words) => {
  const { line, customId, status, stopReason = '', errorType = '', inputTokens, outputTokens } = entry;
  const word = toStatusWord(status, text => text);
  return [line < 0 ? '' : line + 1, customId, word, stopReason, errorType, inputTokens, outputTokens, words];
});

function toCell(value: string | number): string {
  return typeof value === 'number' ? String(value) : toPlainCell(value.replace(/[\t\r\n]+/g, ' '));
}
