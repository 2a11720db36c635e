import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { requestCountsSchema } from '../../contract/requestCounts';
import type { StreamedBody } from '../../contract/streamedBody';
import { isRecord } from '../../shared/isRecord';
import { type Call, isSendable } from '../transport/callHead';
import type { BodyPosition, CallOptions, ResumableStream } from '../transport/callResult';
import { identity, optionalTexts } from '../transport/commonFields';
import { ServiceError } from '../transport/errors';
import { isPlain } from '../transport/responseBody';
import { quote } from '../transport/safeWords';
import type { StreamedResponse, Transport } from '../transport/transport';
import { createCrud } from './crud';
import { createIn, decodeObject } from './resource';

/**
 * Message batch as the service returns it. Only `id` is required. Unknown fields are preserved. `processing_status` can be any string. The
 * contract names `in_progress`, `canceling` and `ended`. A missing status becomes `unknown`.
 */
export const messageBatchSchema = z.looseObject({
  ...identity('message_batch'),
  processing_status: z.string().default('unknown'),
  request_counts: requestCountsSchema.default({ processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 }),
  ...optionalTexts('created_at', 'expires_at', 'ended_at', 'cancel_initiated_at', 'archived_at', 'results_url'),
});
export type MessageBatch = z.infer<typeof messageBatchSchema>;

interface CreateBatchOptions extends CallOptions {
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
  /** Number of requests in the body, compared with the service's count. */
  readonly requestCount?: number;
}

const path = '/messages/batches';

interface ResultsOptions extends CallOptions {
  readonly from?: BodyPosition | undefined;
  readonly once?: boolean;
}

/** Creates the calls for message batches (contract, `POST /v1/messages/batches` and the paths below it). */
export function createMessageBatches(transport: Transport) {
  const batches = createCrud(transport, { group: 'batches', path, schema: messageBatchSchema, type: 'message_batch' });
  const { list, retrieve, delete: remove } = batches.calls;
  return {
    ...{ list, retrieve, delete: remove },
    /**
     * Creates a batch from a streamed `{"requests":[...]}` body. Never sent twice. The `outcome` of a failure says whether the service may
     * have created the batch. Errors thrown by `body` are rethrown unchanged. In this case, the last bytes were not sent, so the service
     * can't create the batch. Throws a `mismatch` with outcome `unknown` if the response can't be a new batch with `requestCount` requests.
     */
    create: async (body: StreamedBody, options?: CreateBatchOptions) => {
      const { signal, onProgress, requestCount } = options ?? {};
      const call = { method: 'POST', group: 'batches', path, creates: true, isAttributed: true, body, signal, onProgress } as const;
      const began = performance.now();
      const created = () =>
        transport.json(call, (value, failures, { date, age }) => {
          const facts = { requestCount, date, age, elapsed: performance.now() - began, now: Date.now() };
          const difference = whyNotCreated(value, facts);
          if (difference !== undefined) {
            const sentence = `The response to ${failures.what} is not the new batch: ${difference}`;
            throw failures.mismatch(`${sentence}. Check whether a cache or gateway responds instead of the service`);
          }
          return decodeObject(transport, messageBatchSchema, value, call, failures);
        });
      return createIn(transport, call, created);
    },
    /** Requests cancellation. The batch stays `canceling` until its running requests have ended. */
    cancel: async (id: string, options?: CallOptions) => batches.act(id, 'cancel', undefined, options),
    /**
     * Returns the bytes of the results file. With `from`, resumes at that position if the service supports that and the file is unchanged.
     * Otherwise, starts over. The path is built from the id and the connection's base URL. `results_url` is never followed. With `once`,
     * the caller handles retries.
     */
    results: async (id: string, { once, signal, from }: ResultsOptions = {}) => {
      const accept = 'application/x-jsonl, application/binary;q=0.9, */*;q=0.1';
      const call = { method: 'GET', group: 'batches', path: batches.below(id, '/results'), accept, once, signal } as const;
      return streamFrom(transport, call, from);
    },
  };
}
export type MessageBatches = ReturnType<typeof createMessageBatches>;

/**
 * Reads the body of a response from an offset if the service supports it. The response must be a 206 of the same body with the requested
 * `Content-Range`. For any other response, reads the body from its start.
 */
async function streamFrom(transport: Transport, call: Call, from: BodyPosition | undefined): Promise<ResumableStream> {
  if (from === undefined) {
    return wholeOf(await transport.stream(call));
  }
  let answer: StreamedResponse;
  try {
    answer = await transport.stream({ ...call, from });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 416) {
      return wholeOf(await transport.stream(call));
    }
    throw error;
  }
  if (answer.status !== 206) {
    return wholeOf(answer);
  }
  if (!isRest(answer.headers, from)) {
    answer.cancel();
    return wholeOf(await transport.stream(call));
  }
  // Only these fields are copied, because other parts of the response have access to the key.
  const { body, contentLength, requestId } = answer;
  const { offset: start, totalBytes, validator, lastModified } = from;
  return { body, contentLength, requestId, start, totalBytes, validator, lastModified };
}

