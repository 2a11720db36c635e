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

/** `id` itself when it is free, else with `-2`, `-3` ... behind it, cut so that it stays within 64 characters. */
export function freeId(id: string, isTaken: (id: string) => boolean, from = 2): string {
  if (!isTaken(id)) {
    return id;
  }
  for (let number = from; ; number++) {
    const candidate = numberedId(id, number);
    if (!isTaken(candidate)) {
      return candidate;
    }
  }
}

function numberedId(id: string, number: number): string {
  const suffix = `-${number}`;
  return id.slice(0, mostCharacters - suffix.length) + suffix;
}
