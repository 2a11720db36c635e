import vm from 'node:vm';

const script = new vm.Script('task()');

/**
 * Runs a task that may never end, such as a user's pattern on long texts, and stops it after `ms` milliseconds. Returns `undefined` if it
 * was stopped; its work is lost.
 */
export function withTimeLimit<T>(ms: number, task: () => T): { readonly value: T } | undefined {
  // Only the engine's own timeout can stop a pattern on the same thread. Only code of this extension runs in it.
  try {
    return { value: script.runInContext(vm.createContext({ task }), { timeout: ms }) as T };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      return undefined;
    }
    throw error;
  }
}
