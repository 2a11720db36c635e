import path from 'node:path';
import * as vscode from 'vscode';
import { offerToOpen } from '../../../common/asking/notifications';
import { toReport, withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import { copyText } from '../../../common/copyIds';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { openWhereShown } from '../../../common/documents/tabs';
import type { Log } from '../../../common/log';
import type { RunReference } from '../../../contributions';
import { expectationsNameOf } from '../../../jsonl/expecting/expectationsName';
import { withExpected } from '../../../jsonl/expecting/withExpected';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';
import type { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { type ResultEntry, reviewCount } from '../../../jsonl/results/resultsReport';
import { answerText, resultIn } from '../../../jsonl/results/resultWords';
import { numberFormat } from '../../../shared/formats';
import type { HeadAct, PairAct } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import { noteRetryFile, type SubmissionRegistry } from '../../ledger';
import { copyTableRows, exportRows, pathForSelected, reportWritten, resultColumns, sentFiles } from '../exporting/exportRows';
import type { ShownResults } from '../shownResults';
import { toAnswerDocument, toAnswerWords, toRequestDocument } from '../table/pairPresentation';
import type { Message, PanelActs } from '../table/resultsPanel';
import type { Arrangement } from '../table/resultsTable';
import { type GroupingContext, groupFindings } from './groupFindings';
import type { OpenResults } from './openResults';

export interface ActsContext extends GroupingContext {
  readonly documents: ReadonlyDocuments;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  readonly log: Log;
  /** Compares the results with other results. Continues when the panel is closed. */
  readonly compareShown: (target: RunReference | undefined) => Promise<void>;
  readonly copyLink: (customId: string) => Promise<void>;
  readonly column: () => vscode.ViewColumn | undefined;
}

/** Creates the actions on the rows of a panel. */
export function createActs(context: ActsContext): PanelActs {
  return {
    rows: (arrangement, message) => actOnRows(context, arrangement, message),
    pair: async (arrangement, { place, act, citation = 0 }) => {
      const entry = context.results.table?.entryAt(arrangement, place);
      if (entry !== undefined && act === 'goToEvent') {
        const { eventId, ...session } = await context.results.citedEvent(entry, citation, context.lifetime);
        await runCommand('managedAgents.session.open', session, eventId);
      } else if (entry !== undefined) {
        await actOnPair(context, entry, act);
      }
    },
    act: ({ act }, arrangement) => actOnAll(context, act, arrangement),
  };
}

async function actOnRows(context: ActsContext, arrangement: Arrangement, { ranges, act }: Message<'actOnRows'>): Promise<void> {
  const { results } = context;
  const { table, shown } = results;
  if (table === undefined) {
    return;
  }
  const rows = table.rowsOf(arrangement, ranges);
  switch (act) {
    case 'saveResults':
      return await exportShown(context, rows);
    case 'saveRequests':
      return await writeSelectedRequests(context, table.joined, rows);
    case 'expect':
      if (shown === undefined) {
        throw new Error(results.whyNoRequest());
      }
      return await expectAnswers(shown.linesOf, table.index, rows);
    default:
      return await copyTableRows(table, rows, act, resultColumns, context.lifetime);
  }
}

async function actOnAll(context: ActsContext, act: HeadAct, arrangement: Arrangement | undefined): Promise<void> {
  const { results, documents, compareShown } = context;
  const { shown } = results;
  const { report = {} } = results.head;
  const target = shown && { runId: shown.run.id, withRetries: shown.withRetries };
  switch (act) {
    case 'export':
      return await exportShown(context, arrangement?.rows);
    case 'compare':
      return await compareShown(target);
    case 'more':
      return await chooseMore(context, target, arrangement);
    case 'fetch':
      await (shown && runCommand('managedAgents.batch.fetchResults', { runId: shown.run.id }));
      return;
    case 'showMissing': {
      const missing = [...(results.table?.index.missingIds() ?? [])];
      return await showText(documents, vscode.l10n.t('Requests without Answers.txt'), `${missing.join('\n')}\n`);
    }
    case 'showReport':
      return await showText(documents, vscode.l10n.t('Results Report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  }
}

async function chooseMore(context: ActsContext, target: RunReference | undefined, arrangement: Arrangement | undefined): Promise<void> {
  const {
    path,
    head: { report },
  } = context.results;
  const { t } = vscode.l10n;
  const toSend = target === undefined || report === undefined ? 0 : reviewCount(report);
  const items = [
    ...(toSend > 0 ? [{ label: t('Send {0} Again...', toSend), run: () => runCommand('managedAgents.retry.plan', target) }] : []),
    ...(target === undefined ? [] : [{ label: t('Group Findings...'), run: () => groupFindings(context, arrangement) }]),
    ...(path === undefined
      ? []
      : [{ label: t('Open Results File'), run: () => vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path)) }]),
  ];
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: t('More actions') });
  await chosen?.run();
}

async function showText(documents: ReadonlyDocuments, name: string, text: string, column?: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(documents.create(name, text));
  await vscode.window.showTextDocument(document, { preview: true, ...(column !== undefined && { viewColumn: column }) });
}

async function actOnPair(context: ActsContext, entry: ResultEntry, act: PairAct): Promise<void> {
  const { results, documents, lifetime } = context;
  const { t } = vscode.l10n;
  if (act === 'copyId') {
    return await copyText(entry.customId);
  }
  if (act === 'copyLink') {
    return await context.copyLink(entry.customId);
  }
  const line = await results.line(entry);
  const id = toLabel(entry.customId, 60);
  if (act === 'copyAnswer') {
    return await copyText(toAnswerWords(line));
  }
  const request = await results.request(entry, line, lifetime);
  if (act === 'goToLine') {
    return await goToLine(context, entry, request);
  }
  const params = request?.params;
  if (act === 'copyRequest') {
    if (params === undefined) {
      throw new Error(results.whyNoRequest());
    }
    return await copyText(toRequestDocument(params));
  }
  if (params !== undefined) {
    await showText(documents, `${t('Request {0}', id)}.json`, toRequestDocument(params), context.column());
  }
  const { text, ending } = toAnswerDocument(line, t);
  await showText(documents, `${t('Answer to {0}', id)}.${ending}`, text, (context.column() ?? 0) + 1);
}

/** Shows a request at its current line in its file. Throws an error with a message for the user if the request is gone. */
export async function goToLine(
  { results, column }: Pick<ActsContext, 'results' | 'column'>,
  entry: ResultEntry,
  request: Awaited<ReturnType<OpenResults['request']>>,
): Promise<void> {
  if (request?.file === undefined || request.line === undefined) {
    throw new Error(results.whyNoRequest());
  }
  const { file, isSame } = request;
  const line = lineInEditor(file, entry.customId, request.line);
  await openWhereShown(file, (column() ?? 0) + 1, new vscode.Range(line, 0, line, 0));
  if (isSame === false) {
    vscode.window.setStatusBarMessage(vscode.l10n.t('This request has changed since it was sent.'), 8000);
  }
}

/** Returns the line of a request in an open editor. The editor may have unsaved changes. */
function lineInEditor(file: vscode.Uri, customId: string, line: number): number {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  if (document?.isDirty !== true) {
    return line;
  }
  const hasId = (at: number): boolean => {
    try {
      return JSON.parse(document.lineAt(at).text).custom_id === customId;
    } catch {
      return false;
    }
  };
  const found = Array.from({ length: document.lineCount }, (_, at) => at).filter(
    at => document.lineAt(at).text.includes(customId) && hasId(at),
  );
  const [nearest] = found.sort((a, b) => Math.abs(a - line) - Math.abs(b - line));
  return nearest ?? Math.min(line, document.lineCount - 1);
}

/** Exports the given rows, or all rows. */
async function exportShown(context: ActsContext, rows: Uint32Array | undefined): Promise<void> {
  const { exported } = context.results;
  if (rows?.length === 0) {
    throw new Error(vscode.l10n.t('No matches'));
  }
  if (exported !== undefined) {
    await exportRows(context, exported, rows);
  }
}

async function writeSelectedRequests(context: ActsContext, joined: JoinedResults, rows: Uint32Array): Promise<void> {
  const { shown } = context.results;
  if (shown === undefined) {
    throw new Error(context.results.whyNoRequest());
  }
  const outPath = await pathForSelected(vscode.Uri.parse(shown.run.source));
  const { written, ...left } = await writeRequests(context, shown, joined, rows, outPath);
  reportWritten(outPath, written, left);
}

/** Writes the requests of some rows to a new file and records it as a retry. Returns the counts of `writeRetry`. */
export async function writeRequests(
  { registry, jobs, lifetime }: Pick<ActsContext, 'registry' | 'jobs' | 'lifetime'>,
  shown: ShownResults,
  joined: JoinedResults,
  rows: Uint32Array,
  outPath: string,
): Promise<{ readonly written: number; readonly gone: number; readonly unknown: number }> {
  const files = await sentFiles({ registry }, shown);
  if (files.length === 0) {
    throw new Error(vscode.l10n.t('File not found.'));
  }
  const source = { files, groups: [], answered: { ...joined, rows }, outPath };
  const { sha256, ...counts } = await withProgress(vscode.l10n.t('Writing requests'), lifetime, (signal, report) =>
    jobs.run('writeRetry', source, { signal, onProgress: toReport(report) }),
  );
  await noteRetryFile(registry, shown.root.lead.id, { source: vscode.Uri.file(outPath).toString(), sha256 });
  return counts;
}

const maxExpected = 1000;

/** Writes the answers of these rows to the expectations file of the request file `source`, a URI string. */
async function expectAnswers(source: string, index: ResultsIndex, rows: Uint32Array): Promise<void> {
  const { t } = vscode.l10n;
  const entries = [...rows].flatMap(row => index.entryOfRow(row) ?? []).filter(({ status }) => status === 'succeeded');
  const uri = vscode.Uri.parse(source);
  if (entries.length === 0 || entries.length > maxExpected || uri.scheme !== 'file') {
    throw new Error(
      entries.length === 0
        ? t('Select answers that succeeded.')
        : uri.scheme === 'file'
          ? t('Select at most {0}.', numberFormat(vscode.env.language).format(maxExpected))
          : t('Save the request file on this machine first.'),
    );
  }
  const answers = new Map<string, string>();
  for (const entry of entries) {
    answers.set(entry.customId, answerText(resultIn(await index.read(entry))));
  }
  const name = expectationsNameOf(path.basename(uri.fsPath));
  const file = vscode.Uri.file(path.join(path.dirname(uri.fsPath), name));
  const creation = new vscode.WorkspaceEdit();
  creation.createFile(file, { ignoreIfExists: true });
  await vscode.workspace.applyEdit(creation);
  const document = await vscode.workspace.openTextDocument(file);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(file, new vscode.Range(0, 0, document.lineCount, 0), withExpected(document.getText(), answers));
  if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) {
    throw new Error(t("Couldn't write {0}.", toLabel(name, 80)));
  }
  const words = t('Checks added to {0}: {1}.', toLabel(name, 80), numberFormat(vscode.env.language).format(answers.size));
  offerToOpen(words, file);
}
