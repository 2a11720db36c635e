import { findLineIn, type WantedLine } from '../../../jsonl/pretty/lineSearch';
import type { LineChange } from '../documents/lineChanges';

/** Lines of a document. */
export interface Lines {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

/**
 * Returns the number of a line after the changes of one event. An edited line keeps its identity. If lines were inserted or removed there,
 * returns the new line with its text or its id. Returns `undefined` if the line no longer exists.
 */
export function followLine(place: WantedLine, changes: readonly LineChange[] | undefined, document: Lines): number | undefined {
  if (changes === undefined) {
    return findLineIn(document, place);
  }
  let line = place.line;
  for (const { start, removed, inserted } of changes) {
    if (line >= start + removed) {
      line += inserted - removed;
    } else if (line >= start && (removed > 1 || inserted > 1)) {
      const found = findAmong(document, { ...place, line }, start, inserted);
      if (found === undefined) {
        return undefined;
      }
      line = found;
    }
  }
  return line;
}

/** Returns the number of a lost line if an event restored it. */
export function findAgain(place: WantedLine, changes: readonly LineChange[] | undefined, document: Lines): number | undefined {
  if (changes === undefined) {
    return findLineIn(document, place);
  }
  for (const { start, inserted } of changes) {
    const found = findAmong(document, { ...place, customId: undefined }, start, inserted);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function findAmong(document: Lines, place: WantedLine, start: number, count: number): number | undefined {
  const lineCount = Math.max(0, Math.min(count, document.lineCount - start));
  const part: Lines = { lineCount, lineAt: line => document.lineAt(start + line) };
  const found = findLineIn(part, { ...place, line: place.line - start });
  return found === undefined ? undefined : start + found;
}
