import { deletedMessageBatchSchema, messageBatchSchema } from '../schemas/messageBatches';
import type { MessageBatches } from '../serviceClient';
import type { CallOptions } from '../transport/answer';
import type { Call, Transport } from '../transport/transport';
import { callForObject, callForOutcome, callForPage, pathSegment } from './resource';
import { streamFrom } from './resumableStream';

const path = '/messages/batches';

/** Message batches over a transport (contract, `POST /v1/messages/batches`). */
export function createMessageBatches(transport: Transport): MessageBatches {
  const item = (id: string, rest: Omit<Call, 'group' | 'path'>, action = ''): Call => ({
    ...rest,
    group: 'batches',
    path: `${path}/${pathSegment(id)}${action}`,
  });
  const read = async (id: string, options?: CallOptions) =>
    callForObject(transport, messageBatchSchema, item(id, { method: 'GET', signal: options?.signal }));
  return {
    create: async (body, options) =>
      callForObject(transport, messageBatchSchema, {
        method: 'POST',
        group: 'batches',
        path,
        creates: true,
        body,
        signal: options?.signal,
        onProgress: options?.onProgress,
      }),
    list: async options => callForPage(transport, messageBatchSchema, { group: 'batches', path }, options),
    retrieve: read,
    cancel: async (id, options) =>
      callForOutcome(
        transport,
        messageBatchSchema,
        item(id, { method: 'POST', signal: options?.signal }, '/cancel'),
        async () => (await read(id, options)).data,
      ),
    delete: async (id, options) =>
      callForOutcome(transport, deletedMessageBatchSchema, item(id, { method: 'DELETE', signal: options?.signal }), () => ({
        id,
      })),
    results: async (id, options) => {
      const accept = 'application/x-jsonl, application/binary;q=0.9, */*;q=0.1';
      const call = item(id, { method: 'GET', accept, once: options?.once, signal: options?.signal }, '/results');
      return await streamFrom(transport, call, options?.from);
    },
  };
}
