import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';
import { describeRequests, describeSince } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { views } from '../../../contributions';
import { type CountedReport, reviewCount, statusCounts } from '../../../jsonl/results/resultsReport';
import { describeFacts } from '../../../jsonl/results/resultsSummary';
import { toNumber } from '../../../shared/formats';
import { toProblemCount } from '../../../shared/text';
import type { Connections } from '../../connection';
import type { Submission } from '../../ledger';
import { type AnswerResults, toReference } from '../answers/answerRuns';
import type { DocumentAnswers } from '../answers/documentAnswers';
import type { FileAnswers } from '../answers/fileAnswers';
import { countProblems, type ProblemCounts } from '../checking/problemsPresentation';
import { findFile } from '../documents/findRequest';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { fileLabelOf, firstLines, requestFileSelector } from '../documents/requestFile';
import { kindOfLines } from '../kinds/fileKinds';

/** State of an open request file. */
export interface FileState {
  /** `undefined` if problems are turned off. */
  readonly problems: ProblemCounts | undefined;
  /** Newest submission without fetched results. */
  readonly pending: Pick<Submission, 'state' | 'batch' | 'batchId' | 'group'> | undefined;
  readonly report: CountedReport | undefined;
  readonly hasConnection: boolean;
}

/** Most important fact about a file, and the action of a click. */
interface FileNotice {
  readonly act: 'showProblems' | 'showBatches' | 'fetch' | 'sendAgain' | 'connect';
  readonly words: string;
}

/** Parts of package.json. A translated title is an object with the original text. */
export interface MenuManifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string | { readonly value: string }; readonly icon?: string }[];
    readonly menus: {
      readonly 'managedAgents.fileMenu': readonly { readonly command: string; readonly group: string; readonly when: string }[];
    };
  };
}

const icons: Readonly<Record<FileNotice['act'], string>> = {
  showProblems: 'warning',
  showBatches: 'watch',
  fetch: 'cloud-download',
  sendAgain: 'redo',
  connect: 'plug',
};

/** Registers the lenses on the first line. A request file has up to four lenses, any other JSON Lines file has one. */
export function registerFileLenses(documents: RequestDocuments, connections: Connections, answers: DocumentAnswers): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const refresh = () => changed.fire();
  const provideCodeLenses = (document: vscode.TextDocument) => {
    if (!readSetting('managedAgents.editor.codeLens', document)) {
      return [];
    }
    const file = documents.get(document);
    const commands = file === undefined ? toOtherCommands(document) : toCommands(file, connections, answers.of(file));
    const top = new vscode.Range(0, 0, 0, 0);
    return commands.map(command => new vscode.CodeLens(top, command));
  };
  return combine(
    changed,
    vscode.languages.registerCodeLensProvider(requestFileSelector, { onDidChangeCodeLenses: changed.event, provideCodeLenses }),
    documents.onDidOpen(refresh),
    documents.onDidChange(refresh),
    documents.onDidClose(refresh),
    answers.onDidChange(refresh),
    connections.onDidChange(refresh),
    connections.served.onDidChange(refresh),
    onDidChangeSettings(['managedAgents.editor.codeLens', 'managedAgents.editor.problems', 'managedAgents.editor.answers'], refresh),
  );
}

function toCommands(file: OpenRequestFile, connections: Connections, answers: FileAnswers | undefined): readonly vscode.Command[] {
  const { t } = vscode.l10n;
  const { uri } = file.document;
  return [
    createCommand(file, connections),
    ...noticeCommands(file, connections, answers),
    ...(answers?.shown === undefined ? [] : [resultCommand(answers.shown)]),
    { ...commandLink('managedAgents.fileActions.choose', t('More...'), uri), tooltip: t('More actions for this file') },
  ];
}

function createCommand({ document: { uri }, totals }: OpenRequestFile, { current, served }: Connections): vscode.Command {
  const { t } = vscode.l10n;
  if (current !== undefined && served.has(current, 'batches') === false) {
    return commandLink('managedAgents.connection.switch', lensTitle('plug', t("This service doesn't support batches")));
  }
  if (totals?.requests === 0) {
    return { title: t('No valid requests'), command: '' };
  }
  const title =
    totals === undefined
      ? t('Create Batch')
      : t('Create Batch ({0})', describeRequests(totals.requests, { translate: t, locale: vscode.env.language }));
  return commandLink('managedAgents.batch.create', lensTitle('cloud-upload', title), uri);
}

function noticeCommands(
  { document, totals }: OpenRequestFile,
  { current }: Connections,
  answers: FileAnswers | undefined,
): readonly vscode.Command[] {
  const { t } = vscode.l10n;
  if (totals === undefined) {
    return [{ title: t('Checking…'), command: '' }];
  }
  const [pending] = answers?.pendingSubmissions ?? [];
  const problems = readSetting('managedAgents.editor.problems', document) ? totals.problemCounts : undefined;
  const state = { problems, pending, report: answers?.shown?.results.report, hasConnection: current !== undefined };
  const notice = toFileNotice(state, t, vscode.env.language);
  if (notice === undefined) {
    return [];
  }
  const { act, words } = notice;
  const title = lensTitle(act === 'showProblems' && (problems?.error ?? 0) > 0 ? 'error' : icons[act], words);
  switch (act) {
    case 'showProblems':
      return [{ title, command: 'workbench.panel.markers.view.focus' }];
    case 'showBatches':
      return [{ title, command: `${views.batches}.focus` }];
    case 'fetch': {
      const batch = pending?.batchId === undefined ? undefined : { connection: pending.connection, batchId: pending.batchId };
      return [commandLink('managedAgents.batch.fetchResults', title, batch)];
    }
    case 'sendAgain':
      return [{ ...commandLink('managedAgents.retry.plan', title, document.uri), tooltip: t('Send these requests again') }];
    case 'connect':
      return [commandLink('managedAgents.connection.switch', title)];
  }
}

