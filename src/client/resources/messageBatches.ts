import { deletedMessageBatchSchema, messageBatchSchema } from '../schemas/messageBatches';
import type { MessageBatches } from '../serviceClient';
import type { Call, Transport } from '../transport';
import { callForObject, callForPage, pathSegment } from './resource';
import { streamFrom } from './resumableStream';

const path = '/messages/batches';

/** Message batches over a transport (contract, `POST /v1/messages/batches`). */
export function createMessageBatches(transport: Transport): MessageBatches {
  const item = (id: string, rest: Omit<Call, 'group' | 'path'>, action = ''): Call => ({
    ...rest,
    group: 'batches',
    path: `${path}/${pathSegment(id)}${action}`,
  });
  return {
    create: async (body, options) =>
      callForObject(transport, messageBatchSchema, {
        method: 'POST',
        group: 'batches',
        path,
        body,
        signal: options?.signal,
        onProgress: options?.onProgress,
      }),
    list: async options => callForPage(transport, messageBatchSchema, { group: 'batches', path }, options),
    retrieve: async (id, options) => callForObject(transport, messageBatchSchema, item(id, { method: 'GET', signal: options?.signal })),
    cancel: async (id, options) =>
      callForObject(transport, messageBatchSchema, item(id, { method: 'POST', signal: options?.signal }, '/cancel')),
    delete: async (id, options) =>
      callForObject(transport, deletedMessageBatchSchema, item(id, { method: 'DELETE', signal: options?.signal })),
    results: async (id, options) => {
      const accept = 'application/x-jsonl, application/binary;q=0.9, */*;q=0.1';
      const call = item(id, { method: 'GET', accept, signal: options?.signal }, '/results');
      return await streamFrom(transport, call, options?.from);
    },
  };
}
