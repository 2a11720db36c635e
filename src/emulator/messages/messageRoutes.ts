import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from '../../client/dialect';
import { invalidRequest } from '../http/apiError';
import { creditObjectBeta, hasBeta } from '../http/guard';
import { type Route, routesBelow } from '../http/kindRoutes';
import { type Exchange, toFrame } from '../http/serverExchange';
import type { WireObject } from '../http/toWire';
import type { Scenario } from '../scenarios';
import { randomId } from '../state/recordStore';
import { type EmulatedBlock, type EmulatedMessage, errorOf, inputTokens, markerOf } from './answers';
import type { MessageParams } from './checkParams';
import type { MessageService } from './messageService';

const largestBody = 32 * 1024 * 1024;

interface MessageRouteParts {
  readonly messages: MessageService;
  readonly scenario: () => Scenario;
  readonly dialect: Dialect;
}

export function messageRoutes(parts: MessageRouteParts): readonly Route[] {
  const route = routesBelow('messages', '/v1/messages');
  return [
    route('POST', 'create', '', exchange => create(exchange, parts)),
    route('POST', 'countTokens', '/count_tokens', async exchange => {
      const body = await readBody(exchange);
      // The check requires `max_tokens`, which a token count does not have. Every model accepts 64,000.
      const params = checkMessage(exchange, { max_tokens: 64_000, ...body }, parts);
      await exchange.sendJson({ input_tokens: inputTokens(params), context_management: null });
    }),
  ];
}

async function readBody(exchange: Exchange): Promise<object> {
  const body = await exchange.json(largestBody);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest('Input should be an object');
  }
  return body;
}

/** Returns the checked params of a message. Throws a 400 that names the field. */
function checkMessage(exchange: Exchange, body: object, { messages, dialect }: MessageRouteParts): MessageParams {
  const checked = messages.check(body);
  if ('problem' in checked) {
    throw invalidRequest(checked.problem);
  }
  const { params } = checked;
  if (typeof params.fallback_credit_token === 'object' && params.fallback_credit_token && !hasBeta(exchange, dialect, creditObjectBeta)) {
    throw invalidRequest('fallback_credit_token: Input should be a valid string');
  }
  return params;
}

async function create(exchange: Exchange, parts: MessageRouteParts): Promise<void> {
  const params = checkMessage(exchange, await readBody(exchange), parts);
  const marker = markerOf(params);
  const failure = errorOf(marker);
  if (failure !== undefined && !(marker?.name === 'stream-error' && params.stream === true)) {
    throw failure;
  }
  const { streamPause, answerLength } = parts.scenario();
  const options = { seed: randomId(16), tier: 'standard', length: answerLength, cutShort: false } as const;
  const message = parts.messages.answer(params, marker, options);
  if (params.stream !== true) {
    await exchange.sendJson(message);
    return;
  }
  const events = eventsOf(message);
  const breakAt = failure !== undefined || marker?.name === 'cut' ? Math.ceil(events.length / 2) : events.length;
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  await exchange.sendStream(
    headers,
    paced(events.slice(0, breakAt), streamPause, exchange.signal, () => {
      if (marker?.name === 'cut') {
        exchange.cut();
      }
      return failure?.body(exchange.requestId);
    }),
  );
}

/** Yields server-sent events with a pause before each delta. `last` can add one more event or close the connection. */
async function* paced(
  events: readonly { readonly type: string }[],
  pause: number,
  signal: AbortSignal,
  last: () => { readonly type: string } | undefined,
): AsyncGenerator<Buffer> {
  for (const event of events) {
    if (pause > 0 && event.type === 'content_block_delta') {
      await sleep(pause, undefined, { signal });
    }
    yield Buffer.from(toFrame(event));
  }
  const more = last();
  if (more !== undefined) {
    yield Buffer.from(toFrame(more));
  }
}

const usualPiece = 12;

/**
 * Returns a message as the events of a stream, in the service's order: `message_start`, a ping, each block in pieces, the final counts,
 * `message_stop`.
 */
export function eventsOf(message: EmulatedMessage): readonly WireObject[] {
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

function eventsOfBlock(block: EmulatedBlock, index: number): WireObject[] {
  const delta = (change: object): WireObject => ({ type: 'content_block_delta', index, delta: change });
  const start = (empty: object): WireObject[] => {
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
