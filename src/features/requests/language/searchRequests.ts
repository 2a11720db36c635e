/** Request with its 0-based line and its id. */
export interface FoundRequest {
  readonly line: number;
  readonly id: string;
}

/**
 * Finds requests by a part of their id, ignoring case: first those that start with it, then those that contain it, each in file order.
 * `:12` is a 1-based line number. Ignores `#` before an id. Returns at most `limit` requests.
 */
export function searchRequests(ids: readonly (string | undefined)[], typed: string, limit: number): readonly FoundRequest[] {
  const asked = typed.trim();
  const lineNumber = /^:(\d*)$/.exec(asked)?.[1];
  if (lineNumber !== undefined) {
    const line = Number(lineNumber) - 1;
    const id = ids[line];
    return line < 0 || id === undefined ? [] : [{ line, id }];
  }
  const words = asked.replace(/^#/, '').toLowerCase();
  const begins: FoundRequest[] = [];
  const holds: FoundRequest[] = [];
  for (const [line, id] of ids.entries()) {
    if (id === undefined) {
      continue;
    }
    const place = words === '' ? 0 : id.toLowerCase().indexOf(words);
    if (place === 0) {
      begins.push({ line, id });
    } else if (place > 0 && holds.length < limit) {
      holds.push({ line, id });
    }
    if (begins.length >= limit) {
      break;
    }
  }
  // An exact match comes before longer ids.
  const exact = begins.findIndex(({ id }) => id.toLowerCase() === words);
  const ordered = exact > 0 ? [...begins.splice(exact, 1), ...begins] : begins;
  return [...ordered, ...holds].slice(0, limit);
}
