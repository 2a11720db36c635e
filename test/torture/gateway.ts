import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Behaviour of a gateway between a window and the service for one create. */
export type Whim =
  | { readonly kind: 'pass' }
  /** The service never receives the create, and no response arrives. */
  | { readonly kind: 'lose request' }
  /** The service handles the create, but no response arrives. */
  | { readonly kind: 'lose answer' }
  /** The gateway responds with a page. The service never receives the create. */
  | { readonly kind: 'page instead'; readonly status: number }
  /** The gateway responds with an error in the service's format. The service never receives the create. */
  | { readonly kind: 'refuse'; readonly status: number }
  /** The service handles the create, but the gateway responds with a page. */
  | { readonly kind: 'page after'; readonly status: number }
  /** The gateway responds with 200 and a body that isn't the new batch. `isCarried` is true if the service has created the batch. */
  | { readonly kind: 'wrong body'; readonly body: WrongBody; readonly isCarried: boolean }
  /** The response arrives byte by byte. */
  | { readonly kind: 'drip' };

export const wrongBodies = ['known batch', 'ended', 'other counts', 'older', 'session', 'dots', 'error', 'empty'] as const;
export type WrongBody = (typeof wrongBodies)[number];

/** Responses to a list request that don't contain a list. */
export const oddLists: readonly unknown[] = [
  ...[{}, { data: null }, { batches: [] }, { type: 'error' }, { type: 'error', error: { type: 'api_error', message: 'x' } }],
  ...[{ data: [], has_more: true }, { data: [], has_more: true, next_page: 'p' }, { data: [{}], has_more: false }, [], null],
];

/** Wrong responses to reads. A test can change them while the gateway runs. */
export interface Reads {
  /** Bodies of the next responses to lists of batches. */
  readonly lists: unknown[];
  /** Batch `of` whose next reads get the response for batch `by`. */
  wrong?: { readonly what: 'batch' | 'results'; readonly of: string; readonly by: string; times: number };
}

/** A gateway in front of a service that records the body of each batch. */
export interface Gateway {
  readonly url: string;
  /** The body of each create that the service handled, by batch id. */
  readonly bodies: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

const page = '<!doctype html><html><body><h1>The gateway speaks</h1></body></html>';
const refusal = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });

/**
 * Starts a gateway on loopback. Each create gets the next whim. Creates after the last whim pass. `known` is the JSON of a batch that the
 * windows know.
 */
export async function startGateway(target: string, whims: readonly Whim[], reads: Reads = { lists: [] }, known = '{}'): Promise<Gateway> {
  const left = [...whims];
  const bodies = new Map<string, string>();
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    carry(request, response).catch(() => response.destroy());
  });

  async function carry(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await readAll(request);
    const whim: Whim = isCreate(request) ? (left.shift() ?? pass) : pass;
    if (whim.kind === 'lose request') {
      response.destroy();
      return;
    }
    if (whim.kind === 'page instead') {
      answerError(response, whim.status, 'text/html', page);
      return;
    }
    if (whim.kind === 'refuse') {
      answerError(response, whim.status, 'application/json', refusal);
      return;
    }
    if (whim.kind === 'wrong body' && !whim.isCarried) {
      answerJson(response, toWrongBody(whim.body, known));
      return;
    }
    if (isList(request) && reads.lists.length > 0) {
      answerJson(response, JSON.stringify(reads.lists.shift()));
      return;
    }
    request.url = pathOf(request.url ?? '', reads);
    const answer = await forward(request, body);
    if (isCreate(request) && answer.status === 200) {
      bodies.set(JSON.parse(answer.body.toString()).id, body.toString());
    }
    if (whim.kind === 'lose answer') {
      response.destroy();
    } else if (whim.kind === 'page after') {
      answerError(response, whim.status, 'text/html', page);
    } else if (whim.kind === 'wrong body' && answer.status === 200) {
      answerJson(response, toWrongBody(whim.body, whim.body === 'known batch' ? known : answer.body.toString()));
    } else {
      response.writeHead(answer.status, answer.headers);
      for (const byte of whim.kind === 'drip' ? answer.body : []) {
        response.write(Buffer.of(byte));
        await wait(1);
      }
      response.end(whim.kind === 'drip' ? undefined : answer.body);
    }
  }

  async function forward({ method, url, headers }: http.IncomingMessage, body: Buffer) {
    const { hostname, port } = new URL(target);
    const onward = http.request({ agent, hostname, port, method, path: url, headers: { ...headers, host: `${hostname}:${port}` } });
    onward.end(body);
    const [answer] = (await once(onward, 'response')) as [http.IncomingMessage];
    const { connection, 'transfer-encoding': encoding, ...kept } = answer.headers;
    return { status: answer.statusCode ?? 0, headers: kept, body: await readAll(answer) };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    bodies,
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const pass: Whim = { kind: 'pass' };

function answerError(response: http.ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType, 'retry-after': '1' });
  response.end(body);
}

function answerJson(response: http.ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(body);
}

/** Returns a wrong response body, derived from the JSON of a batch. */
function toWrongBody(wrong: WrongBody, text: string): string {
  const batch = JSON.parse(text);
  const another = { ...batch, id: `${batch.id}x` };
  const counts = { ...batch.request_counts, processing: (batch.request_counts?.processing ?? 0) + 1 };
  const bodies: Readonly<Record<WrongBody, unknown>> = {
    'known batch': batch,
    ended: { ...another, processing_status: 'ended' },
    'other counts': { ...another, request_counts: counts },
    older: { ...another, created_at: '2026-01-01T00:00:00Z' },
    session: { ...another, type: 'session' },
    dots: { ...batch, id: '..' },
    error: { type: 'error', error: { type: 'api_error', message: 'x' } },
    empty: {},
  };
  return JSON.stringify(bodies[wrong]);
}

/** Returns the path to which a request is forwarded. A read that gets a wrong response is forwarded to the path of another batch. */
function pathOf(url: string, { wrong }: Reads): string {
  if (wrong === undefined || wrong.times === 0) {
    return url;
  }
  const [path = '', query] = url.split('?');
  const end = wrong.what === 'batch' ? '' : '/results';
  if (path !== `/v1/messages/batches/${wrong.of}${end}`) {
    return url;
  }
  wrong.times--;
  return `/v1/messages/batches/${wrong.by}${end}${query === undefined ? '' : `?${query}`}`;
}

/** Returns all bytes of a message. Rejects if the message was cut. */
async function readAll(message: http.IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) {
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

function isList({ method, url }: http.IncomingMessage): boolean {
  return method === 'GET' && url?.split('?', 1)[0] === '/v1/messages/batches';
}

function isCreate({ method, url }: http.IncomingMessage): boolean {
  return method === 'POST' && url?.split('?', 1)[0] === '/v1/messages/batches';
}
