import { messageBatchSchema } from '../schemas/messageBatches';
import type { MessageBatches } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { whyNotCreated } from './createdBatch';
import { createCrud } from './crud';
import { createIn, decodeObject } from './resource';
import { streamFrom } from './resumableStream';

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
            const sentence = `${failures.what} was answered with something else than the new batch: ${difference}`;
            throw failures.mismatch(`${sentence}. Check whether a cache or gateway answers in place of the service`);
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
