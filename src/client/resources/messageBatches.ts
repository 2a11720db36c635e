import { messageBatchSchema } from '../schemas/messageBatches';
import type { MessageBatches } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { createCrud } from './crud';
import { callForObject } from './resource';
import { streamFrom } from './resumableStream';

const path = '/messages/batches';

/** Message batches over a transport (contract, `POST /v1/messages/batches`). */
export function createMessageBatches(transport: Transport): MessageBatches {
  const batches = createCrud(transport, { group: 'batches', path, schema: messageBatchSchema });
  const { list, retrieve, delete: remove } = batches;
  return {
    list,
    retrieve,
    delete: remove,
    create: async (body, options) =>
      callForObject(transport, messageBatchSchema, {
        method: 'POST',
        group: 'batches',
        path,
        creates: true,
        isAttributed: true,
        body,
        signal: options?.signal,
        onProgress: options?.onProgress,
      }),
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
