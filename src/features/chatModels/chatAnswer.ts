import type { MessageStreamEvent } from '../../client/events/streamedEvents';

/** Tool call of the model, with the name and the id used by the chat. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

/** Block of a streamed answer with the data received so far. */
export interface ArrivedBlock {
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

/** Returns the tool calls of a finished answer. `undefined` if one of them was cut or is not a JSON object: no call may be made then. */
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
    const input = json.trim() === '' ? (start.input ?? {}) : parse(json);
    if (typeof start.name !== 'string' || typeof input !== 'object' || input === null || Array.isArray(input)) {
      return undefined;
    }
    const id = typeof start.id === 'string' && start.id !== '' ? start.id : `call_${calls.length + 1}`;
    calls.push({ id, name: nameOf(start.name), input });
  }
  return calls;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
