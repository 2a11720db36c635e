import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Dialect } from '../../client/dialect';
import type { RequestCounts } from '../../contract/requestCounts';
import type { Fault } from '../faults';
import { creditObjectBeta, hasBeta, userProfileOf } from '../http/guard';
import { kindRoutes } from '../http/kindRoutes';
import { type Route, routesBelow } from '../http/matchRoute';
import type { Envelope } from '../http/paging';
import type { Exchange } from '../http/serverExchange';
import { toTime, toTimeOrNull } from '../http/toWire';
import { type Batches, type BatchRecord, lifetime, resultsGone } from './batches';
import type { CreateRules } from './readRequests';

const largestBody = 256 * 1024 * 1024;

interface BatchRouteParts {
  readonly dialect: Dialect;
  readonly batches: Batches;
  readonly envelope: () => Envelope;
  readonly resultsUrl: (id: string) => string;
}

/** Returns the routes of `/v1/messages/batches` and the paths below it. */
export function batchRoutes({ dialect, batches, envelope, resultsUrl }: BatchRouteParts): readonly Route[] {
  const path = '/v1/messages/batches';
  const show = (record: BatchRecord, exchange: Exchange) => withFaults(exchange, toMessageBatch(record, resultsUrl));
  return [
    ...kindRoutes({
      name: 'batches',
      path,
      type: 'message_batch',
      members: batches,
      envelope,
      show,
      create: async exchange => {
        const twice = exchange.faults.content.has('duplicateCreate');
        const rules: CreateRules = {
          userProfileId: userProfileOf(exchange, dialect),
          refusesStream: dialect.name !== 'contract',
          takesCreditObject: hasBeta(exchange, dialect, creditObjectBeta),
        };
        return batches.create(await exchange.bytes(largestBody), rules, twice);
      },
      passes: ({ query, faults: { content } }) => {
        if (content.has('repeatedPages')) {
          for (const name of ['page', 'after_id', 'before_id']) {
            query.delete(name);
          }
        }
        const slow = content.get('slowListing');
        const youngest = slow === undefined ? Number.POSITIVE_INFINITY : batches.now() - (slow.seconds ?? 60) * 1000;
        return ({ createdAt }) => createdAt <= youngest;
      },
      acts: { cancel: async (exchange, id) => show(await batches.cancel(id), exchange) },
    }),
    {
      ...routesBelow('batches', path)('GET', 'results', '/:id/results', (exchange, id) => sendResults(exchange, batches.results(id))),
      // `results_url` has no `?beta=true`, and the vendor's SDK requests it unchanged.
      beta: undefined,
    },
  ];
}

/** Batch in the form of the wire. All fields are always present (contract, Message batch). */
interface WireBatch {
  readonly id: string;
  readonly type: 'message_batch';
  readonly processing_status: 'in_progress' | 'canceling' | 'ended';
  readonly request_counts: RequestCounts;
  readonly created_at: string;
  readonly expires_at: string;
  readonly ended_at: string | null;
  readonly cancel_initiated_at: string | null;
  readonly archived_at: string | null;
  readonly results_url: string | null;
}

function toMessageBatch(record: BatchRecord, resultsUrl: (id: string) => string): WireBatch {
  const ended = record.endedAt !== null;
  return {
    id: record.id,
    type: 'message_batch',
    processing_status: ended ? 'ended' : record.cancelInitiatedAt === null ? 'in_progress' : 'canceling',
    request_counts: record.counts,
    created_at: toTime(record.createdAt),
    expires_at: toTime(record.createdAt + lifetime),
    ended_at: toTimeOrNull(record.endedAt),
    cancel_initiated_at: toTimeOrNull(record.cancelInitiatedAt),
    archived_at: toTimeOrNull(record.archivedAt),
    results_url: ended && record.archivedAt === null ? resultsUrl(record.id) : null,
  };
}

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
