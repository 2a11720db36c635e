import { customIdPattern } from '../../../contract/customId';

const maxTries = 10_000;

/**
 * Returns ids that could follow `previous`, which is ordered newest first. Increments the last number of each id and pads it to the same
 * number of digits. Skips ids for which `isTaken` returns true. Falls back to the first free `request-<n>`.
 */
export function proposeIds(previous: readonly string[], isTaken: (id: string) => boolean): readonly string[] {
  const proposals = new Set<string>();
  for (const id of previous) {
    const next = nextFree(id, isTaken);
    if (next !== undefined) {
      proposals.add(next);
    }
  }
  const fresh = proposals.size === 0 ? nextFree('request-0', isTaken) : undefined;
  return fresh === undefined ? [...proposals] : [fresh];
}

function nextFree(id: string, isTaken: (id: string) => boolean): string | undefined {
  const found = /^(.*\D|)(\d+)(\D*)$/s.exec(id);
  const [, begin, digits, end] = found ?? ['', `${id}-`, '1', ''];
  if (begin === undefined || digits === undefined || end === undefined || digits.length > 15) {
    return undefined;
  }
  for (let number = Number(digits) + 1, tries = 0; tries < maxTries; number++, tries++) {
    const next = `${begin}${String(number).padStart(digits.length, '0')}${end}`;
    if (!customIdPattern.test(next)) {
      return undefined;
    }
    if (!isTaken(next)) {
      return next;
    }
  }
  return undefined;
}
