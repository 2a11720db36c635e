import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import { askChoice, type Choice } from '../../../common/asking/askSteps';
import { chooseFreePath, exists } from '../../../common/asking/newFile';
import { offerToOpen } from '../../../common/asking/notifications';
import { toReport, withProgress } from '../../../common/asking/progress';
import { copyText } from '../../../common/copyIds';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { fileNameOf } from '../../../common/files/fileNameOf';
import type { Log } from '../../../common/log';
import { findPrice, type Prices, toTokenPrices } from '../../../common/readPrices';
import { toPlainCell } from '../../../jsonl/exporting/csvCell';
import type { ExportFormat, ExportReport, ExportSource, ExportWords } from '../../../jsonl/exporting/exportResults';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';
import type { ResultEntry, ResultsReport } from '../../../jsonl/results/resultsReport';
import type { SubmittedFile } from '../../../jsonl/retrying/findSubmitted';
import { defined } from '../../../shared/defined';
import { numberFormat } from '../../../shared/formats';
import { toStatusWord } from '../../../shared/results/resultStatus';
import { join, toByteSize, toLabel } from '../../../shared/text';
import { loadRunChoice } from '../../batches';
import { type SubmissionRegistry, sentPathOf, submissionFiles } from '../../ledger';
import { loadFileWork } from '../../requests';
import { besideFilesOf, findShown, type ResultsTarget, type ShownResults } from '../shownResults';
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
        throw new Error(vscode.l10n.t('Too large to copy (limit {0}). Save the rows to a file instead.', toByteSize(maxCopied)));
      }
      report('', Math.min(1, (at + rowsAtOnce) / rows.length));
      await nextTurn();
    }
    return act === 'copyJson' ? (pieces.length === 0 ? '[]\n' : `${pieces.join('')}\n]\n`) : pieces.join('');
  });
  await copyText(act === 'copyIds' && rows.length === 1 ? text.trimEnd() : text);
}

/** Returns the path for selected requests of a file. This is a free name in its folder, or otherwise a path that the user chooses. */
export async function pathForSelected(source: vscode.Uri): Promise<string> {
  const stem = path.posix
    .basename(source.path)
    .replace(/[/\\:]/g, '-')
    .replace(/\.(?:jsonl|ndjson)$/i, '');
  return await chooseFreePath(source, `${stem === '' ? 'requests' : stem}.selected`, '.jsonl', vscode.l10n.t('Save Requests'));
}

/**
 * Shows how many lines were written and offers to open the file. `gone` counts the requests that were no longer in their file, `unknown`
 * those of batches whose list of requests is lost.
 */
export function reportWritten(outPath: string, written: number, { gone = 0, unknown = 0 } = {}): void {
  const { t } = vscode.l10n;
  const number = numberFormat(vscode.env.language);
  const name = toLabel(path.basename(outPath), 80);
  const words = t('Lines written to {1}: {0}.', number.format(written), name);
  const left = [
    ...(gone === 0 ? [] : [t('No longer in the file, left out: {0}.', number.format(gone))]),
    ...(unknown === 0 ? [] : [t('Left out because the request list of their batch is missing: {0}.', number.format(unknown))]),
  ];
  offerToOpen([words, ...left].join(' '), vscode.Uri.file(outPath));
}

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
  const cells = values.map(value => (typeof value === 'number' ? value : toPlainCell(value.replace(/[\t\r\n]+/g, ' '))));
  return `${cells.join('\t')}\n`;
}

export function toJsonRow(names: readonly string[], values: Values): string {
  return JSON.stringify(Object.fromEntries(names.map((name, column) => [name, values[column] === '' ? null : values[column]])));
}

interface ExportDependencies {
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly registry: Pick<SubmissionRegistry, 'folder'>;
  readonly log: Pick<Log, 'error'>;
  readonly lifetime: AbortSignal;
}

interface FormatChoice {
  readonly format: ExportFormat;
  readonly ending: string;
  readonly isForExcel?: boolean;
}

export interface ExportedResults extends Pick<ShownResults, 'submissions'> {
  readonly joined: JoinedResults;
  readonly report: ResultsReport;
  /** URI string of the request file. The export is written to its folder. */
  readonly source: string;
}

/** Exports all results of a run that the user chooses. To export only filtered results, use the results table. */
export async function exportResults(
  deps: ExportDependencies & { readonly registry: SubmissionRegistry },
  target: ResultsTarget,
): Promise<void> {
  const { chooseResults } = await loadRunChoice();
  const { run, withRetries } = await chooseResults(deps.registry, target, vscode.l10n.t('Select a batch'));
  const { joined, results, submissions = [] } = findShown(deps.registry, { runId: run.id, withRetries }) ?? {};
  if (results === undefined || joined === undefined) {
    throw new Error(vscode.l10n.t('Fetch the results first.'));
  }
  await exportRows(deps, { joined, report: results.report, source: run.source, submissions }, undefined);
}

