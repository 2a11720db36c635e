import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, type Choice } from '../../../common/asking/askSteps';
import { chooseFreePath, exists } from '../../../common/asking/newFile';
import { toReport, withProgress } from '../../../common/asking/progress';
import { readEstimateSettings } from '../../../common/estimateSettings';
import type { Log } from '../../../common/log';
import { findPrice, type Prices, toTokenPrices } from '../../../common/readPrices';
import { join } from '../../../common/text/presentation';
import type { BatchReference, RunReference } from '../../../contributions';
import type { ExportFormat, ExportReport, ExportSource, ExportWords } from '../../../jsonl/exporting/exportResults';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';
import type { ResultsReport } from '../../../jsonl/results/resultsReport';
import type { SubmittedFile } from '../../../jsonl/retrying/findSubmitted';
import { defined } from '../../../shared/defined';
import { toLabel } from '../../../shared/text';
import { loadRunChoice } from '../../batches';
import { type SubmissionRegistry, sentPathOf, submissionFiles } from '../../ledger';
import { loadFileWork } from '../../requests';
import { besideFilesOf, findShown, type ShownResults } from '../shownResults';

export interface ExportDependencies {
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

/** Joined results to export. */
export interface ExportedResults extends Pick<ShownResults, 'submissions'> {
  readonly joined: JoinedResults;
  readonly report: ResultsReport;
  /** URI string of the request file. The export is written to its folder. */
  readonly source: string;
}

/** Exports all results of a run that the user chooses. To export only filtered results, use the results table. */
export async function exportResults(
  deps: ExportDependencies & { readonly registry: SubmissionRegistry },
  target: RunReference | BatchReference | vscode.Uri | undefined,
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
  const stem = path.posix.basename(source.path).replace(/(?:\.results)?\.(?:jsonl|ndjson)$/i, '') || 'batch';
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
  showWritten(deps, describeExport(report, outPath, { missing, isForExcel: isForExcel === true }), outPath);
}

/** Returns the known prices of the models that answered. Empty for results fetched by older versions, which did not record the models. */
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

/** Returns the existing request files of the results, oldest first. */
export async function sentFiles(
  { registry }: Pick<ExportDependencies, 'registry'>,
  { submissions }: Pick<ShownResults, 'submissions'>,
): Promise<readonly SubmittedFile[]> {
  const files: SubmittedFile[] = [];
  for (const submission of submissions.toReversed()) {
    const file = sentPathOf(registry, submission);
    const linesPath = path.join(registry.folder(submission.id), submissionFiles.lines);
    if (file !== undefined && (await exists(file)) && (await exists(linesPath))) {
      files.push({ path: file, linesPath, sha256: submission.sha256 });
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

function describeExport(
  { written, withoutRequest, overlong }: ExportReport,
  outPath: string,
  { missing, isForExcel }: { readonly missing: number; readonly isForExcel: boolean },
): string {
  const { t } = vscode.l10n;
  return join(
    ' ',
    t('Results exported to {1}: {0}.', written, toLabel(path.basename(outPath), 120)),
    withoutRequest === 0 ? '' : t('Results without a request: {0}.', withoutRequest),
    missing === 0 ? '' : t('Left out, no answer: {0}.', missing),
    overlong === 0 ? '' : toOverlongWords(overlong, isForExcel),
  );
}

function toOverlongWords(count: number, isForExcel: boolean): string {
  const { t } = vscode.l10n;
  if (isForExcel) {
    return t('Cut to 32,767 characters per cell: {0}. Other formats are complete.', count);
  }
  return t('Longer than the 32,767 characters of a spreadsheet cell: {0}.', count);
}
