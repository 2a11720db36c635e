import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { toFileName } from '../documents/requestFile';

/** Tells when the files that edited requests came from are written to by others. */
export class SourceWatchers implements vscode.Disposable {
  private readonly watchers = new Map<string, vscode.Disposable>();

  /** Watches the source of an edited request, instead of the one it had before. */
  watch(id: string, source: vscode.Uri, onChange: () => void): void {
    if (source.scheme === 'file') {
      const name = toFileName(source).replace(/[[{?*]/g, '[$&]');
      const place = new vscode.RelativePattern(vscode.Uri.joinPath(source, '..'), name);
      const watcher = vscode.workspace.createFileSystemWatcher(place, true);
      this.watchers.get(id)?.dispose();
      this.watchers.set(id, combine(watcher, watcher.onDidChange(onChange), watcher.onDidDelete(onChange)));
    }
  }

  leave(id: string): void {
    this.watchers.get(id)?.dispose();
    this.watchers.delete(id);
  }

  dispose(): void {
    for (const watcher of this.watchers.values()) {
      watcher.dispose();
    }
    this.watchers.clear();
  }
}
