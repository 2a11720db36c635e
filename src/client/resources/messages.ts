import * as z from 'zod';
import { parseExact, writeJson } from '../../shared/exactJson';
import { isRecord } from '../../shared/isRecord';
import { type MessageStreamEvent, readMessageEvents } from '../events/streamedEvents';
import { eventStream } from '../transport/callHead';
import type { CallOptions } from '../transport/callResult';
import { optionalNumbers, optionalTexts } from '../transport/commonFields';
import type { Transport } from '../transport/transport';
import { callForObject, jsonBody } from './resource';

/** Token counts of one message. Additional counts of the service are preserved. */
const usageSchema = z.looseObject({
  ...optionalNumbers('input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'),
  service_tier: z.string().nullish(),
});

/** One block of an answer. The other fields depend on `type`. Unknown fields are preserved. */
const contentBlockSchema = z.looseObject({
  type: z.string().default(''),
  ...optionalTexts('text', 'thinking', 'id', 'name'),
  input: z.unknown().optional(),
  ...optionalTexts('tool_use_id'),
  content: z.unknown().optional(),
});

/** Message produced by the model. Unknown block types and fields are preserved. */
export const messageSchema = z.looseObject({
  id: z.string().optional(),
  type: z.string().optional(),
  role: z.string().optional(),
  model: z.string().optional(),
  content: z.array(contentBlockSchema).default([]),
  ...optionalTexts('stop_reason', 'stop_sequence'),
  usage: usageSchema.nullish(),
});
export type Message = z.infer<typeof messageSchema>;

const tokenCountSchema = z.looseObject({ input_tokens: z.number().int().min(0) });

/** Events of one streamed message. Leaving the iteration early closes the connection. */
interface MessageStream extends AsyncIterable<MessageStreamEvent> {
  readonly requestId: string | undefined;
}

const call = { method: 'POST', group: 'messages', path: '/messages', creates: true, about: { type: 'message' } } as const;

/**
 * Creates the calls for single message requests (`POST /v1/messages` and `/v1/messages/count_tokens`). `params` is an object or its JSON
 * text, which is sent byte for byte.
 */
export function createMessages(transport: Transport) {
  return {
    create: async (params: object | string, options?: CallOptions) =>
      callForObject(transport, messageSchema, { ...call, body: jsonBody(params), slow: true, signal: options?.signal }),
    /** Counts the input tokens of `params` without running the request. A count rejects some fields of `params`, such as `max_tokens`. */
    countTokens: async (params: object | string, options?: CallOptions) =>
      callForObject(transport, tokenCountSchema, {
        ...{ method: 'POST', group: 'messages', path: '/messages/count_tokens', isRead: true },
        body: jsonBody(params),
        signal: options?.signal,
      }),
    /** Sends `params` with `stream` set to true. Yields the events as they arrive, including unknown types. */
    stream: async (params: object | string, options?: CallOptions): Promise<MessageStream> => {
      const body = jsonBody(streamed(params));
      const answer = await transport.stream({ ...call, body, accept: eventStream, signal: options?.signal });
      const events = await readMessageEvents(answer);
      return { requestId: answer.requestId, [Symbol.asyncIterator]: () => events };
    },
  };
}

/**
 * Returns params with `stream` set to true. Keeps all digits of numbers. Text that is not an object stays unchanged, so that the service
 * refuses it.
 */
function streamed(params: object | string): object | string {
  if (typeof params !== 'string') {
    return { ...params, stream: true };
  }
  const value = parseExact(params);
  return isRecord(value) ? writeJson({ ...value, stream: true }) : params;
}