function wholeOf({ body, contentLength, requestId, headers }: StreamedResponse): ResumableStream {
  const lastModified = headers['last-modified'];
  return { body, contentLength, requestId, start: 0, totalBytes: contentLength, validator: validatorOf(headers), lastModified };
}

/** Returns a strong validator of a resumable body, or `undefined`. An encoded body can't be resumed: offsets refer to the encoded bytes. */
function validatorOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag, 'last-modified': modified, 'accept-ranges': ranges } = headers;
  if (ranges?.trim().toLowerCase() !== 'bytes' || !isPlain(headers)) {
    return undefined;
  }
  const validator = etag === undefined ? modified : etag.startsWith('"') ? etag : undefined;
  return validator !== undefined && isSendable(validator) ? validator : undefined;
}

/** Returns whether a response is proven to be the rest of the intended body, from the requested offset to its end. */
function isRest(headers: IncomingHttpHeaders, { offset, validator, totalBytes, lastModified }: BodyPosition): boolean {
  const { etag, 'last-modified': modified, 'content-range': range } = headers;
  const isProven = (validator.startsWith('"') ? etag : modified) === validator;
  const isChanged = modified !== undefined && lastModified !== undefined && modified !== lastModified;
  return isProven && !isChanged && isPlain(headers) && range === `bytes ${offset}-${totalBytes - 1}/${totalBytes}`;
}

/** Facts about a create when its response arrives. */
export interface CreatedBatchFacts {
  /** Number of requests in the body. `undefined` if the caller did not count them. */
  readonly requestCount: number | undefined;
  /** `Date` header of the response. */
  readonly date: string | undefined;
  /** `Age` header of the response: how long a cache has kept it, in seconds. */
  readonly age: string | undefined;
  /** Time since the start of the create, in milliseconds. */
  readonly elapsed: number;
  /** This machine's time, in milliseconds since 1970. */
  readonly now: number;
}

const statuses = ['processing', 'succeeded', 'errored', 'canceled', 'expired'];
const minute = 60_000;
const hour = 60 * minute;
/** Largest difference between `created_at` and the `Date` of the same response, in milliseconds. Two machines may have set these times. */
const dateTolerance = 10 * minute;
/** Largest error of this machine's clock in milliseconds, for example a wrong day or time zone. Used only without a `Date`. */
const clockTolerance = 25 * hour;

/**
 * Returns why the response to a create can't be the new batch, or `undefined`. A cache or a gateway can return another batch. Its results
 * would be written as the results of our file. The creation time is compared with the response's own `Date`, so a wrong clock on this
 * machine has no effect. The service may set `created_at` when the upload begins, so the duration of the create is added to the tolerance.
 */
export function whyNotCreated(answer: unknown, facts: CreatedBatchFacts): string | undefined {
  const { id, type, processing_status: status, created_at: createdAt, request_counts: counts } = isRecord(answer) ? answer : {};
  if (type !== 'message_batch') {
    return `its type is ${quote(type)}, not "message_batch"`;
  }
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..') {
    return `${quote(id)} can't be the id of a batch`;
  }
  if (status !== 'in_progress') {
    return `its processing_status is ${quote(status)}, not "in_progress"`;
  }
  if (!isCreatedNow(createdAt, facts)) {
    return `it was not created now: its created_at is ${quote(createdAt)}`;
  }
  const { requestCount } = facts;
  const total = isRecord(counts) ? totalOf(counts) : undefined;
  return requestCount !== undefined && total !== undefined && total !== requestCount
    ? `it has ${total} requests, not ${requestCount}`
    : undefined;
}

function isCreatedNow(createdAt: unknown, { date, age, elapsed, now }: CreatedBatchFacts): boolean {
  const created = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
  const cachedFor = Number(age ?? 0) * 1000;
  const answered = Date.parse(date ?? '') + (cachedFor >= 0 ? cachedFor : 0);
  const [end, tolerance] = Number.isNaN(answered) ? [now, clockTolerance] : [answered, dateTolerance];
  return created >= end - elapsed - tolerance && created <= end + tolerance;
}

/** Returns the sum of the reported counts, or `undefined` if no count is reported. */
function totalOf(counts: Readonly<Record<string, unknown>>): number | undefined {
  const reported = statuses.map(status => counts[status]).filter(count => typeof count === 'number');
  return reported.length === 0 ? undefined : reported.reduce((sum, count) => sum + count, 0);
}
