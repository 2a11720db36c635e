import type { EmulatedBlock, EmulatedMessage } from './answers';

interface MessageEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

const usualPiece = 12;

/** Returns a message as the events of a stream, in the service's order: start, a ping, each block in pieces, the final counts, stop. */
export function eventsOf(message: EmulatedMessage): readonly MessageEvent[] {
  const { content, container, context_management, stop_reason, stop_sequence, stop_details, usage } = message;
  const open = {
    ...message,
    content: [],
    stop_reason: null,
    stop_details: null,
    usage: { ...usage, output_tokens: Math.min(1, usage.output_tokens) },
  };
  const { service_tier: _, speed: __, inference_geo: ___, cache_creation: ____, ...counts } = usage;
  return [
    { type: 'message_start', message: open },
    ...content.flatMap((block, index) => eventsOfBlock(block, index)),
    { type: 'message_delta', delta: { container, stop_reason, stop_sequence, stop_details }, usage: counts, context_management },
    { type: 'message_stop' },
  ];
}

function eventsOfBlock(block: EmulatedBlock, index: number): MessageEvent[] {
  const delta = (change: object): MessageEvent => ({ type: 'content_block_delta', index, delta: change });
  const start = (empty: object): MessageEvent[] => {
    const opened = { type: 'content_block_start', index, content_block: empty };
    return index === 0 ? [opened, { type: 'ping' }] : [opened];
  };
  const stop = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'text':
      return [...start({ ...block, text: '' }), ...piecesOf(block.text).map(text => delta({ type: 'text_delta', text })), stop];
    case 'thinking': {
      const deltas = piecesOf(block.thinking).map(thinking => delta({ type: 'thinking_delta', thinking, estimated_tokens: null }));
      const signature = delta({ type: 'signature_delta', signature: block.signature });
      return [...start({ type: 'thinking', thinking: '', signature: '' }), ...deltas, signature, stop];
    }
    case 'fallback':
    case 'web_search_tool_result':
      return [...start(block), stop];
    case 'server_tool_use':
    case 'tool_use': {
      const deltas = piecesOf(JSON.stringify(block.input)).map(json => delta({ type: 'input_json_delta', partial_json: json }));
      return [...start({ ...block, input: {} }), ...deltas, stop];
    }
  }
}

/** Splits a text into pieces of `pieceLength` characters, without splitting a character. */
export function piecesOf(text: string, pieceLength = usualPiece): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + pieceLength, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) {
      end++;
    }
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}
