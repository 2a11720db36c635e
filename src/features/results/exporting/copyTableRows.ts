import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import { chooseFreePath } from '../../../common/asking/newFile';
import { offerToOpen } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { toPlainCell } from '../../../jsonl/exporting/csvCell';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { numberFormat } from '../../../shared/formats';
import { toStatusWord } from '../../../shared/results/resultStatus';
import { toByteSize, toLabel } from '../../../shared/text';
import type { ResultsTable } from '../table/resultsTable';

const maxCopied = 50_000_000;
const rowsAtOnce = 1000;

/** Copies rows of a table to the clipboard. Throws if the text is too long. */
export async function copyTableRows(
  table: ResultsTable,
  rows: Uint32Array,
  act: 'copyIds' | 'copyRows' | 'copyJson',
  { names, toValues }: CopiedColumns,
  lifetime: AbortSignal,
): Promise<void> {
  const text = await withProgress(vscode.l10n.t('Copying rows'), lifetime, async (signal, report) => {
    const pieces: string[] = act === 'copyRows' ? [toTsvRow(names)] : [];
    let size = 0;
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      signal.throwIfAborted();
      const entries = [...rows.subarray(at, at + rowsAtOnce)].flatMap(row => table.index.entryOfRow(row) ?? []);
      const words = act === 'copyIds' ? [] : await table.index.previews(entries);
      for (const [offset, entry] of entries.entries()) {
        const values = toValues(entry, words[offset] ?? '');
        const piece =
          act === 'copyIds'
            ? `${entry.customId}\n`
            : act === 'copyRows'
              ? toTsvRow(values)
              : `${at + offset === 0 ? '[\n' : ',\n'}${toJsonRow(names, values)}`;
        pieces.push(piece);
        size += piece.length;
      }
      if (size > maxCopied) {
        throw new Error(vscode.l10n.t('More than {0}: save the rows to a file instead.', toByteSize(maxCopied)));
      }
      report('', Math.min(1, (at + rowsAtOnce) / rows.length));
      await nextTurn();
    }
    return act === 'copyJson' ? (pieces.length === 0 ? '[]\n' : `${pieces.join('')}\n]\n`) : pieces.join('');
  });
  await copyText(act === 'copyIds' && rows.length === 1 ? text.trimEnd() : text);
}

/** Copies a text to the clipboard and shows a message. */
export async function copyText(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied'), 2000);
}

/** Returns the path for selected requests of a file: a free name in its folder, or else a path that the user chooses. */
export async function pathForSelected(source: vscode.Uri): Promise<string> {
  const stem = path.posix
    .basename(source.path)
    .replace(/[/\\:]/g, '-')
    .replace(/\.(?:jsonl|ndjson)$/i, '');
  return await chooseFreePath(source, `${stem === '' ? 'requests' : stem}.selected`, '.jsonl', vscode.l10n.t('Save Requests'));
}

/** Shows how many lines were written and offers to open the file. `gone` counts the requests that were no longer in their file. */
export function reportWritten(outPath: string, written: number, gone = 0): void {
  const { t } = vscode.l10n;
  const number = numberFormat(vscode.env.language);
  const name = toLabel(path.basename(outPath), 80);
  const words = t('Lines written to {1}: {0}.', number.format(written), name);
  const lost = gone === 0 ? '' : ` ${t('No longer in the file, left out: {0}.', number.format(gone))}`;
  offerToOpen(`${words}${lost}`, vscode.Uri.file(outPath));
}

/** Columns of copied rows. */
export interface CopiedColumns {
  readonly names: readonly string[];
  /** Returns the values of a row by column. Empty texts become `null` in JSON. */
  readonly toValues: (entry: ResultEntry, words: string) => Values;
}

export const resultColumns: CopiedColumns = {
  names: ['line', 'custom_id', 'status', 'stop_reason', 'error_type', 'input_tokens', 'output_tokens', 'first_words'],
  toValues: ({ line, customId, status, stopReason = '', errorType = '', inputTokens, outputTokens }, words) => {
    const word = toStatusWord(status, text => text);
    return [line < 0 ? '' : line + 1, customId, word, stopReason, errorType, inputTokens, outputTokens, words];
  },
};

type Values = readonly (string | number)[];

/** Returns a row of tab-separated values. Cells can't become formulas in a spreadsheet. */
export function toTsvRow(values: Values): string {
  return `${values.map(toCell).join('\t')}\n`;
}

export function toJsonRow(names: readonly string[], values: Values): string {
  return JSON.stringify(Object.fromEntries(names.map((name, column) => [name, values[column] === '' ? null : values[column]])));
}

function toCell(value: string | number): string {
  return typeof value === 'number' ? String(value) : toPlainCell(value.replace(/[\t\r\n]+/g, ' '));
}
