import type { PassContext } from '../files/lineFile';
import { readIndexOf } from '../results/resultsIndexFile';
import { resultStates } from '../results/resultsReport';
import { forEachText } from './answerText';
import { ErrorClusters } from './errorClusters';
import { toHistogram } from './histogram';
import type { ResultsSurvey, SurveySource } from './queryingJobs';
import { findRows, understood } from './queryResults';

const succeededState = resultStates.indexOf('succeeded');

/**
 * Counts what stands in joined results, or in those of them that a query fits: states, stop reasons, tokens, lengths of answers, causes of
 * failures. Reads every answer once, in the order of the file. Blocks, so it is for threads. Throws what `queryResults` throws.
 */
export async function surveyResults({ query = '', ...source }: SurveySource, context: PassContext): Promise<ResultsSurvey> {
  const contents = readIndexOf(source);
  const { rows: columns, reasons } = contents;
  const { rows } = findRows(source.joinedPath, contents, understood(query), context);
  const succeeded = rows.filter(row => columns.states[row] === succeededState);
  const lengths = new Uint32Array(succeeded.length);
  const clusters = new ErrorClusters();
  let measured = 0;
  const count = (row: number, message: string) =>
    clusters.add(row, {
      state: resultStates[columns.states[row] as number] ?? 'other',
      stopReason: reasons[(columns.stopReasons[row] as number) - 1],
      errorType: reasons[(columns.errorTypes[row] as number) - 1],
      message,
    });
  forEachText(source.joinedPath, contents, rows, context, (row, text) => {
    if (columns.states[row] === succeededState) {
      lengths[measured++] = text.length;
    }
    count(row, text);
  });
  const statesFound = tally(rows, columns.states, resultStates.length);
  const reasonsFound = tally(rows, columns.stopReasons, reasons.length + 1);
  return {
    rows: rows.length,
    states: resultStates.map((state, place) => [state, statesFound[place] as number] as const).filter(([, found]) => found > 0),
    stopReasons: reasons
      .map((reason, place) => [reason, reasonsFound[place + 1] as number] as const)
      .filter(([, found]) => found > 0)
      .sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1)),
    outputTokens: toHistogram(succeeded.map(row => columns.outputTokens[row] as number)),
    inputTokens: toHistogram(succeeded.map(row => columns.inputTokens[row] as number)),
    lengths: toHistogram(lengths),
    clusters: clusters.list(),
  };
}

function tally(rows: Uint32Array, column: Uint8Array | Uint32Array, values: number): Uint32Array {
  const counts = new Uint32Array(values);
  for (const row of rows) {
    const value = column[row] as number;
    counts[value] = (counts[value] as number) + 1;
  }
  return counts;
}
