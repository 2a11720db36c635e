import type { Disposable } from 'vscode';

/**
 * Runs `work` once VS Code has finished activating the extension, unless the returned object is disposed before. Loading modules or
 * scanning editors earlier would slow down the start of a window.
 */
export function afterStart(work: () => void): Disposable {
  const soon = setImmediate(work);
  return { dispose: () => clearImmediate(soon) };
}

/**
 * Registers something after activation, like `afterStart`. Must not be used for commands, file systems and tools, because VS Code needs
 * them immediately.
 */
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
