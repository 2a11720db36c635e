import { readFile } from 'node:fs/promises';

/**
 * The source line, from 0, of the request that a refusal speaks of: by place (`requests.12.params...`, `requests[12]`) or by
 * a custom_id in quotes (of two lines with one id the later). Undefined when it names none, or `linesPath`, the
 * submission's line map, is not there.
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
