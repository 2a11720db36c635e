import { isRecord } from '../../shared/isRecord';
import { parseExact, writeJson } from '../../shared/exactJson';
import { readMessageEvents } from '../events/streamedEvents';
import { messageSchema, tokenCountSchema } from '../schemas/messages';
import type { MessageStream, Messages } from '../serviceClient';
import { eventStream } from '../transport/callHead';
import type { Transport } from '../transport/transport';
import { callForObject, jsonBody } from './resource';

const call = { method: 'POST', group: 'messages', path: '/messages', creates: true, about: { type: 'message' } } as const;

/** Creates the calls for single message requests (`POST /v1/messages` and `/v1/messages/count_tokens`). */
export function createMessages(transport: Transport): Messages {
  return {
    create: async (params, options) =>
      callForObject(transport, messageSchema, {
        ...call,
        body: jsonBody(params),
        slow: true,
        signal: options?.signal,
      }),
    countTokens: async (params, options) =>
      callForObject(transport, tokenCountSchema, {
        ...{ method: 'POST', group: 'messages', path: '/messages/count_tokens', isRead: true },
        body: jsonBody(params),
        signal: options?.signal,
      }),
    stream: async (params, options): Promise<MessageStream> => {
      const answer = await transport.stream({
        ...call,
        body: jsonBody(streamed(params)),
        accept: eventStream,
        signal: options?.signal,
      });
      const events = await readMessageEvents(answer);
      return { requestId: answer.requestId, [Symbol.asyncIterator]: () => events };
    },
  };
}

/**
 * Returns params with `stream` set to true, without rounding their numbers. Text that is not an object stays unchanged; the service refuses
 * it.
 */
function streamed(params: object | string): object | string {
  if (typeof params !== 'string') {
    return { ...params, stream: true };
  }
  const value = parseExact(params);
  return isRecord(value) ? writeJson({ ...value, stream: true }) : params;
}
