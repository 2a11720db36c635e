import type * as vscode from 'vscode';

/** Documents that the user asked for just now. Reading them is not a background request. */
export class AskedDocuments {
  private readonly paths = new Set<string>();

  has(uri: vscode.Uri): boolean {
    return this.paths.has(uri.path);
  }

  /** Runs `work`, which reads a document that the user asked for. */
  async during<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
    this.paths.add(uri.path);
    try {
      return await work();
    } finally {
      this.paths.delete(uri.path);
    }
  }
}
