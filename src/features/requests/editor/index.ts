import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { Lazy } from '../../../common/lazy';
import { parseRequestTarget } from '../documents/requestTarget';
import { requestScheme } from '../documents/requestUri';
import type { EditingDependencies } from '../editingDependencies';
import type { RequestEditors } from './requestEditors';

const folder: vscode.FileStat = { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };

/** Registers the editor that shows one request as a JSON document and saves it to its line. */
export function registerRequestEditor(deps: EditingDependencies): vscode.Disposable {
  const { commands } = deps;
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const editors = new Lazy(async () => new (await import('./requestEditors')).RequestEditors(deps, events => changed.fire(events)));
  const load = () => Promise.all([editors.get(), import('./requestCommands')]);
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
