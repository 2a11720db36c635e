import { toMarkWord } from '../../shared/results/markWords';
import type { IndexContents } from '../results/resultsIndexFile';
import { attentionOf, type ResultState, resultStates } from '../results/resultsReport';

/** Tests the words that the table shows in its columns of states and reasons; each word is tested once, whatever the number of its rows. */
export function rowWords({ subject, rows, reasons }: IndexContents, fits: (text: string) => boolean): (row: number) => boolean {
  if (subject === 'requests') {
    const isFine = fits(toMarkWord('fine', text => text));
    return row => isFine && rows.stopReasons[row] === 0;
  }
  const byReason = [false, ...reasons.map(fits)];
  const byState = resultStates.map(state => [undefined, ...reasons].map(reason => stateWords(state, reason).some(fits)));
  return row => {
    const stopReason = rows.stopReasons[row] as number;
    const isShown = byReason[stopReason] === true || byReason[rows.errorTypes[row] as number] === true;
    return isShown || byState[rows.states[row] as number]?.[stopReason] === true;
  };
}

/** A state as the table says it, and as a query does: `cut short` and `cut_short`. */
function stateWords(state: ResultState, stopReason: string | undefined): readonly string[] {
  const mark = state === 'succeeded' ? (attentionOf(stopReason) ?? state) : state;
  return [toMarkWord(mark, text => text), mark];
}
