import { statSync } from 'node:fs';
import { idOf, toOnRead, walkRequests } from '../arranging/requestWalk';
import { writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import { forEachText } from '../querying/answerText';
import { readIndexOf } from '../results/resultsIndexFile';
import { attentionOf, resultStates } from '../results/resultsReport';
import type { ExpectationsSource } from './expectingJobs';

/** A longer answer is not expected to come again word by word. */
const shortAnswer = 40;
const succeeded = resultStates.indexOf('succeeded');

/**
 * Writes a first file of expectations, which appears whole or not at all. From results: for all answers no more than twice the tokens
 * that the longest took, and for each request that was answered well its answer when that is short, such as a label, else texts to
 * fill in. Without results: a line to fill in for each request. Answers how many requests have a line. Blocks, so it is for threads.
 */
export async function writeExpectations({ results, requestsPath, outPath }: ExpectationsSource, context: PassContext): Promise<number> {
  return await writeWholeFiles(context, async files => {
    const writer = await files.create(outPath);
    let written = 0;
    const write = (line: unknown) => writer.addText(`${JSON.stringify(line)}\n`);
    if (results === undefined) {
      walkRequests(
        requestsPath,
        line => {
          const id = line.kind === 'request' ? idOf(line) : undefined;
          if (id !== undefined) {
            write({ custom_id: id, contains: [] });
            written++;
          }
        },
        toOnRead(context, statSync(requestsPath).size + 1),
      );
      return written;
    }
    const contents = readIndexOf(results);
    const { states, stopReasons, outputTokens, ids } = contents.rows;
    const isGood = (row: number) =>
      states[row] === succeeded && attentionOf(contents.reasons[(stopReasons[row] as number) - 1]) === undefined;
    const rows = Uint32Array.from({ length: contents.rows.count }, (_, row) => row).filter(isGood);
    const most = rows.reduce((longest, row) => Math.max(longest, outputTokens[row] as number), 0);
    if (most > 0) {
      write({ max_output_tokens: most * 2 });
    }
    forEachText(results.joinedPath, contents, rows, context, (row, text) => {
      const expected = text !== '' && text.length <= shortAnswer ? { equals: text } : { contains: [] };
      write({ custom_id: contents.ids.text(ids[row] as number), ...expected });
      written++;
    });
    return written;
  });
}
