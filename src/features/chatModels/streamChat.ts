import type { MessageStreamEvent } from '../../client/schemas/messageStreamEventSchema';
import type { ServiceClient } from '../../client/serviceClient';
import { type ArrivedBlock, type ToolCall, toAddedText, toToolCalls } from './chatAnswer';
import { type ChatRequest, toMessageRequest } from './toMessageRequest';

/** What the events of an answer add up to. */
export interface AnswerSum {
  readonly blocks: readonly ArrivedBlock[];
  readonly stopReason: string | undefined;
  readonly usage: Readonly<Record<string, unknown>>;
  apply(event: MessageStreamEvent): void;
}

/**
 * How an answer ended: `cut` in the middle of a tool call, or with one that is `unreadable`, which then was not told; `tooLong`: at the most
 * tokens that an answer has where the chat names no number; `overflowed`: at the most that the model can take in; `nothingToSend`: the
 * service was not asked.
 */
export interface ChatEnd {
  readonly kind: 'whole' | 'refused' | 'cut' | 'unreadable' | 'tooLong' | 'overflowed' | 'nothingToSend';
  readonly requestId: string | undefined;
}

/** Who listens to an answer. */
export interface ChatListener {
  text(added: string): void;
  call(call: ToolCall): void;
}

/**
 * Sends a chat to a model and tells its answer as it comes; calls of tools come when the answer is whole. Rejects with a
 * `ServiceError`; an aborted signal closes the connection.
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
