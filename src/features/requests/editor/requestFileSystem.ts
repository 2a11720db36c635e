import * as vscode from 'vscode';
import type { Lazy } from '../../../common/lazy';
import { requestScheme } from '../documents/requestUri';
import type { RequestEditors } from './requestEditors';

const folder: vscode.FileStat = { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };

/** Registers the file system of single request documents. Most code is loaded on first use. */
export function registerRequestFileSystem(editors: Lazy<RequestEditors>, changed: vscode.EventEmitter<vscode.FileChangeEvent[]>) {
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
