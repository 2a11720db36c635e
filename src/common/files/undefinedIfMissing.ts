/** Handles the error of a file access. Returns `undefined` if the file does not exist, and rethrows any other error. */
export function undefinedIfMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
    throw error;
  }
}
