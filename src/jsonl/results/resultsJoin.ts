import { statSync } from 'node:fs';
import { Arrival } from '../files/arrival';
import { writeWholeFiles } from '../files/blockWriter';
import { SourceChangedError } from '../files/fileState';
import { type PassContext, partOf, toOnRead } from '../files/lineFile';
import { type LineMap, readLineMap } from '../files/lineMap';
import { forEachRequest } from '../files/requestWalk';
import { Tally } from '../files/tally';
import type { JoinedFile, JoinSource } from './joinedResults';
import { listed, none, type RawResults, scanResults } from './resultsFile';
import { writeIndex } from './resultsIndexFile';
import type { ResultsReport } from './resultsReport';
import { countRows } from './resultUsage';
import { type RequestPositions, writeJoined } from './writeJoined';

/** Thrown if the file has lines but no results. */
export class NotResultsError extends Error {
  override readonly name = 'NotResultsError';
}

/** Thrown if the file has results but no result for a request of the input. */
export class OtherRequestsError extends Error {
  override readonly name = 'OtherRequestsError';
}

/**
 * Verifies a raw results file and writes its results to the joined file in input order, one JSON object per line:
 * `{"custom_id":"...","line":N,"request":{...},"result":{...}}`. The `line` is the 1-based source line of the request at submission. The
 * `request` is only written if `requestsPath` is set. The bytes of `request` and `result` are copied unchanged. A request without an answer
 * gets no line. Unexpected answers come last with `"line":null`. Without a line map, `line` is always `null`. Memory grows with the number
 * of results (about 150 bytes each) and the longest line, not with the file size. The joined file and its index are replaced completely or
 * not at all. After a failure the previous files are unchanged. Blocks the thread, so only for workers. Only waiting for a raw file that is
 * still downloading is asynchronous. Throws `NotResultsError` if no line is a result and `OtherRequestsError` if none answers the input.
 * Throws `SourceChangedError` if the file at `requestsPath` is not the one that was submitted, and `ArrivalError` if the raw file is
 * incomplete. Also throws `LineMapError` and `FileWriteError`.
 */
export async function joinResults(source: JoinSource, context: PassContext): Promise<JoinedFile> {
  const arrival = source.arrival === undefined ? undefined : new Arrival(source.arrival);
  // A download reports its own progress, so its bytes are not counted here.
  let rawSize = arrival === undefined ? statSync(source.rawPath).size : 0;
  const requestsSize = source.requestsPath === undefined ? 0 : sizeOfSource(source.requestsPath);
  // Each file is read twice: once to find the results and requests, once to copy them.
  let bytes = 2 * (rawSize + requestsSize);
  const map = source.linesPath === undefined ? undefined : readLineMap(source.linesPath, source.requestCount);
  const raw = await scanResults(source.rawPath, map?.ids, context, arrival, doneBytes => {
    context.throwIfAborted();
    if (arrival === undefined) {
      toOnRead(context, bytes)(doneBytes);
    }
  });
  if (arrival !== undefined) {
    rawSize = raw.bytes;
    bytes = 2 * (rawSize + requestsSize);
  }
  if (raw.rows.count === 0 && raw.damaged.count > 0) {
    throw new NotResultsError(`${source.rawPath} is not a results file: none of its ${raw.damaged.count} lines is a result.`);
  }
  if (map !== undefined && raw.expectedIds > 0 && raw.rows.count > 0 && raw.rows.count === raw.unexpected.count) {
    throw new OtherRequestsError(`None of the ${raw.rows.count} results in ${source.rawPath} answers a request that was sent.`);
  }
  const requests =
    source.requestsPath === undefined || map === undefined
      ? undefined
      : locateRequests(source.requestsPath, map, source.sourceSha256, partOf(context, rawSize, bytes));
  const report = verify(raw, map, source);
  await writeWholeFiles(context, async files => {
    const joined = await files.create(source.joinedPath);
    const onCopied = toOnRead(partOf(context, rawSize + requestsSize, bytes), bytes);
    writeIndex(await files.create(source.indexPath), writeJoined(source.rawPath, raw, map, requests, joined, onCopied));
  });
  return { report, joinedPath: source.joinedPath };
}

function sizeOfSource(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw new SourceChangedError(`The submitted file ${path} can't be read.`, { cause: error });
  }
}

/** Locates the `params` of each request in the source, by id number. */
function locateRequests(path: string, map: LineMap, sha256: string | undefined, context: PassContext): RequestPositions {
  const offsets = new Float64Array(map.lines.length);
  const lengths = new Uint32Array(map.lines.length);
  const isUnchanged = forEachRequest(
    path,
    map,
    sha256,
    (id, { offset, start, paramsStart, paramsEnd }) => {
      offsets[id] = offset + paramsStart - start;
      lengths[id] = paramsEnd - paramsStart;
    },
    context,
  );
  if (isUnchanged === false) {
    throw new SourceChangedError(`${path} has changed since it was submitted, so its requests can't be added to the results.`);
  }
  return { path, offsets, lengths };
}

function verify(
  raw: RawResults,
  map: LineMap | undefined,
  { expectedCounts: expected, requestCount }: Pick<JoinSource, 'expectedCounts' | 'requestCount'>,
): ResultsReport {
  const { rows, reasons } = raw;
  const counted = countRows(rows, reasons.texts());
  const missing = new Tally<string>(listed);
  for (let id = 0; map !== undefined && id < raw.expectedIds; id++) {
    if (raw.rowOfId[id] === none) {
      missing.add(() => raw.ids.text(id));
    }
  }
  const { unexpected, duplicate, damaged } = raw;
  const countsMatch =
    expected === undefined ||
    (['succeeded', 'errored', 'canceled', 'expired'] as const).every(type => expected[type] === counted.counts[type]);
  // If the submitted ids are lost, only their number can be compared.
  const isWhole = map !== undefined || requestCount === undefined || rows.count === requestCount;
  return {
    rawBytes: raw.bytes,
    ...counted,
    missing: missing.found(),
    unexpected: unexpected.found(),
    duplicate: duplicate.found(),
    damaged: { count: damaged.count, firstLines: damaged.first },
    countsMatch,
    complete: countsMatch && isWhole && missing.count + unexpected.count + duplicate.count + damaged.count === 0,
  };
}
