import { statSync } from 'node:fs';
import { toOnRead, walkRequests } from '../arranging/requestWalk';
import { writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import { JsonLine } from '../fixes/jsonLine';
import { forEachText } from '../querying/answerText';
import { toStored } from '../results/resultStatus';
import { readIndexOf } from '../results/resultsIndexFile';
import type { ExpectationsSource } from './expectingJobs';

/** A longer answer is not expected to come again word by word. */
const shortAnswer = 40;
const succeeded = toStored('succeeded');

/**
 * Writes a first file of expectations, which appears whole or not at all; every line expects something. From results: for all answers no
 * more than twice the tokens that the longest took, and for each request that was answered well its answer when that is short, such as
 * a label. Without results: for all answers the most tokens that a request asks for. Answers how many requests have a line of their own.
 * Blocks, so it is for threads.
 */
export async function writeExpectations({ results, requestsPath, outPath }: ExpectationsSource, context: PassContext): Promise<number> {
  return await writeWholeFiles(context, async files => {
    const writer = await files.create(outPath);
    const write = (line: unknown) => writer.addText(`${JSON.stringify(line)}\n`);
    const writeMost = (tokens: number) => {
      if (tokens > 0) {
        write({ max_output_tokens: tokens });
      }
    };
    if (results === undefined) {
      writeMost(mostAsked(requestsPath, context));
      return 0;
    }
    let written = 0;
    const contents = readIndexOf(results);
    const { statuses, outputTokens, ids } = contents.rows;
    const rows = Uint32Array.from({ length: contents.rows.count }, (_, row) => row).filter(row => statuses[row] === succeeded);
    const most = rows.reduce((longest, row) => Math.max(longest, outputTokens[row] as number), 0);
    writeMost(most * 2);
    forEachText(results.joinedPath, contents, rows, context, (row, text) => {
      if (text !== '' && text.length <= shortAnswer) {
        write({ custom_id: contents.ids.text(ids[row] as number), equals: text });
        written++;
      }
    });
    return written;
  });
}

/** The largest `max_tokens` of the requests of a file; 0 without any. */
function mostAsked(requestsPath: string, context: PassContext): number {
  let most = 0;
  walkRequests(
    requestsPath,
    ({ bytes, paramsStart, paramsEnd }) => {
      const params = paramsStart < 0 ? undefined : new JsonLine(bytes.toString('utf8', paramsStart, paramsEnd));
      const place = params?.isComplete === true ? params.placeOf(['max_tokens']) : undefined;
      const tokens = place && params?.valueOf(place.part);
      most = typeof tokens === 'number' && Number.isSafeInteger(tokens) ? Math.max(most, tokens) : most;
    },
    toOnRead(context, statSync(requestsPath).size + 1),
  );
  return most;
}
