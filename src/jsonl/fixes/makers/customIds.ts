import { customIdPattern } from '../../../contract/customId';

/** Maximum length of `custom_id` (contract). */
const maxCharacters = 64;

/** Returns whether the service accepts an id (contract: 1 to 64 of `a-z A-Z 0-9 _ -`). */
export function isAllowedId(id: string): boolean {
  return customIdPattern.test(id);
}

/**
 * Returns the valid id closest to `id`: trimmed, with `_` for other characters, and truncated. `undefined` if no letter or digit would be
 * left.
 */
export function repairId(id: string): string | undefined {
  const repaired = id
    .trim()
    .replace(/[^a-zA-Z0-9_-]/gu, '_')
    .slice(0, maxCharacters);
  return /[a-zA-Z0-9]/.test(repaired) ? repaired : undefined;
}

/**
 * Returns `id`, with `-2`, `-3` and so on appended if it is taken, truncated to 64 characters. When creating many ids, pass the same
 * `tried` each time: it remembers the numbers already used. Ids must not become free again then.
 */
export function freeId(id: string, isTaken: (id: string) => boolean, tried = new Map<string, number>()): string {
  if (!isTaken(id)) {
    return id;
  }
  for (let digits = 1; ; digits++) {
    const stem = `${id.slice(0, maxCharacters - 1 - digits)}-`;
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
