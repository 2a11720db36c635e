import * as vscode from 'vscode';
import { afterStart } from '../../common/afterStart';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import { registerRulePages } from './checking/rulePageDocuments';
import { onlyLine } from './documents/requestFile';
import { parseRequestTarget } from './documents/requestTarget';
import { requestScheme } from './documents/requestUri';
import type { EditingDependencies } from './editingDependencies';
import type { RequestEditors } from './editor/requestEditors';

const folder: vscode.FileStat = { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };

/**
 * Registers the editing features of request files: completion, hovers, symbols, fixes, and single requests as documents. They are loaded
 * when the first file opens that has or could have requests, or when a command needs them.
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

function registerRequestEditor(deps: EditingDependencies): vscode.Disposable {
  const { commands } = deps;
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const editors = new Lazy(async () => new (await import('./editor/requestEditors')).RequestEditors(deps, events => changed.fire(events)));
  const load = () => Promise.all([editors.get(), import('./editor/requestCommands')]);
  return combine(
    changed,
    editors,
    registerRequestFileSystem(editors, changed),
    commands.register('managedAgents.request.edit', async (...given) => {
      const [loaded, { editRequest }] = await load();
      await editRequest(deps, loaded, ...parseRequestTarget(...given));
    }),
    commands.register('managedAgents.request.editNext', async () => {
      const [loaded, { editNeighbor }] = await load();
      await editNeighbor(loaded, 1);
    }),
    commands.register('managedAgents.request.editPrevious', async () => {
      const [loaded, { editNeighbor }] = await load();
      await editNeighbor(loaded, -1);
    }),
    commands.register('managedAgents.request.revealSource', async () => {
      const [loaded, { revealSource }] = await load();
      await revealSource(loaded);
    }),
  );
}

/** Registers the file system of single request documents. Most code is loaded on first use. */
function registerRequestFileSystem(editors: Lazy<RequestEditors>, changed: vscode.EventEmitter<vscode.FileChangeEvent[]>) {
  const refuse = (uri: vscode.Uri) => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => {} }),
    stat: async uri => (isFolder(uri) ? folder : (await editors.get()).stat(uri)),
    readFile: async uri => (await editors.get()).readFile(uri),
    writeFile: async (uri, content) => (await editors.get()).writeFile(uri, content),
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.workspace.registerFileSystemProvider(requestScheme, provider, { isCaseSensitive: true });
}

/** Each document is in a virtual folder with the name of its source. */
function isFolder({ path }: vscode.Uri): boolean {
  return path.split('/').length < 3;
}
