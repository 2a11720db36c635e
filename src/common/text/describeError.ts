/** What went wrong, in words: the message of an error, or whatever else was thrown as text. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
