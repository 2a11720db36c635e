import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { derivedId } from '../../../jsonl/files/derivedIds';
import type { UntouchedLines } from '../documents/lineChanges';

/** Ids of the lines of the current document. */
export interface LineIds {
  idOfLine(line: number): string | undefined;
  lineOfId(id: string): number | undefined;
  /** Returns whether the line has bare message params, without an id. */
  isBare(line: number): boolean;
}

/** Version of a document with a known hash, and the lines that are unchanged since. */
export interface Baseline {
  readonly sha256: string;
  readonly lines: UntouchedLines;
}

/**
 * Returns the id under which the request of a line was sent, or `undefined` if it is uncertain: no answer is better than a wrong one. A
 * line with an id was sent under that id, unless an earlier line has the same id. A line without an id was sent under an id derived from
 * its line number in the version with this `sha256`. That number is known only if the baseline has the line unchanged.
 */
export function sentIdOf(line: number, ids: LineIds, baseline: Baseline | undefined, sha256: string | undefined): string | undefined {
  const id = ids.idOfLine(line);
  if (id !== undefined) {
    return ids.lineOfId(id) === line ? id : undefined;
  }
  const original = ids.isBare(line) ? originalOf(line, baseline, sha256) : undefined;
  return original === undefined ? undefined : derivedId(original);
}

/** Returns the line number in the version with this `sha256`, or `undefined` if the line was changed since or the version is unknown. */
export function originalOf(line: number, baseline: Baseline | undefined, sha256: string | undefined): number | undefined {
  return baseline !== undefined && baseline.sha256 === sha256 ? baseline.lines.originalOf(line) : undefined;
}

/**
 * Returns whether a request differs from the sent one. It doesn't if the line is unchanged since a known version. For other lines, compares
 * hashes. Without hashes, an edited line counts as changed.
 */
export function isChangedSince(
  line: number,
  baseline: Baseline | undefined,
  sentSha256: string,
  hashes: { readonly sent: string | undefined; readonly now: () => string | undefined },
): boolean {
  if (originalOf(line, baseline, sentSha256) !== undefined) {
    return false;
  }
  if (hashes.sent === undefined) {
    return baseline?.sha256 === sentSha256;
  }
  return hashes.now() !== hashes.sent;
}

/**
 * Returns the index in `lines`, which are ascending and not empty, of the next (1) or previous (-1) line, and whether the search wrapped
 * around.
 */
export function nextOf(
  lines: readonly { readonly line: number }[],
  from: number,
  step: 1 | -1,
): { readonly at: number; readonly isWrapped: boolean } {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const line = lines[middle]?.line ?? 0;
    if (line < from || (step === 1 && line === from)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (step === 1) {
    return low < lines.length ? { at: low, isWrapped: false } : { at: 0, isWrapped: true };
  }
  return low > 0 ? { at: low - 1, isWrapped: false } : { at: lines.length - 1, isWrapped: true };
}

/** Returns the ids of the lines of a checked document. */
export function toLineIds(checker: DocumentChecker): LineIds {
  return {
    idOfLine: line => checker.lineInfo(line)?.customId,
    lineOfId: id => checker.lineOfId(id),
    isBare: line => checker.lineInfo(line)?.kind === 'params',
  };
}
