import type { ResultEntry } from '../../jsonl/resultsReport';
import type { UntouchedLines } from './lineChanges';

/** Entries of a results file, found by id or by the line they had at submission. */
export interface ResultsLookup {
  entryOfId(id: string): ResultEntry | undefined;
  entryOfLine(line: number): ResultEntry | undefined;
}

/** Ids of the lines of a document as it stands now. */
export interface LineIds {
  /** The `custom_id` that stands in the line. */
  idOfLine(line: number): string | undefined;
  /** The first line with that `custom_id`. */
  lineOfId(id: string): number | undefined;
}

/**
 * The result that belongs to a line of a document as it stands now, or undefined: an answer is rather not shown than shown
 * at a wrong line. A line with an id is answered by that id, as long as no earlier line has the same one. A line without
 * (bare message params) is answered by its place at submission, and only as long as `untouched` vouches that it is the
 * line that was sent.
 */
export function findAnswer(
  line: number,
  ids: LineIds,
  results: ResultsLookup,
  untouched: UntouchedLines | undefined,
): ResultEntry | undefined {
  const id = ids.idOfLine(line);
  if (id !== undefined) {
    return ids.lineOfId(id) === line ? results.entryOfId(id) : undefined;
  }
  const original = untouched?.originalOf(line);
  return original === undefined ? undefined : results.entryOfLine(original);
}
