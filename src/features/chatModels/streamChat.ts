import type { MessageStreamEvent } from '../../client/events/streamedEvents';
import type { ServiceClient } from '../../client/serviceClient';
import { jsonOf } from '../../shared/jsonOf';
import { type ChatRequest, toMessageRequest } from './toMessageRequest';

/** Answer accumulated from the events. */
export interface AnswerSum {
  readonly blocks: readonly ArrivedBlock[];
  readonly stopReason: string | undefined;
  readonly usage: Readonly<Record<string, unknown>>;
  apply(event: MessageStreamEvent): void;
}

/**
 * End of an answer. `cut`: the answer ends in the middle of a tool call. `unreadable`: a call is invalid, so no call is reported.
 * `tooLong`: the answer reached the default token limit. `overflowed`: the answer reached the context limit of the model. `nothingToSend`:
 * no request was sent.
 */
export interface ChatEnd {
  readonly kind: 'whole' | 'refused' | 'cut' | 'unreadable' | 'tooLong' | 'overflowed' | 'nothingToSend';
  readonly requestId: string | undefined;
}

/**
 * Sends a chat to a model and reports the answer as it arrives. Reports tool calls when the answer is complete. Rejects with a
 * `ServiceError`. Closes the connection when the signal aborts.
 */
export async function streamChat(
  client: Pick<ServiceClient, 'messages'>,
  request: ChatRequest,
  answer: AnswerSum,
  listener: { text(added: string): void; call(call: ToolCall): void },
  signal: AbortSignal,
): Promise<ChatEnd> {
  const { params, nameOf } = toMessageRequest(request);
  if (params.messages.length === 0) {
    return { kind: 'nothingToSend', requestId: undefined };
  }
  const stream = await client.messages.stream(params, { signal });
  const { requestId } = stream;
  for await (const event of stream) {
    answer.apply(event);
    const text = toAddedText(event);
    if (text !== '') {
      listener.text(text);
    }
  }
  if (answer.stopReason === 'refusal' || answer.stopReason === 'model_context_window_exceeded') {
    return { kind: answer.stopReason === 'refusal' ? 'refused' : 'overflowed', requestId };
  }
  const calls = toToolCalls(answer.blocks, answer.stopReason, nameOf);
  calls?.forEach(call => {
    listener.call(call);
  });
  const isTooLong = answer.stopReason === 'max_tokens' && params.max_tokens !== request.options.max_tokens;
  if (calls === undefined) {
    return { kind: answer.stopReason === 'max_tokens' ? 'cut' : 'unreadable', requestId };
  }
  return { kind: isTooLong ? 'tooLong' : 'whole', requestId };
}

/** Tool call of the model, with the name and the id used by the chat. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

/** Block of a streamed answer with the data received so far. */
interface ArrivedBlock {
  readonly type: string;
  readonly start: Readonly<Record<string, unknown>>;
  readonly json: string;
}

/** Returns the text that an event adds, or ''. Thinking is not part of a chat's answer. */
export function toAddedText({ type, content_block: block, delta }: MessageStreamEvent): string {
  const { type: kind, text } = ((type === 'content_block_start' ? block : type === 'content_block_delta' ? delta : undefined) ??
    {}) as Readonly<Record<string, unknown>>;
  return (kind === 'text' || kind === 'text_delta') && typeof text === 'string' ? text : '';
}

/** Stop reasons that can leave the last block of an answer incomplete. */
const cutReasons: ReadonlySet<string | undefined> = new Set(['max_tokens', 'model_context_window_exceeded']);

/** Returns the tool calls of a finished answer. `undefined` if one of them was cut or is not a JSON object. No call may be made then. */
export function toToolCalls(
  blocks: readonly ArrivedBlock[],
  stopReason: string | undefined,
  nameOf: (called: string) => string,
): readonly ToolCall[] | undefined {
  // A call that was cut before its input looks like a call without input.
  if (cutReasons.has(stopReason) && blocks.at(-1)?.type === 'tool_use') {
    return undefined;
  }
  const calls: ToolCall[] = [];
  for (const { start, json } of blocks.filter(({ type }) => type === 'tool_use')) {
    const input = json.trim() === '' ? (start.input ?? {}) : jsonOf(json);
    if (typeof start.name !== 'string' || typeof input !== 'object' || input === null || Array.isArray(input)) {
      return undefined;
    }
    const id = typeof start.id === 'string' && start.id !== '' ? start.id : `call_${calls.length + 1}`;
    calls.push({ id, name: nameOf(start.name), input });
  }
  return calls;
}
