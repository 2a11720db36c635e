import { statSync } from 'node:fs';
import { Arrival } from '../files/arrival';
import { SourceChangedError } from '../files/fileState';
import type { PassContext } from '../files/lineFile';
import { type LineMap, readLineMap } from '../files/lineMap';
import { forEachRequest } from '../files/requestLines';
import { type FileWriting, WholeFile } from '../files/wholeFile';
import { countRows } from './countRows';
import type { JoinedFile, JoinSource } from './joinedResults';
import { none, type RawResults, scanResults, Tally } from './resultsFile';
import { writeIndex } from './resultsIndexFile';
import type { ResultsReport } from './resultsReport';
import { type RequestPlaces, writeJoined } from './writeJoined';

/** The file has lines, and not one of them is a result. */
export class NotResultsError extends Error {
  override readonly name = 'NotResultsError';
}

/** The file has results, but none of them answers a request of the input. */
export class OtherRequestsError extends Error {
  override readonly name = 'OtherRequestsError';
}

/**
 * Verifies a raw results file and writes it again in the order of the input, one JSON object per line:
 * `{"custom_id":"...","line":N,"request":{...},"result":{...}}`. `line` is the request's line in the source at the time of
 * submission, counted from 1 as the editor shows it; `request` is there when `requestsPath` is; the bytes of `request` and `result` are
 * those of their files. A request without an answer gets no line; answers that the input did not ask for stand at the end
 * with `"line":null`, as all do when there is no line map. Memory grows with the number of results, by some 150 bytes each, and
 * with the longest line, not with the size of the file. The joined file and its index appear whole or not at all: on any failure
 * what stood there before is untouched. Blocks, so it is for threads; only for a raw file that is still arriving it waits.
 *
 * Throws `NotResultsError`, `OtherRequestsError`, `LineMapError`, `SourceChangedError` (the file at `requestsPath` is not the one that was
 * submitted), `ArrivalError` (the raw file did not come whole) and `FileWriteError`.
 */
export async function joinResults(source: JoinSource, context: PassContext, writing?: FileWriting): Promise<JoinedFile> {
  const arrival = source.arrival === undefined ? undefined : new Arrival(source.arrival);
  // What is still on its way tells its own progress; reading along is no work to wait for.
  let rawSize = arrival === undefined ? statSync(source.rawPath).size : 0;
  const requestsSize = source.requestsPath === undefined ? 0 : sizeOfSource(source.requestsPath);
  // Everything is read twice: once to find, once to copy.
  let totalBytes = 2 * (rawSize + requestsSize) + 1;
  const map = source.linesPath === undefined ? undefined : readLineMap(source.linesPath, source.requestCount);
  const raw = await scanResults(source.rawPath, map?.ids, context, arrival, doneBytes => {
    context.throwIfAborted();
    if (arrival === undefined) {
      context.progress({ doneBytes: Math.min(doneBytes, totalBytes - 1), totalBytes });
    }
  });
  if (arrival !== undefined) {
    rawSize = raw.bytes;
    totalBytes = 2 * (rawSize + requestsSize) + 1;
  }
  if (raw.rows.count === 0 && raw.damaged.count > 0) {
    throw new NotResultsError(`${source.rawPath} is no results file: none of its ${raw.damaged.count} lines is a result.`);
  }
  if (map !== undefined && raw.expectedIds > 0 && raw.rows.count > 0 && raw.rows.count === raw.unexpected.count) {
    throw new OtherRequestsError(`None of the ${raw.rows.count} results in ${source.rawPath} answers a request that was sent.`);
  }
  const requests =
    source.requestsPath === undefined || map === undefined
      ? undefined
      : locateRequests(source.requestsPath, map, source.sourceSha256, doneBytes => {
          context.throwIfAborted();
          context.progress({ doneBytes: Math.min(rawSize + doneBytes, totalBytes - 1), totalBytes });
        });
  const report = verify(raw, map, source);
  const joined = await WholeFile.create(source.joinedPath, writing);
  let index: WholeFile | undefined;
  try {
    const contents = writeJoined(source.rawPath, raw, map, requests, joined, doneBytes => {
      context.throwIfAborted();
      context.progress({ doneBytes: Math.min(rawSize + requestsSize + doneBytes, totalBytes - 1), totalBytes });
    });
    index = await writeIndex(source.indexPath, contents, writing);
    await Promise.all([joined.finish(context.signal), index.finish(context.signal)]);
    context.throwIfAborted();
    await joined.publish();
    await index.publish();
    context.progress({ doneBytes: totalBytes, totalBytes });
    return { report, joinedPath: source.joinedPath };
  } finally {
    await joined.discard();
    await index?.discard();
  }
}

function sizeOfSource(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw new SourceChangedError(`${path}, which was submitted, cannot be read any more.`, { cause: error });
  }
}

/** Where the `params` of each request stand in the source, by the number of its id. */
function locateRequests(path: string, map: LineMap, sha256: string | undefined, onRead: (doneBytes: number) => void): RequestPlaces {
  const offsets = new Float64Array(map.lines.length);
  const lengths = new Uint32Array(map.lines.length);
  const { unchanged } = forEachRequest(
    path,
    map,
    sha256,
    request => {
      offsets[request.id] = request.base + request.paramsStart;
      lengths[request.id] = request.paramsEnd - request.paramsStart;
    },
    onRead,
  );
  if (unchanged === false) {
    throw new SourceChangedError(`${path} has changed since it was submitted, so its requests are not those that were answered.`);
  }
  return { path, offsets, lengths };
}

function verify(
  raw: RawResults,
  map: LineMap | undefined,
  { expectedCounts: expected, requestCount }: Pick<JoinSource, 'expectedCounts' | 'requestCount'>,
): ResultsReport {
  const { rows, reasons } = raw;
  const counted = countRows(
    rows,
    Array.from({ length: reasons.size }, (_, reason) => reasons.text(reason)),
  );
  const missing = new Tally();
  for (let id = 0; map !== undefined && id < raw.expectedIds; id++) {
    if (raw.rowOfId[id] === none) {
      missing.add(() => raw.ids.text(id));
    }
  }
  const { unexpected, duplicate, damaged } = raw;
  const countsMatch =
    expected === undefined ||
    (['succeeded', 'errored', 'canceled', 'expired'] as const).every(type => expected[type] === counted.counts[type]);
  // If the ids that were sent are lost, only their number can be compared.
  const isWhole = map !== undefined || requestCount === undefined || rows.count === requestCount;
  return {
    rawBytes: raw.bytes,
    ...counted,
    missing: missing.named(),
    unexpected: unexpected.named(),
    duplicate: duplicate.named(),
    damaged,
    countsMatch,
    complete: countsMatch && isWhole && missing.count + unexpected.count + duplicate.count + damaged.count === 0,
  };
}
