/** Returns the id derived for bare message params on a 0-based line. */
export function derivedId(line: number): string {
  return `line-${line + 1}`;
}

/** Returns the 0-based line for which `id` would be derived, or `undefined` if `id` is not in the form of a derived id. */
export function lineOfDerivedId(id: string): number | undefined {
  const match = /^line-([1-9]\d{0,14})$/.exec(id);
  return match === null ? undefined : Number(match[1]) - 1;
}

/** Maximum length of `custom_id` (contract). */
export const maxIdCharacters = 64;

/**
 * Returns `id`, with `-2`, `-3` and so on appended if it is taken, truncated to 64 characters. When creating many ids, pass the same
 * `tried` map each time. The map stores the next number to try, so no id may become free between calls.
 */
export function freeId(id: string, isTaken: (id: string) => boolean, tried = new Map<string, number>()): string {
  if (!isTaken(id)) {
    return id;
  }
  for (let digits = 1; ; digits++) {
    const stem = `${id.slice(0, maxIdCharacters - 1 - digits)}-`;
    const most = 10 ** digits;
    let number = tried.get(stem + digits) ?? Math.max(2, most / 10);
    while (number < most && isTaken(stem + number)) {
      number++;
    }
    tried.set(stem + digits, number);
    if (number < most) {
      return stem + number;
    }
  }
}