/** Exports rows of joined results (all by default) to a new file beside the request file, in a format that the user chooses. */
export async function exportRows(deps: ExportDependencies, exported: ExportedResults, rows: Uint32Array | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const { joined, report: known } = exported;
  const { format, ending, isForExcel } = await chooseFormat();
  const files = await sentFiles(deps, exported);
  const requests = files.length > 0 && (await chooseRequests()) ? files : undefined;
  const source = vscode.Uri.parse(exported.source);
  const stem = fileNameOf(source).replace(/(?:\.results)?\.(?:jsonl|ndjson)$/i, '') || 'batch';
  const outPath = await chooseFreePath(source, `${stem}.results`, ending, t('Export Results'));
  const { fieldsPath } = besideFilesOf(exported.source);
  const { prices } = readEstimateSettings();
  const report = await withProgress(t('Exporting results of {0}', toLabel(stem, 80)), deps.lifetime, async (signal, reportProgress) => {
    return await deps.jobs.run(
      'exportResults',
      {
        ...joined,
        ...{ format, outPath, words: toWords(stem) },
        ...defined({ fieldsPath, rows, requests, isForExcel }),
        ...(format === 'csv' && prices.size > 0 && { prices: pricesOf(known, prices) }),
      },
      { signal, onProgress: toReport(reportProgress) },
    );
  });
  const missing = rows === undefined ? known.missing.count : 0;
  const { showWritten } = await loadFileWork();
  showWritten(deps, describeExport(report, outPath, missing, isForExcel === true), outPath);
}

/** Returns the known prices of the models that answered. Empty for results fetched by older versions, which did not record models. */
function pricesOf({ usage = [] }: ResultsReport, prices: Prices): NonNullable<ExportSource['prices']> {
  return Object.fromEntries(
    usage.flatMap(({ model }) => {
      const found = findPrice(prices, model);
      return found === undefined ? [] : [[model, toTokenPrices(found.price)] as const];
    }),
  );
}

async function chooseFormat(): Promise<FormatChoice> {
  const { t } = vscode.l10n;
  const choices: readonly Choice<FormatChoice>[] = [
    { label: 'CSV', description: t('for spreadsheets'), value: { format: 'csv', ending: '.csv' } },
    { label: t('CSV for Excel'), description: t('UTF-8 with byte order mark'), value: { format: 'csv', ending: '.csv', isForExcel: true } },
    { label: 'Markdown', description: t('for reading'), value: { format: 'markdown', ending: '.md' } },
    { label: 'JSON', description: t('one array'), value: { format: 'json', ending: '.json' } },
    { label: 'JSON Lines', description: t('one result per line'), value: { format: 'jsonl', ending: '.export.jsonl' } },
  ];
  return await askChoice({ title: t('Export Results'), placeholder: t('Select a format'), choices });
}

async function chooseRequests(): Promise<boolean> {
  const { t } = vscode.l10n;
  const description = t('each answer with its request');
  const choices = [
    { label: t('Answers only'), value: false },
    { label: t('Requests and answers'), description, value: true },
  ];
  return await askChoice({ title: t('Export Results'), placeholder: t('Include'), choices });
}

/** Returns the existing request files of the results, oldest first, also those whose list of requests is lost. */
export async function sentFiles({ registry }: Pick<ExportDependencies, 'registry'>, { submissions }: Pick<ShownResults, 'submissions'>) {
  const files: SubmittedFile[] = [];
  for (const submission of submissions.toReversed()) {
    const file = sentPathOf(registry, submission);
    const linesPath = path.join(registry.folder(submission.id), submissionFiles.lines);
    if (file !== undefined && (await exists(file))) {
      files.push({ path: file, linesPath, sha256: submission.sha256, isCreated: submission.batchId !== undefined });
    }
  }
  return files;
}

function toWords(stem: string): ExportWords {
  const { t } = vscode.l10n;
  return {
    title: t('Results of {0}', stem),
    request: t('Request'),
    answer: t('Answer'),
    error: t('Error'),
    line: t('line {0}', '{0}'),
    inputTokens: t('input tokens: {0}', '{0}'),
    outputTokens: t('output tokens: {0}', '{0}'),
  };
}

function describeExport({ written, withoutRequest, overlong }: ExportReport, outPath: string, missing: number, isForExcel: boolean) {
  const { t } = vscode.l10n;
  return join(
    ' ',
    t('Results exported to {1}: {0}.', written, toLabel(path.basename(outPath), 120)),
    withoutRequest === 0 ? '' : t('Results without a request: {0}.', withoutRequest),
    missing === 0 ? '' : t('Left out, no answer: {0}.', missing),
    overlong === 0
      ? ''
      : isForExcel
        ? t('Cut to 32,767 characters per cell: {0}. Other formats are complete.', overlong)
        : t('Longer than the 32,767 characters of a spreadsheet cell: {0}.', overlong),
  );
}
