import vm from 'node:vm';

const script = new vm.Script('task()');

/** Runs a task that may never end, such as matching a user's pattern on long texts. Returns `undefined` after `ms` milliseconds. */
export function withTimeLimit<T>(ms: number, task: () => T): { readonly value: T } | undefined {
  // Only the engine's own timeout can stop a pattern on the same thread. The script runs only code of this extension.
  try {
    return { value: script.runInContext(vm.createContext({ task }), { timeout: ms }) as T };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      return undefined;
    }
    throw error;
  }
}
