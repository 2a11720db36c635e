import * as vscode from 'vscode';
import { afterStart } from '../../common/afterStart';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import { registerRulePages } from './checking/rulePageDocuments';
import { onlyLine } from './documents/requestFile';
import type { EditingDependencies } from './editingDependencies';
import { registerRequestEditor } from './editor';

/**
 * Everything that helps to write request files: completion, hovers, symbols, fixes, single requests as documents. Loaded when
 * the first request file is open, or a file that could become one, or when a command asks for it.
 */
export function registerEditing(deps: EditingDependencies): vscode.Disposable {
  const { commands, documents, log } = deps;
  const help = new Lazy(async () => {
    const [{ registerLanguage }, { registerFixes }] = await Promise.all([import('./language'), import('./fixes')]);
    return combine(registerLanguage(deps), registerFixes(deps));
  });
  const load = () => {
    help.get().catch(error => log.error('The help for request files could not be loaded', error));
  };
  const look = (document: vscode.TextDocument) => {
    if (help.current === undefined && (documents.get(document) !== undefined || onlyLine(document) !== undefined)) {
      load();
    }
  };
  return combine(
    afterStart(() => vscode.workspace.textDocuments.forEach(look)),
    documents.onDidOpen(load),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    registerRequestEditor(deps),
    commands.register('managedAgents.request.goTo', async file => (await import('./language/goToRequest')).goToRequest(deps, file)),
    commands.register('managedAgents.request.create', async file => (await import('./language/createRequest')).createRequest(deps, file)),
    commands.register('managedAgents.file.fix', async (file, rule) => (await import('./fixes/fixFile')).fixFile(deps, file, rule)),
    commands.register('managedAgents.requests.editAll', async file => (await import('./bulk/editAllRequests')).editAllRequests(deps, file)),
    registerRulePages(deps),
    help,
  );
}
