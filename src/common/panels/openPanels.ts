import type * as vscode from 'vscode';

/** Open panels of one kind, at most one for each key. */
export class OpenPanels<T extends { readonly panel: vscode.WebviewPanel }> implements vscode.Disposable {
  private readonly open = new Map<string, T>();

  get all(): readonly T[] {
    return [...this.open.values()];
  }

  find(key: string): T | undefined {
    return this.open.get(key);
  }

  /** Reveals the panel of a key, or creates it. */
  show(key: string, create: () => T): T {
    const shown = this.open.get(key);
    shown?.panel.reveal();
    return shown ?? this.add(key, create());
  }

  /** Shows content in a panel that VS Code restored. Closes the panel if the key is empty or in use. */
  restore(key: string, panel: vscode.WebviewPanel, create: () => T): T | undefined {
    if (key !== '' && !this.open.has(key)) {
      return this.add(key, create());
    }
    panel.dispose();
    return undefined;
  }

  dispose(): void {
    for (const { panel } of this.all) {
      panel.dispose();
    }
  }

  private add(key: string, shown: T): T {
    this.open.set(key, shown);
    shown.panel.onDidDispose(() => this.open.get(key) === shown && this.open.delete(key));
    return shown;
  }
}
