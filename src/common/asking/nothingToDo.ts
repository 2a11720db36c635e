/** Thrown if there is nothing to choose or to do. Nothing failed, so its message is shown as information, without a button to the log. */
export class NothingToDoError extends Error {
  override readonly name = 'NothingToDoError';
}

/** Returns the only item of a list, or `undefined` if there are several. Throws a `NothingToDoError` with `none` for an empty list. */
export function onlyOf<T>(items: readonly T[], none: string): T | undefined {
  if (items.length === 0) {
    throw new NothingToDoError(none);
  }
  return items.length === 1 ? items[0] : undefined;
}
