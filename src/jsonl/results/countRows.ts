import type { ResultStatus } from '../../shared/results/resultStatus';
import { storedStatuses, toStored } from './resultStatus';
import type { ResultColumns } from './resultsFile';
import type { ResultsReport } from './resultsReport';
import { addUsage, UsageSums } from './resultUsage';

/** Counts the statuses and tokens for a report. The rows refer to `reasons` by number. */
export function countRows(
  rows: ResultColumns,
  reasons: readonly string[],
): Omit<ResultsReport, 'rawBytes' | 'missing' | 'unexpected' | 'duplicate' | 'damaged' | 'countsMatch' | 'complete'> {
  const found = new Uint32Array(storedStatuses.length);
  const sums = new UsageSums(rows, reasons);
  for (let row = 0; row < rows.count; row++) {
    const status = rows.statuses[row] as number;
    found[status] = (found[status] as number) + 1;
    sums.add(row);
  }
  const count = (status: ResultStatus) => found[toStored(status)] as number;
  const [cutShort, refused, empty] = [count('cut_short'), count('refused'), count('empty')];
  const counts = {
    ...{ succeeded: count('succeeded') + cutShort + refused + empty, errored: count('failed') },
    ...{ canceled: count('canceled'), expired: count('expired'), other: count('other') },
  };
  const usage = sums.byModel();
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = addUsage(usage);
  return { counts, cutShort, refused, empty, usage, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}
