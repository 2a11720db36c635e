import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { derivedId } from '../../../jsonl/files/derivedIds';

/** Lines `start` to `start + removed` (exclusive) were replaced by `inserted` lines. Both counts are at least 1. Lines are 0-based. */
export interface LineChange {
  readonly start: number;
  readonly removed: number;
  readonly inserted: number;
}

/** Single change of VS Code's change event. */
export interface TextChange {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly text: string;
}

/**
 * Returns the changes of one event as changes of whole lines. Each change applies to the result of the previous change. Returns `undefined`
 * if the changes overlap, so that the document must be read again.
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

/** Counts line breaks as the editor does: LF, CR LF, and CR alone. */
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

/** Maps each line that is unchanged since a known version to its line number in that version. */
export class UntouchedLines {
  private original: number[];

  constructor(lineCount: number) {
    this.original = Array.from({ length: lineCount }, (_, line) => line);
  }

  /** Applies the changes of one event. `undefined` marks every line as changed. */
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
        this.original = this.original.slice(0, start).concat(fresh, this.original.slice(start + removed));
      }
    }
  }

  /** Returns the original line number, or `undefined` if the line was changed. */
  originalOf(line: number): number | undefined {
    const original = this.original[line];
    return original === undefined || original === touched ? undefined : original;
  }
}

const touched = -1;

/** Version of a document with a known hash, and the lines unchanged since then. */
export interface Baseline {
  readonly sha256: string;
  readonly lines: UntouchedLines;
}

/**
 * Returns the id under which the request of a line was sent, or `undefined` if this is uncertain, because no answer is better than a wrong
 * answer. A line with an id was sent under that id, unless an earlier line has the same id. A line without an id was sent under an id
 * derived from its line number in the version with this `sha256`. That number is known only if the line is unchanged since the baseline.
 */
export function sentIdOf(
  line: number,
  checker: Pick<DocumentChecker, 'lineInfo' | 'lineOfId'>,
  baseline: Baseline | undefined,
  sha256: string | undefined,
): string | undefined {
  const { customId, kind } = checker.lineInfo(line) ?? {};
  if (customId !== undefined) {
    return checker.lineOfId(customId) === line ? customId : undefined;
  }
  const original = kind === 'params' ? originalOf(line, baseline, sha256) : undefined;
  return original === undefined ? undefined : derivedId(original);
}

/**
 * Returns the line number in the version with this `sha256`, or `undefined` if the line has changed since then or the version is unknown.
 */
export function originalOf(line: number, baseline: Baseline | undefined, sha256: string | undefined): number | undefined {
  return baseline !== undefined && baseline.sha256 === sha256 ? baseline.lines.originalOf(line) : undefined;
}
