/** Lines `start` to `start + removed` (exclusive) were replaced by `inserted` lines; both counts are at least 1. Lines count from 0. */
export interface LineChange {
  readonly start: number;
  readonly removed: number;
  readonly inserted: number;
}

/** One change of a document as VS Code's change event gives it. */
export interface TextChange {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly text: string;
}

/**
 * The changes of one event as changes of whole lines, in the order and in the line numbers in which they can be applied one
 * after the other while the lines are read from the document as it stands after all of them. Undefined when the changes
 * overlap: then only reading the whole document again is right.
 */
export function toLineChanges(changes: readonly TextChange[]): readonly LineChange[] | undefined {
  const ascending = [...changes].sort((a, b) => comparePositions(a.range.start, b.range.start));
  const result: LineChange[] = [];
  let shift = 0;
  for (const [index, { range, text }] of ascending.entries()) {
    const next = ascending[index + 1];
    if (next !== undefined && comparePositions(range.end, next.range.start) > 0) {
      return undefined;
    }
    const removed = range.end.line - range.start.line + 1;
    const inserted = countLineBreaks(text) + 1;
    result.push({ start: range.start.line + shift, removed, inserted });
    shift += inserted - removed;
  }
  return result;
}

function comparePositions(a: TextChange['range']['start'], b: TextChange['range']['start']): number {
  return a.line - b.line || a.character - b.character;
}

/** Line breaks as the editor counts them: LF, CR LF, and CR alone. */
function countLineBreaks(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) {
      count++;
    }
  }
  return count;
}

/** Where lines of an earlier version of a document stand now; remembers the newest changes only. */
export class LineHistory {
  private readonly entries: { readonly version: number; readonly changes: readonly LineChange[] | undefined }[] = [];
  private forgottenVersion = 0;

  constructor(private readonly capacity = 500) {}

  /** Notes the changes that led to `version`; undefined when every line may have moved. */
  record(version: number, changes: readonly LineChange[] | undefined): void {
    this.entries.push({ version, changes });
    const dropped = this.entries.length > this.capacity ? this.entries.shift() : undefined;
    if (dropped !== undefined) {
      this.forgottenVersion = dropped.version;
    }
  }

  /**
   * The line that `line` of `version` has become; one that was edited in place is still itself. Undefined when lines were
   * inserted or removed at it, or when `version` is too long ago.
   */
  map(line: number, version: number): number | undefined {
    if (version < this.forgottenVersion) {
      return undefined;
    }
    let current = line;
    for (const entry of this.entries) {
      if (entry.version <= version) {
        continue;
      }
      if (entry.changes === undefined) {
        return undefined;
      }
      for (const { start, removed, inserted } of entry.changes) {
        if (current >= start + removed) {
          current += inserted - removed;
        } else if (current >= start && removed !== inserted) {
          return undefined;
        }
      }
    }
    return current;
  }
}

/**
 * For every line of a document the line it was in a version that is known, as long as it was not touched since. Serves to
 * tell which lines still are what was submitted.
 */
export class UntouchedLines {
  private original: number[];

  constructor(lineCount: number) {
    this.original = Array.from({ length: lineCount }, (_, line) => line);
  }

  /** Applies the changes of one event; undefined forgets every line. */
  change(changes: readonly LineChange[] | undefined): void {
    if (changes === undefined) {
      this.original = [];
      return;
    }
    for (const { start, removed, inserted } of changes) {
      if (removed === inserted) {
        this.original.fill(touched, start, start + inserted);
      } else {
        const fresh = new Array<number>(inserted).fill(touched);
        if (inserted < mostSpread) {
          this.original.splice(start, removed, ...fresh);
        } else {
          // Spread arguments are bounded, a paste is not.
          this.original = this.original.slice(0, start).concat(fresh, this.original.slice(start + removed));
        }
      }
    }
  }

  /** The line that `line` was, or undefined when it was touched. */
  originalOf(line: number): number | undefined {
    const original = this.original[line];
    return original === undefined || original === touched ? undefined : original;
  }
}

const touched = -1;
const mostSpread = 1000;
