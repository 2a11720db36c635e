import { readFile } from 'node:fs/promises';

/**
 * Returns the 0-based source line of the request that a service's error names: by index (`requests.12.params...`, `requests[12]`), or by a
 * custom_id in quotes. If two lines have the id, the later one wins. Returns `undefined` if it names none, or `linesPath`, the submission's
 * line map, does not exist.
 */
export async function findNamedLine(linesPath: string, serviceMessage: string): Promise<number | undefined> {
  const place = /\brequests(?:\.|\[)(\d+)/.exec(serviceMessage)?.[1];
  const quoted = new Set(
    Array.from(serviceMessage.matchAll(/["'`\u2018\u201c]([A-Za-z0-9_-]{1,64})["'`\u2019\u201d]/g), match => match[1]),
  );
  if (place === undefined && quoted.size === 0) {
    return undefined;
  }
  let rows: string[];
  try {
    rows = (await readFile(linesPath, 'utf8')).split('\n');
  } catch {
    return undefined;
  }
  const row =
    place === undefined ? rows.findLast(candidate => quoted.has(candidate.slice(candidate.indexOf('\t') + 1))) : rows[Number(place)];
  const line = Number.parseInt(row ?? '', 10);
  return Number.isNaN(line) ? undefined : line;
}
