import type { Disposable } from 'vscode';

/**
 * Does `work` when VS Code no longer waits for the extension, unless that is disposed before. An import reads and compiles at once
 * what it loads, and looking through what is open costs with what is open: neither belongs into the start of a window.
 */
export function afterStart(work: () => void): Disposable {
  const soon = setImmediate(work);
  return { dispose: () => clearImmediate(soon) };
}

/** As `afterStart`, for what VS Code does not look for as soon as the extension is active, as it does for commands, file systems and tools. */
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
