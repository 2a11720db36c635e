import { setTimeout as sleep } from 'node:timers/promises';
import { answer, errorOf, markerOf } from '../answers';
import { checkParams } from '../batches/checkParams';
import { invalidRequest } from '../http/apiError';
import type { Route } from '../http/matchRoute';
import type { Exchange } from '../http/serverExchange';
import { eventsOf } from '../messagePieces';
import type { ModelCatalog } from '../modelCatalog';
import type { Scenario } from '../scenarios';
import { randomId } from '../state/randomId';

const largestBody = 32 * 1024 * 1024;

/** `POST /v1/messages`, plain and streamed. */
export function messageRoutes(models: ModelCatalog, scenario: () => Scenario): readonly Route[] {
  return [
    {
      name: 'messages.create',
      method: 'POST',
      path: '/v1/messages',
      beta: undefined,
      handle: exchange => create(exchange, models, scenario),
    },
  ];
}

async function create(exchange: Exchange, models: ModelCatalog, scenario: () => Scenario): Promise<void> {
  const body = await exchange.json(largestBody);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest('Input should be an object');
  }
  const checked = checkParams(body, models);
  if ('problem' in checked) {
    throw invalidRequest(checked.problem);
  }
  const { params } = checked;
  const marker = markerOf(params);
  const failure = errorOf(marker);
  if (failure !== undefined && !(marker?.name === 'stream-error' && params.stream === true)) {
    throw failure;
  }
  const { streamPause, answerLength } = scenario();
  const message = answer(params, marker, {
    seed: randomId(16),
    inputBytes: exchange.record?.bodyBytes ?? 0,
    tier: 'standard',
    length: answerLength,
    cutShort: false,
  });
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
      return failure === undefined ? undefined : { ...failure.body(exchange.requestId) };
    }),
  );
}

/** The events as server-sent events, a pause before each delta; `last` may add one more or cut the connection. */
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
    yield encoded(event);
  }
  const more = last();
  if (more !== undefined) {
    yield encoded(more);
  }
}

function encoded(event: { readonly type: string }): Buffer {
  return Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}
