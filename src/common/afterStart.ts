import type { Disposable } from 'vscode';

/** Runs `work` after activation, unless disposed before. Earlier work would slow down the start of a window. */
export function afterStart(work: () => void): Disposable {
  const soon = setImmediate(work);
  return { dispose: () => clearImmediate(soon) };
}

/** Registers something after activation. Not for commands, file systems or tools, which VS Code needs at once. */
export function registerAfterStart(register: () => Disposable): Disposable {
  let registered: Disposable | undefined;
  const start = afterStart(() => {
    registered = register();
  });
  return {
    dispose: () => {
      start.dispose();
      registered?.dispose();
    },
  };
}
