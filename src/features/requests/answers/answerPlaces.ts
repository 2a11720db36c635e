import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { madeId } from '../../../jsonl/files/madeIds';
import type { UntouchedLines } from '../documents/lineChanges';

/** Ids of the lines of a document as it stands now. */
export interface LineIds {
  /** The `custom_id` that stands in the line. */
  idOfLine(line: number): string | undefined;
  /** The first line with that `custom_id`. */
  lineOfId(id: string): number | undefined;
  /** Whether the line is a request without an id: bare message params. */
  isBare(line: number): boolean;
}

/** A version of a document that is known to the byte, and which lines still are what they were in it. */
export interface Baseline {
  readonly sha256: string;
  readonly lines: UntouchedLines;
}

/**
 * The id under which the request in a line of a document as it stands now was sent, or undefined: an answer is rather not shown
 * than shown at a wrong line. A line with an id was sent under that id, as long as no earlier line has the same one. A line without
 * was sent under an id made from its place, in the version of the file with this `sha256`, and only as long as the baseline vouches
 * that it is the line that was sent.
 */
export function sentIdOf(line: number, ids: LineIds, baseline: Baseline | undefined, sha256: string | undefined): string | undefined {
  const id = ids.idOfLine(line);
  if (id !== undefined) {
    return ids.lineOfId(id) === line ? id : undefined;
  }
  const original = ids.isBare(line) ? originalOf(line, baseline, sha256) : undefined;
  return original === undefined ? undefined : madeId(original);
}

/** The line that a line was in the version with this `sha256`; undefined when it was touched since, or nobody knows. */
export function originalOf(line: number, baseline: Baseline | undefined, sha256: string | undefined): number | undefined {
  return baseline !== undefined && baseline.sha256 === sha256 ? baseline.lines.originalOf(line) : undefined;
}

/**
 * Whether a request is another one than was sent. Untouched since a version that is known to the byte it is not; otherwise what
 * the requests said decides, by hashes; and when those are not known either, a touched line counts as changed.
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
 * The place in ascending `lines`, of which there is at least one, that comes after (1) or before (-1) a line, and whether one had to begin
 * again at the other end.
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

/** The ids of the lines of a document that is checked. */
export function toLineIds(checker: DocumentChecker): LineIds {
  return {
    idOfLine: line => checker.lineInfo(line)?.customId,
    lineOfId: id => checker.lineOfId(id),
    isBare: line => checker.lineInfo(line)?.kind === 'params',
  };
}
