import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { toFileName } from '../documents/requestFile';

/** Watches the sources of edited requests on disk. */
export class SourceWatchers implements vscode.Disposable {
  private readonly watchers = new Map<string, vscode.Disposable>();

  /** Watches the source of an edited request, in place of its earlier one. */
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
