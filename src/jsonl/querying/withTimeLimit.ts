import vm from 'node:vm';

const script = new vm.Script('task()');

/**
 * Runs work that cannot be trusted to end, such as a pattern of the user's on long texts, and stops it after `ms`. Undefined when it was
 * stopped; what it did until then is lost.
 */
export function withTimeLimit<T>(ms: number, task: () => T): { readonly value: T } | undefined {
  // The only way to stop a pattern from within its thread: the clock of the engine itself. What is run is ours.
  try {
    return { value: script.runInContext(vm.createContext({ task }), { timeout: ms }) as T };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      return undefined;
    }
    throw error;
  }
}
