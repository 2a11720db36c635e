import { ExactNumber, parseExact, writeJson } from '../../shared/exactJson';
import { isRecord } from '../../shared/isRecord';

/**
 * Sets members in the lines of a JSONL file. `members` is keyed by `custom_id`. Adds a line for each id without a line. Other members and
 * lines are unchanged. Returns the new text.
 */
export function withMembers(text: string, members: ReadonlyMap<string, Readonly<Record<string, unknown>>>): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const left = new Map(members);
  const lines = text.split(/\r?\n/).map(line => {
    const known = parseLine(line);
    const id = typeof known?.custom_id === 'string' ? known.custom_id : '';
    left.delete(id);
    return known !== undefined && members.has(id) ? writeJson({ ...known, ...members.get(id) }) : line;
  });
  if (lines.at(-1) === '') {
    lines.pop();
  }
  const added = [...left].map(([id, own]) => writeJson({ custom_id: id, ...own }));
  return [...lines, ...added, ''].join(eol);
}

function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseExact(line);
    return isRecord(value) && !(value instanceof ExactNumber) ? value : undefined;
  } catch {
    return undefined;
  }
}
