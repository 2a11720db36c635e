import * as vscode from 'vscode';
import type { AgentFiles } from './agentFiles';
import { agentScheme } from './agentUri';

/** The documents of agents as a file system whose work is loaded when a document is first asked for. */
export function registerAgentFileSystem(load: () => Promise<AgentFiles>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  let followed: Promise<AgentFiles> | undefined;
  const files = () => {
    followed ??= load().then(loaded => {
      loaded.onDidChangeFile(events => changed.fire(events));
      return loaded;
    });
    return followed;
  };
  const refuse = (uri: vscode.Uri) => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => {} }),
    stat: async uri => (await files()).stat(uri),
    readFile: async uri => (await files()).readFile(uri),
    writeFile: async (uri, content) => (await files()).writeFile(uri, content),
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(changed, vscode.workspace.registerFileSystemProvider(agentScheme, provider, { isCaseSensitive: true }));
}
