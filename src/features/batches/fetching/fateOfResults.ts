import { stampOfFile } from '../../../jsonl/files/publishing';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import type { FetchedResults } from '../../ledger';

/** What became of a results file: it is what was written, is gone, or gave way to something that must not be lost. */
export type ResultsFate = 'same' | 'gone' | 'changed';

/**
 * Compares a results file with what was written: by its stamp, or by the index that was written with it. What cannot be compared counts
 * as changed.
 */
export async function fateOfResults({ joinedPath, stamp }: FetchedResults, indexPath: string): Promise<ResultsFate> {
  const found = await stampOfFile(joinedPath).catch(() => '');
  if (found === undefined) {
    return 'gone';
  }
  if (found === stamp) {
    return 'same';
  }
  return await ResultsIndex.open(indexPath, joinedPath).then(
    // A copy has another stamp; of a large one the index knows samples only.
    ({ isSampledWhole }) => (isSampledWhole || stamp === undefined ? 'same' : 'changed'),
    () => 'changed',
  );
}

/** The results with what tells later whether their file was changed. */
export async function withStamp<Results extends FetchedResults>(results: Results): Promise<Results> {
  const stamp = await stampOfFile(results.joinedPath).catch(() => undefined);
  return { ...results, ...(stamp !== undefined && { stamp }) };
}
