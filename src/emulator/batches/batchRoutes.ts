import { readFile, stat } from 'node:fs/promises';
import type { Dialect } from '../../client/dialect';
import { creditObjectBeta, hasBeta, userProfileOf } from '../http/guard';
import { kindRoutes } from '../http/kindRoutes';
import { type Route, routesBelow } from '../http/matchRoute';
import type { Envelope } from '../http/paging';
import type { Exchange } from '../http/serverExchange';
import { toTimeOrNull } from '../http/toWire';
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
  const show = (record: BatchRecord, exchange: Exchange) => toMessageBatch(record, exchange, resultsUrl);
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
      passes: ({ faults: { content } }) => {
        const slow = content.get('slowListing');
        const youngest = slow === undefined ? Number.POSITIVE_INFINITY : batches.now() - (slow.seconds ?? 60) * 1000;
        return ({ createdAt }) => createdAt <= youngest;
      },
      acts: { cancel: async (exchange, id) => show(batches.cancel(id), exchange) },
    }),
    {
      ...routesBelow('batches', path)('GET', 'results', '/:id/results', (exchange, id) => sendResults(exchange, batches.results(id))),
      // `results_url` has no `?beta=true`, and the vendor's SDK requests it unchanged.
      beta: undefined,
    },
  ];
}

/** Converts a batch to its response form. All fields are always present (contract, Message batch). */
function toMessageBatch(record: BatchRecord, { faults: { content } }: Exchange, resultsUrl: (id: string) => string): object {
  const skew = content.get('clockSkew');
  const skewMs = skew === undefined ? 0 : (skew.seconds ?? 3600) * 1000;
  const timeOf = (time: number | null) => toTimeOrNull(time === null ? null : time + skewMs);
  const ended = record.endedAt !== null;
  const isArchived = record.archivedAt !== null || (ended && content.has('archived'));
  return {
    id: record.id,
    type: 'message_batch',
    processing_status: ended ? 'ended' : record.cancelInitiatedAt === null ? 'in_progress' : 'canceling',
    request_counts: record.counts,
    created_at: timeOf(record.createdAt),
    expires_at: timeOf(record.createdAt + lifetime),
    ended_at: timeOf(record.endedAt),
    cancel_initiated_at: timeOf(record.cancelInitiatedAt),
    archived_at: timeOf(ended && content.has('archived') ? record.endedAt : record.archivedAt),
    results_url: ended && !isArchived ? resultsUrl(record.id) : null,
  };
}

async function sendResults(exchange: Exchange, results: { readonly file: string; readonly bytes: number }): Promise<void> {
  const { content } = exchange.faults;
  const headers = { 'content-type': 'application/x-jsonl' };
  if (content.has('archived')) {
    throw resultsGone();
  }
  if (content.has('truncatedResults')) {
    // The middle of a short file can be the end of a line. The position two bytes before the end of the file never is.
    const half = Math.floor(results.bytes / 2);
    await exchange.sendFile(results.file, half > 512 ? half : Math.max(0, results.bytes - 2), headers);
  } else if (content.has('missingResults')) {
    const lines = (await readFile(results.file, 'utf8')).split(/(?<=\n)/).slice(content.get('missingResults')?.count ?? 1);
    await exchange.send(200, headers, Buffer.from(lines.join('')));
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
