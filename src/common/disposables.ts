import type * as vscode from 'vscode';

/** Combines several disposables into one. They are disposed in reverse order, each once. */
export function combine(...disposables: readonly vscode.Disposable[]): vscode.Disposable {
  let open = [...disposables];
  return {
    dispose: () => {
      const closing = open.reverse();
      open = [];
      for (const disposable of closing) {
        disposable.dispose();
      }
    },
  };
}
