/** A request by its line, from 0, and its id. */
export interface FoundRequest {
  readonly line: number;
  readonly id: string;
}

/**
 * Finds requests by what was typed of their ids, in whatever case: those that begin with it first, then those that hold it,
 * each in the order of the file. `:12` means a line, from 1. `#` before an id is passed over. Stops at `limit`.
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
  // The id itself stands before longer ones.
  const exact = begins.findIndex(({ id }) => id.toLowerCase() === words);
  const ordered = exact > 0 ? [...begins.splice(exact, 1), ...begins] : begins;
  return [...ordered, ...holds].slice(0, limit);
}
