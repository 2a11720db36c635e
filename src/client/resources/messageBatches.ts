import * as z from 'zod';
import { requestCountsSchema } from '../../contract/requestCounts';
import type { StreamedBody } from '../../contract/streamedBody';
import type { BodyPosition, CallOptions, CallResult, ResumableStream } from '../transport/callResult';
import { optionalTexts } from '../transport/commonFields';
import type { Transport } from '../transport/transport';
import { whyNotCreated } from './createdBatch';
import { type Crud, createCrud } from './crud';
import { createIn, decodeObject } from './resource';
import { streamFrom } from './resumableStream';

/**
 * Message batch as the service returns it. Only `id` is required; unknown fields are preserved. `processing_status` is any string: the
 * contract names `in_progress`, `canceling` and `ended`. A missing one becomes `unknown`.
 */
export const messageBatchSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('message_batch'),
  processing_status: z.string().default('unknown'),
  request_counts: requestCountsSchema.default({ processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 }),
  ...optionalTexts('created_at', 'expires_at', 'ended_at', 'cancel_initiated_at', 'archived_at', 'results_url'),
});
export type MessageBatch = z.infer<typeof messageBatchSchema>;

/** Message batches (contract, `POST /v1/messages/batches` and the paths below it). */
export interface MessageBatches extends Pick<Crud<MessageBatch>, 'list' | 'retrieve' | 'delete'> {
  /**
   * Creates a batch from a streamed `{"requests":[...]}` body. Never sent twice: the `outcome` of a failure says whether the service can
   * have applied it. An error of `body` itself is thrown unchanged. Its last bytes were then not sent, so the service has no complete
   * request to apply. Throws a `mismatch` with outcome `unknown` if the response can't be a batch that was created just now with
   * `requestCount` requests.
   */
  create(body: StreamedBody, options?: CreateBatchOptions): Promise<CallResult<MessageBatch>>;
  /** Requests cancellation. The batch stays `canceling` until its running requests have ended. */
  cancel(id: string, options?: CallOptions): Promise<CallResult<MessageBatch>>;
  /**
   * Returns the bytes of the results file. With `from`, resumes there if the service can and its file is unchanged, and otherwise starts
   * over. The path is built from the id and the connection's base URL; `results_url` is never followed. With `once`, the caller handles
   * retries.
   */
  results(
    id: string,
    options?: CallOptions & { readonly from?: BodyPosition | undefined; readonly once?: boolean },
  ): Promise<ResumableStream>;
}

interface CreateBatchOptions extends CallOptions {
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
  /** Number of requests in the body, compared with the service's count. */
  readonly requestCount?: number;
}

const path = '/messages/batches';

/** Creates the calls for message batches (contract, `POST /v1/messages/batches`). */
export function createMessageBatches(transport: Transport): MessageBatches {
  const batches = createCrud(transport, { group: 'batches', path, schema: messageBatchSchema, type: 'message_batch' });
  return {
    ...batches,
    create: async (body, options) => {
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
    cancel: async (id, options) => batches.act(id, 'cancel', undefined, options),
    results: async (id, options) => {
      const accept = 'application/x-jsonl, application/binary;q=0.9, */*;q=0.1';
      const { once, signal, from } = options ?? {};
      return await streamFrom(
        transport,
        { method: 'GET', group: 'batches', path: batches.below(id, '/results'), accept, once, signal },
        from,
      );
    },
  };
}
