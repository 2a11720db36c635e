import { findLineIn, type WantedLine } from '../../../jsonl/pretty/lineSearch';
import type { LineChange } from '../documents/lineChanges';

/** Lines of a document. */
export interface Lines {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

/**
 * Returns the line number of a line after the changes of one event. An edited line keeps its identity. If lines were inserted or removed at
 * its position, searches the new lines for its text or its id. Returns `undefined` if the line no longer exists.
 */
export function followLine(wanted: WantedLine, changes: readonly LineChange[] | undefined, document: Lines): number | undefined {
  if (changes === undefined) {
    return findLineIn(document, wanted);
  }
  let line = wanted.line;
  for (const { start, removed, inserted } of changes) {
    if (line >= start + removed) {
      line += inserted - removed;
    } else if (line >= start && (removed > 1 || inserted > 1)) {
      const found = findAmong(document, { ...wanted, line }, start, inserted);
      if (found === undefined) {
        return undefined;
      }
      line = found;
    }
  }
  return line;
}

/** Returns the line number of a lost line if the changes have restored it. */
export function findAgain(wanted: WantedLine, changes: readonly LineChange[] | undefined, document: Lines): number | undefined {
  if (changes === undefined) {
    return findLineIn(document, wanted);
  }
  for (const { start, inserted } of changes) {
    const found = findAmong(document, { ...wanted, customId: undefined }, start, inserted);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function findAmong(document: Lines, wanted: WantedLine, start: number, count: number): number | undefined {
  const lineCount = Math.max(0, Math.min(count, document.lineCount - start));
  const part: Lines = { lineCount, lineAt: line => document.lineAt(start + line) };
  const found = findLineIn(part, { ...wanted, line: wanted.line - start });
  return found === undefined ? undefined : start + found;
}
