/** The contract's bound on `custom_id`. */
const mostCharacters = 64;

/** Whether the service takes an id (contract: 1 to 64 of `a-z A-Z 0-9 _ -`). */
export function isAllowedId(id: string): boolean {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(id);
}

/** An allowed id that is as near as can be to `id`: trimmed, other characters as `_`, cut; undefined when nothing would be left. */
export function repairId(id: string): string | undefined {
  const repaired = id
    .trim()
    .replace(/[^a-zA-Z0-9_-]/gu, '_')
    .slice(0, mostCharacters);
  return /[a-zA-Z0-9]/.test(repaired) ? repaired : undefined;
}

/**
 * `id` itself when it is free, else with `-2`, `-3` ... behind it, cut so that it stays within 64 characters. Who asks for many ids
 * hands the same `tried` each time, which keeps how far the numbers are used up; ids must not become free again then.
 */
export function freeId(id: string, isTaken: (id: string) => boolean, tried = new Map<string, number>()): string {
  if (!isTaken(id)) {
    return id;
  }
  for (let digits = 1; ; digits++) {
    const stem = `${id.slice(0, mostCharacters - 1 - digits)}-`;
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
