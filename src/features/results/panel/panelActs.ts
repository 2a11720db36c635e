import * as vscode from 'vscode';
import { runCommand } from '../../../common/commands';
import { openWhereShown } from '../../../common/documents/tabs';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import type { Log } from '../../../common/log';
import type { RunReference } from '../../../contributions';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { type ResultEntry, reviewCount } from '../../../jsonl/results/resultsReport';
import type { HeadAct, PairAct } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import type { SubmissionRegistry } from '../../ledger';
import { openLink } from '../../sessions';
import { copyTableRows, copyText } from '../exporting/copyTableRows';
import { exportRows } from '../exporting/exportRows';
import { pathForSelected, tellWritten } from '../exporting/writtenFile';
import { expectAnswers } from './expectAnswers';
import { groupFindings, type GroupingContext } from './groupFindings';
import type { OpenResults } from './openResults';
import { toAnswerDocument, toAnswerWords, toRequestDocument } from './pairPresentation';
import type { Message, PanelActs } from './resultsPanelOptions';
import type { Arrangement, ResultsTable } from './resultsTable';
import { resultTexts } from './tableText';
import { writeRequests } from './writeRequests';

export interface ActsContext extends GroupingContext {
  readonly documents: ReadonlyDocuments;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
  readonly log: Log;
  /** Compares the results with others. Continues when the panel is closed. */
  readonly compareShown: (target: RunReference | undefined) => Promise<void>;
  readonly copyLink: (customId: string) => Promise<void>;
  /** Column of the panel. */
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
    openLink,
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
      return await writeSelectedRequests(context, table, rows);
    case 'expect':
      if (shown === undefined) {
        throw new Error(results.whyNoRequest());
      }
      return await expectAnswers(shown.linesOf, table.index, rows);
    default:
      return await copyTableRows(table, rows, act, resultTexts, context.lifetime);
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
      return await showText(documents, vscode.l10n.t('Requests without an answer.txt'), `${missing.join('\n')}\n`);
    }
    case 'showReport':
      return await showText(documents, vscode.l10n.t('Report on the results.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  }
}

/** Asks the user to choose one of the actions without a button. */
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

/** Shows a request at its current line in its file. Throws an error with a message for the user if it is gone. */
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

/** Returns the line of a request in the editor, whose text may be newer than the file. */
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
  for (let away = 0; away < document.lineCount; away++) {
    for (const at of [line - away, line + away]) {
      if (at >= 0 && at < document.lineCount && document.lineAt(at).text.includes(customId) && hasId(at)) {
        return at;
      }
    }
  }
  return Math.min(line, document.lineCount - 1);
}

/** Exports the given rows, or all without `rows`. */
async function exportShown(context: ActsContext, rows: Uint32Array | undefined): Promise<void> {
  const { exported } = context.results;
  if (rows?.length === 0) {
    throw new Error(vscode.l10n.t('No matches'));
  }
  if (exported !== undefined) {
    await exportRows(context, exported, rows);
  }
}

async function writeSelectedRequests(context: ActsContext, { joined }: ResultsTable, rows: Uint32Array): Promise<void> {
  const { results, jobs, registry, lifetime } = context;
  const { shown } = results;
  if (shown === undefined) {
    throw new Error(results.whyNoRequest());
  }
  const outPath = await pathForSelected(vscode.Uri.parse(shown.run.source));
  const { written, gone } = await writeRequests({ registry, jobs, lifetime }, shown, joined, rows, outPath);
  tellWritten(outPath, written, gone);
}
