import * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import { whenOpened } from '../../common/documents/whenOpened';
import { registerDocumentFileSystem } from '../../common/documents/documentFileSystem';
import { Lazy } from '../../common/lazy';
import { registerRulePages } from './checking/rulePageDocuments';
import { onlyLine } from './documents/requestFile';
import { parseRequestTarget } from './documents/findRequest';
import { requestScheme } from './documents/requestUri';
import type { EditingDependencies } from './fileWork';

/**
 * Registers the editing features of request files: completion, hovers, symbols, fixes, and single requests as documents. Loaded when a
 * command needs them, or when the first request file or possible request file opens.
 */
export function registerEditing(deps: EditingDependencies): vscode.Disposable {
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
    commands.register('managedAgents.request.create', async file =>
      (await import('./language/requestCompletionProvider')).createRequest(deps, file),
    ),
    commands.register('managedAgents.file.fix', async (file, rule) => (await import('./fixes/fixFile')).fixFile(deps, file, rule)),
    commands.register('managedAgents.requests.editAll', async file => (await import('./bulk/editAllRequests')).editAllRequests(deps, file)),
    registerRulePages(deps),
    help,
  );
}

function registerRequestEditor(deps: EditingDependencies): vscode.Disposable {
  const { commands } = deps;
  const editors = new Lazy(async () => new (await import('./editor/requestEditors')).RequestEditors(deps));
  const load = () => Promise.all([editors.get(), import('./editor/requestCommands')]);
  const editNeighbor = async (step: 1 | -1) => {
    const [loaded, requestCommands] = await load();
    await requestCommands.editNeighbor(loaded, step);
  };
  return combine(
    editors,
    registerDocumentFileSystem(requestScheme, () => editors.get()),
    commands.register('managedAgents.request.edit', async (...given) => {
      const [loaded, { editRequest }] = await load();
      await editRequest(deps, loaded, parseRequestTarget(...given));
    }),
    commands.register('managedAgents.request.editNext', () => editNeighbor(1)),
    commands.register('managedAgents.request.editPrevious', () => editNeighbor(-1)),
    commands.register('managedAgents.request.revealSource', async () => {
      const [loaded, { revealSource }] = await load();
      await revealSource(loaded);
    }),
  );
}
