import type { Disposable } from 'vscode';

/**
 * Does `work` when VS Code no longer waits for the extension, unless that is disposed before. An import reads and compiles at once
 * what it loads, and looking through what is open costs with what is open: neither belongs into the start of a window.
 */
export function afterStart(work: () => void): Disposable {
  const soon = setImmediate(work);
  return { dispose: () => clearImmediate(soon) };
}
