import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Dialect } from '../../client/dialect';
import type { Fault } from '../faults';
import { creditObjectBeta, hasBeta, userProfileOf } from '../http/guard';
import { kindRoutes } from '../http/kindRoutes';
import { type Route, routesBelow } from '../http/matchRoute';
import type { Envelope } from '../http/paging';
import type { Exchange } from '../http/serverExchange';
import { type BatchRecord, type BatchState, resultsGone } from './batchState';
import type { CreateRules } from './takeRequests';
import { toMessageBatch, type WireBatch } from './wireBatch';

const largestBody = 256 * 1024 * 1024;

interface BatchRouteParts {
  readonly dialect: Dialect;
  readonly state: BatchState;
  readonly envelope: () => Envelope;
  readonly resultsUrl: (id: string) => string;
}

/** Returns the routes of `/v1/messages/batches` and the paths below it. */
export function batchRoutes({ dialect, state, envelope, resultsUrl }: BatchRouteParts): readonly Route[] {
  const path = '/v1/messages/batches';
  const show = (record: BatchRecord, exchange: Exchange) => withFaults(exchange, toMessageBatch(record, resultsUrl));
  return [
    ...kindRoutes({
      name: 'batches',
      path,
      type: 'message_batch',
      members: state,
      envelope,
      show,
      create: exchange => {
        const twice = exchange.faults.content.has('duplicateCreate');
        const rules: CreateRules = {
          userProfileId: userProfileOf(exchange, dialect),
          refusesStream: dialect.name !== 'contract',
          takesCreditObject: hasBeta(exchange, dialect, creditObjectBeta),
        };
        return state.create(exchange.chunks(largestBody), rules, twice);
      },
      passes: ({ query, faults: { content } }) => {
        if (content.has('repeatedPages')) {
          for (const name of ['page', 'after_id', 'before_id']) {
            query.delete(name);
          }
        }
        const slow = content.get('slowListing');
        const youngest = slow === undefined ? Number.POSITIVE_INFINITY : state.now() - (slow.seconds ?? 60) * 1000;
        return ({ createdAt }) => createdAt <= youngest;
      },
      acts: { cancel: async (exchange, id) => show(await state.cancel(id), exchange) },
    }),
    {
      ...routesBelow('batches', path)('GET', 'results', '/:id/results', (exchange, id) => sendResults(exchange, state.results(id))),
      // `results_url` has no `?beta=true`, and the vendor's SDK requests it unchanged.
      beta: undefined,
    },
  ];
}

/** Applies the faults of a request to a batch. */
function withFaults(exchange: Exchange, given: WireBatch): WireBatch {
  const { content } = exchange.faults;
  const skew = content.get('clockSkew');
  const batch = skew === undefined ? given : atAnotherTime(given, (skew.seconds ?? 3600) * 1000);
  if (batch.ended_at === null) {
    return batch;
  }
  const counts = { ...batch.request_counts };
  if (content.has('wrongCounts')) {
    counts.succeeded++;
  }
  const archived = content.has('archived') ? { archived_at: batch.ended_at, results_url: null } : {};
  return { ...batch, request_counts: counts, ...archived };
}

/** Returns a batch with all times shifted by `ahead` milliseconds, as if the service's clock were ahead. */
function atAnotherTime(batch: WireBatch, ahead: number): WireBatch {
  const moved = (time: string) => new Date(Date.parse(time) + ahead).toISOString();
  const movedOrNull = (time: string | null) => (time === null ? null : moved(time));
  return {
    ...batch,
    created_at: moved(batch.created_at),
    expires_at: moved(batch.expires_at),
    ended_at: movedOrNull(batch.ended_at),
    cancel_initiated_at: movedOrNull(batch.cancel_initiated_at),
    archived_at: movedOrNull(batch.archived_at),
  };
}

async function sendResults(exchange: Exchange, results: { readonly file: string; readonly bytes: number }): Promise<void> {
  const { content } = exchange.faults;
  const headers = { 'content-type': 'application/x-jsonl' };
  if (content.has('archived')) {
    throw resultsGone();
  }
  if (content.has('truncatedResults')) {
    // Half of the file can be at the end of a line; two bytes before the end of the file can't.
    const half = Math.floor(results.bytes / 2);
    await exchange.sendFile(results.file, half > 512 ? half : Math.max(0, results.bytes - 2), headers);
  } else if (content.has('missingResults') || content.has('duplicateResults') || content.has('unknownResults')) {
    const { missingResults, duplicateResults, unknownResults } = Object.fromEntries(content);
    await exchange.sendStream(headers, changedResults(results.file, missingResults, duplicateResults, unknownResults));
  } else if (content.has('resumableResults')) {
    const { mtimeMs } = await stat(results.file);
    const etag = `"${results.bytes}-${Math.floor(mtimeMs)}"`;
    const { range = '', 'if-range': known } = exchange.request.headers;
    const from = known === etag ? Number(/^bytes=(\d{1,15})-$/.exec(range)?.[1] ?? 0) : 0;
    await exchange.sendFile(results.file, results.bytes, { ...headers, etag, 'accept-ranges': 'bytes' }, from < results.bytes ? from : 0);
  } else {
    await exchange.sendFile(results.file, results.bytes, headers);
  }
}

/** Yields the lines of a results file with the changes of the faults. */
async function* changedResults(file: string, missing?: Fault, duplicate?: Fault, unknown?: Fault): AsyncGenerator<Buffer> {
  const drop = missing === undefined ? 0 : (missing.count ?? 1);
  const repeat = duplicate === undefined ? 0 : (duplicate.count ?? 1);
  const again: Buffer[] = [];
  let n = 0;
  for await (const line of linesOf(file)) {
    n++;
    if (n <= drop) {
      continue;
    }
    if (again.length < repeat) {
      again.push(line);
    }
    const isFirst = n === drop + 1;
    yield unknown !== undefined && isFirst ? ofUnknownType(line) : line;
  }
  yield* again;
  for (let foreign = 0; unknown !== undefined && foreign < (unknown.count ?? 1); foreign++) {
    yield Buffer.from(`{"custom_id":"never-sent-${foreign}","result":{"type":"expired"}}\n`);
  }
}

function ofUnknownType(line: Buffer): Buffer {
  const { custom_id }: { custom_id: string } = JSON.parse(line.toString());
  return Buffer.from(`${JSON.stringify({ custom_id, result: { type: 'postponed', until: 'tomorrow' } })}\n`);
}

/** Yields the lines, each with its line feed. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(file)) {
    const bytes: Buffer = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
      yield bytes.subarray(start, end + 1);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}
