import type { ResultColumns } from './resultsFile';
import { attentionOf, type ResultState, type ResultsReport, resultStates } from './resultsReport';

const succeeded = resultStates.indexOf('succeeded');

/** What a report says of the answers themselves. `reasons` are the texts that `stopReasons` number. */
export function countRows(
  rows: ResultColumns,
  reasons: readonly string[],
): Pick<ResultsReport, 'counts' | 'cutShort' | 'refused' | 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'> {
  const byState = new Uint32Array(resultStates.length);
  const attention = reasons.map(attentionOf);
  let cutShort = 0;
  let refused = 0;
  let inputTokens = 0;
  let outputTokens = 0;
  let cacheReadTokens = 0;
  let cacheWriteTokens = 0;
  for (let row = 0; row < rows.count; row++) {
    const state = rows.states[row] as number;
    byState[state] = (byState[state] as number) + 1;
    inputTokens += rows.inputTokens[row] as number;
    outputTokens += rows.outputTokens[row] as number;
    cacheReadTokens += rows.cacheReadTokens[row] as number;
    cacheWriteTokens += rows.cacheWriteTokens[row] as number;
    const reason = rows.stopReasons[row] as number;
    const flag = reason > 0 && state === succeeded ? attention[reason - 1] : undefined;
    if (flag === 'cut_short') {
      cutShort++;
    } else if (flag === 'refused') {
      refused++;
    }
  }
  const counts = Object.fromEntries(resultStates.map((state, place) => [state, byState[place]])) as Record<ResultState, number>;
  return { counts, cutShort, refused, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}
