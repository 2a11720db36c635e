import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { derivedId } from '../../../jsonl/files/derivedIds';
import type { UntouchedLines } from '../documents/lineChanges';

/** Version of a document with a known hash, and the lines unchanged since then. */
export interface Baseline {
  readonly sha256: string;
  readonly lines: UntouchedLines;
}

/**
 * Returns the id under which the request of a line was sent, or `undefined` if that is uncertain: no answer is better than a wrong one. A
 * line with an id was sent under that id, unless an earlier line has the same id. A line without an id was sent under an id derived from
 * its line number in the version with this `sha256`. That number is known only if the line is unchanged since the baseline.
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
