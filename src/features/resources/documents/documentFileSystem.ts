import * as vscode from 'vscode';

/** What a file system of documents does once one of them is asked for. */
export interface DocumentFiles {
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  readFile(uri: vscode.Uri): Promise<Uint8Array>;
  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void>;
}

/** Documents of a scheme as a file system whose work is loaded when a document is first asked for. Nothing is made or removed in it. */
export function registerDocumentFileSystem(scheme: string, load: () => Promise<DocumentFiles>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  let followed: Promise<DocumentFiles> | undefined;
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
  return vscode.Disposable.from(changed, vscode.workspace.registerFileSystemProvider(scheme, provider, { isCaseSensitive: true }));
}
