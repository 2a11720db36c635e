import type { FoundLine } from '../../../jsonl/pretty/lineJobs';
import { customIdOf, findLineIn, type WantedLine } from '../../../jsonl/pretty/lineSearch';
import type { LineChange } from '../documents/lineChanges';

interface Lines {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

/** Effect of a change of the source on a followed line. */
export type FollowedChange = 'same' | 'moved' | 'changed' | 'lost' | 'found';

/** Line of a source, tracked through change events and lookups. */
export class FollowedLine {
  private customId: string | undefined;
  private lost = false;
  /** Number of updates of the line's position. */
  private updates = 0;

  constructor(private current: FoundLine) {
    this.customId = customIdOf(current.text);
  }

  /** The line, or its last known state if `isLost`. */
  get line(): FoundLine {
    return this.current;
  }

  get isLost(): boolean {
    return this.lost;
  }

  /** Criteria to find the line again in a source that was not watched. */
  get wanted(): WantedLine {
    return { ...this.current, customId: this.customId };
  }

  follow(changes: readonly LineChange[] | undefined, document: Lines): FollowedChange {
    const find = this.lost ? findAgain : followLine;
    const line = find(this.wanted, changes, document);
    return this.moveTo(line === undefined ? undefined : { line, text: document.lineAt(line).text });
  }

  /** Finds the line with `find`. Ignores the result and returns `undefined` if a change event was applied meanwhile. */
  async locate(find: (wanted: WantedLine) => Promise<FoundLine | undefined>): Promise<FollowedChange | undefined> {
    const { updates } = this;
    const found = await find(this.wanted);
    return this.updates === updates ? this.moveTo(found) : undefined;
  }

  /** Updates the line. Pass `undefined` if it no longer exists. */
  moveTo(found: FoundLine | undefined): FollowedChange {
    this.updates++;
    if (found === undefined) {
      const change = this.lost ? 'same' : 'lost';
      this.lost = true;
      return change;
    }
    const before = this.current;
    const wasLost = this.lost;
    this.lost = false;
    this.current = found;
    if (found.text !== before.text) {
      // The id may be unreadable while the line is edited. The last known id is then kept.
      this.customId = customIdOf(found.text) ?? this.customId;
    }
    return wasLost ? 'found' : found.text !== before.text ? 'changed' : found.line !== before.line ? 'moved' : 'same';
  }
}

/**
 * Returns the number of a line after the changes of one event. An edited line keeps its identity. If lines were inserted or removed at its
 * position, returns the number of the new line with its text or its id. Returns `undefined` if the line no longer exists.
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

/** Returns the number of a lost line, if an event restored the line. */
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