function resultCommand(shown: AnswerResults): vscode.Command {
  const { t } = vscode.l10n;
  const context = { translate: t, locale: vscode.env.language, now: Date.now() };
  const words = shown.isChosen === true ? t('Results of {0}', describeSince(shown.runs[0]?.startedAt, context)) : t('Results');
  const command = commandLink('managedAgents.results.show', lensTitle('table', words), toReference(shown));
  return { ...command, tooltip: describeFacts(shown.results.report, context) };
}

function toOtherCommands(document: vscode.TextDocument): readonly vscode.Command[] {
  const { t } = vscode.l10n;
  const { uri } = document;
  switch (kindOfLines([...firstLines(document)])) {
    case 'results':
      return [commandLink('managedAgents.results.show', lensTitle('table', t('Results')), uri)];
    case 'otherForm':
      return [commandLink('managedAgents.file.convert', lensTitle('arrow-swap', t('Convert to Request File...')), uri)];
    case 'empty':
      return [commandLink('managedAgents.request.create', lensTitle('add', t('New Request')), uri)];
    default:
      return [];
  }
}

/** Returns the entries of the file menu that apply to a file with the context keys `keys`, sorted by group. */
export function fileMenuEntries({ contributes: { menus } }: MenuManifest, keys: ReadonlySet<string>) {
  return menus['managedAgents.fileMenu']
    .filter(({ when }) => when.split(' || ').some(clause => keys.has(clause.replace('resourcePath in ', ''))))
    .toSorted((a, b) => (a.group < b.group ? -1 : 1));
}

/** Shows the file menu of package.json in a picker for the lens "More". Runs the chosen command. */
export async function showFileMenu(
  { documents, answers }: { readonly documents: RequestDocuments; readonly answers: DocumentAnswers },
  manifest: MenuManifest,
  given: vscode.Uri | undefined,
): Promise<void> {
  const file = findFile(documents, given);
  const { uri } = file.document;
  const report = answers.of(file)?.shown?.results.report;
  const keys = [
    'managedAgents.requestFiles',
    ...(report === undefined ? [] : ['managedAgents.answeredFiles']),
    ...(report === undefined || reviewCount(report) === 0 ? [] : ['managedAgents.unfinishedFiles']),
  ];
  const items = fileMenuEntries(manifest, new Set(keys)).map(({ command }) => {
    const { title = command, icon = '' } = manifest.contributes.commands.find(other => other.command === command) ?? {};
    return { label: `${icon} ${typeof title === 'object' ? title.value : title}`.trim(), command };
  });
  const placeHolder = vscode.l10n.t('Select an action for {0}', fileLabelOf(uri));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command, uri);
  }
}

/**
 * Returns the notice to show, or `undefined` if there is none. A pending submission takes precedence over results. Results take precedence
 * over problems, because the editor shows problems anyway.
 */
export function toFileNotice(
  { problems, pending, report, hasConnection }: FileState,
  t: Translate,
  locale?: string,
): FileNotice | undefined {
  if (pending !== undefined) {
    return toPending(pending, t);
  }
  if (report !== undefined && reviewCount(report) > 0) {
    return { act: 'sendAgain', words: toFailingWords(report, t, locale) };
  }
  if (problems !== undefined && countProblems(problems) > 0) {
    return { act: 'showProblems', words: toProblemCount(problems, t, locale) };
  }
  return hasConnection ? undefined : { act: 'connect', words: t('No connection') };
}

function toPending({ state, batch, batchId, group }: NonNullable<FileState['pending']>, t: Translate): FileNotice {
  if (batch?.processing_status === 'ended') {
    return batchId !== undefined && group === undefined
      ? { act: 'fetch', words: t('Fetch Results') }
      : { act: 'showBatches', words: t('Ended, results not fetched') };
  }
  const words = state === 'sending' ? t('Sending…') : state === 'unknown' ? t('response lost, a batch may exist') : t('Running…');
  return { act: 'showBatches', words };
}

/** Returns the number of requests to review, with the most specific word that fits all of them, such as `56 failed or cut short`. */
function toFailingWords(report: CountedReport, t: Translate, locale: string | undefined): string {
  const { cut_short: cutShort, failed } = statusCounts(report);
  const count = reviewCount(report);
  const words = toNumber(count, locale);
  switch (count) {
    case failed:
      return t('{0} failed', words);
    case cutShort:
      return t('{0} cut short', words);
    case failed + cutShort:
      return t('{0} failed or cut short', words);
    default:
      return t('{0} without a good result', words);
  }
}
