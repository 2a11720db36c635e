import * as vscode from 'vscode';

/** File operations of documents, loaded with the first document. Absent operations mean that files can't be created, moved or deleted. */
interface DocumentFiles {
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  stat(uri: vscode.Uri): Promise<vscode.FileStat>;
  readFile(uri: vscode.Uri): Promise<Uint8Array>;
  writeFile(uri: vscode.Uri, content: Uint8Array, options: { readonly create: boolean; readonly overwrite: boolean }): Promise<void>;
  readDirectory?(uri: vscode.Uri): Promise<[string, vscode.FileType][]>;
  delete?(uri: vscode.Uri): Promise<void>;
  rename?(from: vscode.Uri, to: vscode.Uri, options: { readonly overwrite: boolean }): Promise<void>;
}

/** Registers the documents of a scheme as a file system. The implementation loads with the first document. */
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
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => {} }),
    stat: async uri => (await files()).stat(uri),
    readFile: async uri => (await files()).readFile(uri),
    writeFile: async (uri, content, options) => (await files()).writeFile(uri, content, options),
    readDirectory: async uri => (await files()).readDirectory?.(uri) ?? [],
    // VS Code creates the missing folders of a document before it writes the document. These folders exist only through their documents.
    createDirectory: () => undefined,
    delete: async uri => (await files()).delete?.(uri) ?? refuse(uri),
    rename: async (from, to, options) => (await files()).rename?.(from, to, options) ?? refuse(from),
  };
  return vscode.Disposable.from(changed, vscode.workspace.registerFileSystemProvider(scheme, provider, { isCaseSensitive: true }));
}

/** Documents that are being opened for the user. Reading such a document is not a background request. */
export class AskedDocuments {
  private readonly paths = new Set<string>();

  has(uri: vscode.Uri): boolean {
    return this.paths.has(uri.path);
  }

  async during<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
    this.paths.add(uri.path);
    try {
      return await work();
    } finally {
      this.paths.delete(uri.path);
    }
  }
}
