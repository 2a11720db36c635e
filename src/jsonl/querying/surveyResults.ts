import type { PassContext } from '../lineFile';
import { type IndexContents, readIndexOf } from '../resultsIndexFile';
import { resultStates } from '../resultsReport';
import { AnswerTexts } from './answerText';
import { ErrorClusters } from './errorClusters';
import { toHistogram } from './histogram';
import type { ResultsSurvey, SurveySource } from './queryingJobs';
import { findRows, understood } from './queryResults';
import { RowReader } from './rowReader';

const succeededState = resultStates.indexOf('succeeded');
const erroredState = resultStates.indexOf('errored');

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

/**
 * The words of rows of a joined file, in the given order: the answer, or what the error says; empty for rows that have neither, which are
 * not read. `rows` that ascend are read in large pieces.
 */
export function forEachText(
  joinedPath: string,
  contents: IndexContents,
  rows: Uint32Array,
  context: PassContext,
  visit: (row: number, text: string) => void,
): void {
  const { states, lengths } = contents.rows;
  const hasWords = (row: number) => states[row] === succeededState || states[row] === erroredState;
  const totalBytes = rows.reduce((sum, row) => sum + (hasWords(row) ? (lengths[row] as number) : 0), 0);
  const texts = new AnswerTexts(joinedPath, contents);
  const reader = new RowReader(joinedPath, contents.rows);
  let doneBytes = 0;
  let next = 0;
  const passOthers = (end: number) => {
    for (; next < rows.length && rows[next] !== end; next++) {
      visit(rows[next] as number, '');
    }
  };
  try {
    reader.forEach(rows.filter(hasWords), (row, line) => {
      passOthers(row);
      next++;
      visit(row, texts.of(row, line));
      doneBytes += line.end - line.start;
      context.throwIfAborted();
      context.progress({ doneBytes, totalBytes });
    });
    passOthers(-1);
  } finally {
    reader.close();
  }
}

function tally(rows: Uint32Array, column: Uint8Array | Uint32Array, values: number): Uint32Array {
  const counts = new Uint32Array(values);
  for (const row of rows) {
    const value = column[row] as number;
    counts[value] = (counts[value] as number) + 1;
  }
  return counts;
}
