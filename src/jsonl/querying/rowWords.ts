import { toMarkWord } from '../../shared/results/markWords';
import { toStatusWord } from '../../shared/results/resultStatus';
import { storedStatuses } from '../results/resultStatus';
import type { IndexContents } from '../results/resultsIndexFile';

/** Returns a predicate over the status and reason of a row. Each distinct word is tested once. */
export function rowWords({ subject, rows, reasons }: IndexContents, fits: (text: string) => boolean): (row: number) => boolean {
  if (subject === 'requests') {
    const isFine = fits(toMarkWord('fine', text => text));
    return row => isFine && rows.stopReasons[row] === 0;
  }
  const byReason = [false, ...reasons.map(fits)];
  // Tests both forms, as the table shows them and as a query writes them: `cut short` and `cut_short`.
  const byStatus = storedStatuses.map(status => fits(status) || fits(toStatusWord(status, text => text)));
  return row => {
    const isReason = byReason[rows.stopReasons[row] as number] === true || byReason[rows.errorTypes[row] as number] === true;
    return isReason || byStatus[rows.statuses[row] as number] === true;
  };
}
