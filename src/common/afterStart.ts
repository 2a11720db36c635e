import type { Disposable } from 'vscode';

/**
 * Runs `work` after VS Code has finished activating the extension, unless disposed before. Loading modules and scanning open editors would
 * slow down the start of a window.
 */
export function afterStart(work: () => void): Disposable {
  const soon = setImmediate(work);
  return { dispose: () => clearImmediate(soon) };
}

/**
 * Like `afterStart`, for registrations that VS Code does not need right after activation, in contrast to commands, file systems and tools.
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
