import type { MessageStreamEvent } from '../../client/events/streamedEvents';
import type { ServiceClient } from '../../client/serviceClient';
import { type ArrivedBlock, type ToolCall, toAddedText, toToolCalls } from './chatAnswer';
import { type ChatRequest, toMessageRequest } from './toMessageRequest';

/** Answer accumulated from the events. */
export interface AnswerSum {
  readonly blocks: readonly ArrivedBlock[];
  readonly stopReason: string | undefined;
  readonly usage: Readonly<Record<string, unknown>>;
  apply(event: MessageStreamEvent): void;
}

/**
 * End of an answer. `cut`: it ends in the middle of a tool call. `unreadable`: a call is invalid, so none is reported. `tooLong`: it
 * reached the default token limit of an answer. `overflowed`: it reached the context limit of the model. `nothingToSend`: no request was
 * sent.
 */
export interface ChatEnd {
  readonly kind: 'whole' | 'refused' | 'cut' | 'unreadable' | 'tooLong' | 'overflowed' | 'nothingToSend';
  readonly requestId: string | undefined;
}

/** Receives the parts of an answer. */
export interface ChatListener {
  text(added: string): void;
  call(call: ToolCall): void;
}

/**
 * Sends a chat to a model and reports the answer as it arrives. Reports tool calls when the answer is complete. Rejects with a
 * `ServiceError`. Closes the connection when the signal aborts.
 */
export async function streamChat(
  client: Pick<ServiceClient, 'messages'>,
  request: ChatRequest,
  answer: AnswerSum,
  listener: ChatListener,
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
