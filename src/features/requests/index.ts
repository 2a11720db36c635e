import * as vscode from 'vscode';
import { afterStart } from '../../common/afterStart';
import { showInformation } from '../../common/asking/notifications';
import { runCommand } from '../../common/commands';
import { combine } from '../../common/disposables';
import { registerDocumentFileSystem } from '../../common/documents/documentFileSystem';
import { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import { whenOpened } from '../../common/documents/whenOpened';
import { Lazy } from '../../common/lazy';
import type { ChosenRuns, SubmissionRegistry } from '../ledger';
import { registerDiagnostics, registerRulePages } from './checking/requestDiagnostics';
import { ReportDocuments } from './documents/reportDocuments';
import { RequestDocuments } from './documents/requestDocuments';
import { mayHoldRequests, onlyLine, parseRequestTarget, requestScheme } from './documents/requestFile';
import type { EditingDependencies, FileWorkDependencies, RequestFileDependencies } from './fileWork';

export { toHistoryWords } from './answers/answerPresentation';
export { isInAnotherForm, isUnsavedTab, unsavedDocument, withFileOnDisk, writeSnapshot } from './documents/fileOnDisk';
export { readFirstLines } from './documents/requestFile';
export { createRuleSettings, type RuleSettings } from './ruleSettings';

/** Loads the helpers of commands that write files. */
export const loadFileWork = async () => await import('./fileWork');

/** Loads the parser of streamed messages. */
export const loadStreamedAnswer = async () => await import('./running/streamedAnswer');

interface RequestsDependencies extends RequestFileDependencies {
  readonly registry: SubmissionRegistry;
  readonly chosenRuns: Lazy<ChosenRuns>;
}

/** Registers the editor features of request files (problems, lenses, single runs, answers), and the commands that create such files. */
export function registerRequests(dependencies: RequestsDependencies): vscode.Disposable {
  const { context, commands, log, connections, rules, jobs, registry, chosenRuns } = dependencies;
  const documents = new RequestDocuments(connections, rules, log);
  const dashboard = new Lazy(async () =>
    (await import('./dashboard')).createDashboard({ ...dependencies, documents, chosenRuns: await chosenRuns.get() }),
  );
  const show = (document: vscode.TextDocument) => {
    if (dashboard.current === undefined && mayHoldRequests(document)) {
      dashboard.get().catch(error => log.error('The request file features could not be loaded', error));
    }
  };
  const kinds = new Lazy(async () => (await import('./kinds/fileKinds')).watchFileKinds(documents, registry, log));
  const keepReady = () => jobs.keepReady('openRequestFiles', documents.all().length > 0);
  const pages = new ReadonlyDocuments('managed-agents-answer');
  const runs = new Lazy(async () => new (await import('./running/requestRuns')).RequestRuns({ ...dependencies, documents, pages }));
  const answers = async () => ({ documents, answers: (await dashboard.get()).answers, registry, jobs, pages });
  const goToFailed = async (step: 1 | -1) => (await import('./answers/answerCommands')).goToFailed(await answers(), step);
  const lifetime = new AbortController();
  const reports = new ReportDocuments('managed-agents-report');
  const workDeps: FileWorkDependencies = { ...dependencies, lifetime: lifetime.signal, reports };
  const building = new Lazy(async () => new (await import('./building/rowsBuilding')).RowsBuilding(workDeps));
  const helpTemplate = ({ uri }: vscode.TextDocument) => {
    if (uri.path.endsWith('.batch-template.json') || uri.scheme === 'managed-agents-build') {
      building.get().catch(error => log.error('The help for request templates could not be loaded', error));
    }
  };
  return combine(
    documents,
    dashboard,
    kinds,
    afterStart(() => {
      vscode.workspace.textDocuments.forEach(show);
      kinds.get().catch(error => log.error('The kinds of files could not be detected', error));
    }),
    vscode.workspace.onDidOpenTextDocument(show),
    documents.onDidOpen(keepReady),
    documents.onDidClose(keepReady),
    pages,
    runs,
    registerDiagnostics(documents),
    building,
    reports,
    { dispose: () => lifetime.abort() },
    whenOpened(helpTemplate),
    // Menus pass other values after the URI.
    commands.register('managedAgents.file.build', async (uri, act) =>
      (await building.get()).build(uri, act === 'anotherRow' || act === 'chooseRows' ? act : undefined),
    ),
    commands.register('managedAgents.sample.open', async () => {
      const { openSample } = await import('./openSample');
      await openSample(context.extensionUri, async (template, rows) => (await building.get()).open(template, rows));
      await connections.whenKnown;
      if (connections.state === 'none') {
        await runCommand('managedAgents.emulator.start');
      }
    }),
    commands.register('managedAgents.file.convert', async file =>
      (await import('./converting/convertRequestFile')).convertFile(workDeps, file),
    ),
    commands.register('managedAgents.file.arrange', async (file, selected) =>
      (await import('./arranging/arrangeRequests')).arrangeRequests(workDeps, file, Array.isArray(selected) ? selected : undefined),
    ),
    registerEditing({
      ...dependencies,
      lifetime: lifetime.signal,
      documents,
      answers: {
        shownAt: (file, line) => dashboard.current?.answers.shownAt(file, line),
        failingScope: async file => (await dashboard.get()).answers.failingScope(file),
      },
    }),
    commands.register('managedAgents.request.run', async (...given) => (await runs.get()).run(parseRequestTarget(...given))),
    commands.register('managedAgents.request.stop', () => {
      if (runs.current?.stop(vscode.window.activeTextEditor?.document.uri) !== true) {
        void showInformation(vscode.l10n.t('No request is running.'));
      }
    }),
    commands.register('managedAgents.answer.open', async (...given) =>
      (await import('./answers/answerCommands')).openAnswer(await answers(), parseRequestTarget(...given)),
    ),
    commands.register('managedAgents.fileActions.choose', async file =>
      (await import('./lenses/fileLenses')).showFileMenu(await answers(), context.extension.packageJSON, file),
    ),
    commands.register('managedAgents.answer.goToRequest', async (...given) =>
      (await import('./answers/goToRequestOfResult')).goToRequestOfResult(await answers(), parseRequestTarget(...given)),
    ),
    commands.register('managedAgents.answer.nextFailed', () => goToFailed(1)),
    commands.register('managedAgents.answer.previousFailed', () => goToFailed(-1)),
  );
}

/**
 * Registers the editing features of request files: completion, hovers, symbols, fixes, and single requests as documents. They are loaded
 * when a command needs them, or when the first document opens that is or may become a request file.
 */
function registerEditing(deps: EditingDependencies): vscode.Disposable {
  const { commands, documents, log } = deps;
  const help = new Lazy(async () => {
    const [{ registerLanguage }, { registerFixes }] = await Promise.all([import('./language'), import('./fixes/fixActionProvider')]);
    return combine(registerLanguage(deps), registerFixes(deps));
  });
  const load = () => {
    help.get().catch(error => log.error('The help for request files could not be loaded', error));
  };
  const apply = (document: vscode.TextDocument) => {
    const isMeant = document.uri.scheme === requestScheme || documents.get(document) !== undefined || onlyLine(document) !== undefined;
    if (help.current === undefined && isMeant) {
      load();
    }
  };
  return combine(
    whenOpened(apply),
    documents.onDidOpen(load),
    vscode.workspace.onDidChangeTextDocument(({ document }) => apply(document)),
    registerRequestEditor(deps),
    commands.register('managedAgents.request.goTo', async file => (await import('./language/goToRequest')).goToRequest(deps, file)),
    commands.register('managedAgents.request.create', async file => (await import('./language/completeRequest')).createRequest(deps, file)),
    commands.register('managedAgents.file.fix', async (file, rule) => (await import('./fixes/fixFile')).fixFile(deps, file, rule)),
    commands.register('managedAgents.requests.editAll', async file => (await import('./bulk/editAllRequests')).editAllRequests(deps, file)),
    registerRulePages(deps),
    help,
  );
}

function registerRequestEditor(deps: EditingDependencies): vscode.Disposable {
  const { commands } = deps;
  const editors = new Lazy(async () => new (await import('./editor/requestEditors')).RequestEditors(deps));
  const editNeighbor = async (step: 1 | -1) => (await import('./editor/requestCommands')).editNeighbor(await editors.get(), step);
  return combine(
    editors,
    registerDocumentFileSystem(requestScheme, () => editors.get()),
    commands.register('managedAgents.request.edit', async (...given) =>
      (await import('./editor/requestCommands')).editRequest(deps, await editors.get(), parseRequestTarget(...given)),
    ),
    commands.register('managedAgents.request.editNext', () => editNeighbor(1)),
    commands.register('managedAgents.request.editPrevious', () => editNeighbor(-1)),
    commands.register('managedAgents.request.revealSource', async () =>
      (await import('./editor/requestCommands')).revealSource(await editors.get()),
    ),
  );
}
