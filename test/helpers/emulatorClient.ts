import { once } from 'node:events';
import net from 'node:net';
import { dialects } from '../../src/client/dialect';
import { createServiceClient, type ServiceClient } from '../../src/client/serviceClient';
import type { Emulator } from '../../src/emulator/server';

/** Returns headers of the contract's dialect with the emulator's key. */
export function contractHeaders(key: string): Record<string, string> {
  const betas = 'message-batches-2024-09-24, managed-agents-2026-04-01, files-api-2025-04-14';
  return { 'x-api-key': key, 'vendor-beta': betas, 'content-type': 'application/json' };
}

/** Returns a client of an emulator in the contract's dialect. */
export function contractClient(
  { url, key }: Pick<Emulator, 'url' | 'key'>,
  { baseUrl = url, ...more }: Partial<Parameters<typeof createServiceClient>[0]> = {},
): ServiceClient {
  return createServiceClient({
    ...{ baseUrl, auth: 'x-api-key', dialect: dialects.contract },
    credential: async () => ({ key, origin: new URL(baseUrl).origin }),
    ...more,
  });
}

/** Makes a call to an emulator in the contract's dialect. `json` is the parsed body, if it is JSON. */
export async function call(
  emulator: Pick<Emulator, 'url' | 'key'>,
  method: string,
  path: string,
  body?: object | string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(emulator.url + path, {
    method,
    headers: { ...contractHeaders(emulator.key), ...headers },
    body: typeof body === 'object' ? JSON.stringify(body) : body,
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text), requestId: response.headers.get('request-id') };
}

/** Sends raw bytes on a new connection. Resolves with all bytes received until the connection is closed. */
export async function sendRaw(url: string, bytes: string, options: { readonly closeAfterSending?: boolean } = {}): Promise<string> {
  const { port } = new URL(url);
  const socket = net.connect(Number(port), '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', part => parts.push(part));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise<void>(resolve => socket.write(bytes, () => resolve()));
  if (options.closeAfterSending === true) {
    socket.destroy();
  }
  await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

/** Returns requests for a batch, with the ids `r0`, `r1`, ... */
export function batchOf(...texts: string[]) {
  return {
    requests: texts.map((content, n) => ({
      custom_id: `r${n}`,
      params: { model: 'vendor-sonnet-5', max_tokens: 300, messages: [{ role: 'user', content }] },
    })),
  };
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An event from the log or the stream. Its other fields depend on its type. */
export interface ReadEvent {
  readonly type: string;
  readonly id: string;
  // Tests read any field of an event.
  readonly [field: string]: unknown;
}

/** A session on an emulator whose `sessionPause` is 0. Every call resolves once the session has nothing left to do. */
export class SessionOnEmulator {
  private constructor(
    private readonly emulator: Emulator,
    readonly id: string,
  ) {}

  /** Starts a session of the agent with this name or id, in the first environment. */
  static async start(emulator: Emulator, agent: string, params: object = {}): Promise<SessionOnEmulator> {
    const agents: { id: string; name: string }[] = (await call(emulator, 'GET', '/v1/agents?beta=true')).json.data;
    const environments: { id: string }[] = (await call(emulator, 'GET', '/v1/environments?beta=true')).json.data;
    const agentId = agents.find(({ name }) => name === agent)?.id ?? agent;
    const body = { agent: agentId, environment_id: environments.at(-1)?.id, ...params };
    const { json, status, text } = await call(emulator, 'POST', '/v1/sessions?beta=true', body);
    if (status !== 200) {
      throw new Error(text);
    }
    await emulator.advanceClock(0);
    return new SessionOnEmulator(emulator, json.id);
  }

  static of(emulator: Emulator, id: string): SessionOnEmulator {
    return new SessionOnEmulator(emulator, id);
  }

  async send(...events: readonly object[]) {
    const answer = await call(this.emulator, 'POST', `/v1/sessions/${this.id}/events?beta=true`, { events });
    await this.emulator.advanceClock(0);
    return answer;
  }

  say(text: string) {
    return this.send({ type: 'user.message', content: [{ type: 'text', text }] });
  }

  async events(query = 'order=asc', thread?: string): Promise<ReadEvent[]> {
    const found: ReadEvent[] = [];
    let page = '';
    do {
      const below = thread === undefined ? '' : `/threads/${thread}`;
      const path = `/v1/sessions/${this.id}${below}/events?beta=true&limit=1000&${query}`;
      const { json } = await call(this.emulator, 'GET', path + (page === '' ? '' : `&page=${encodeURIComponent(page)}`));
      found.push(...json.data);
      page = json.next_page ?? '';
    } while (page !== '');
    return found;
  }

  async types(thread?: string): Promise<string[]> {
    return (await this.events('order=asc', thread)).map(({ type }) => type);
  }

  /** Returns the latest event of a type. */
  async last(type: string): Promise<ReadEvent> {
    const found = (await this.events()).filter(event => event.type === type).at(-1);
    if (found === undefined) {
      throw new Error(`There is no ${type}: ${(await this.types()).join(' ')}`);
    }
    return found;
  }

  async retrieve() {
    return (await call(this.emulator, 'GET', `/v1/sessions/${this.id}?beta=true`)).json;
  }
}

/** An open event stream. */
export interface OpenStream {
  /** Received frames, including comments, without their last two line feeds. */
  readonly frames: readonly string[];
  /** Events of the frames. A frame with invalid JSON has the type `broken`. */
  readonly events: readonly ReadEvent[];
  /** Resolves once `isEnough` returns true. Rejects if the stream ends earlier. */
  until(isEnough: (stream: OpenStream) => boolean): Promise<void>;
  /** Resolves when the stream has ended: `ended` by the service, or `cut` by a lost connection. */
  readonly ended: Promise<'ended' | 'cut'>;
  close(): void;
}

/** Opens an event stream. Resolves after its first comment. */
export async function openStream(emulator: Pick<Emulator, 'url' | 'key'>, path: string): Promise<OpenStream> {
  const abort = new AbortController();
  const headers = { ...contractHeaders(emulator.key), accept: 'text/event-stream' };
  const response = await fetch(emulator.url + path, { headers, signal: abort.signal });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`${response.status} ${await response.text()}`);
  }
  const frames: string[] = [];
  const events: ReadEvent[] = [];
  const waiting = new Set<() => void>();
  let how: 'ended' | 'cut' | undefined;
  const read = async (body: ReadableStream<Uint8Array>): Promise<'ended' | 'cut'> => {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const piece of body) {
        const parts = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
        rest = parts.pop() ?? '';
        for (const frame of parts) {
          frames.push(frame);
          const data = /^data: (.*)$/m.exec(frame)?.[1];
          if (data !== undefined) {
            events.push(parsed(data) ?? { type: 'broken', id: '' });
          }
        }
        waiting.forEach(check => {
          check();
        });
      }
      return 'ended';
    } catch {
      return 'cut';
    }
  };
  const ended = read(response.body).then(result => {
    how = result;
    waiting.forEach(check => {
      check();
    });
    return result;
  });
  const stream: OpenStream = {
    frames,
    events,
    ended,
    close: () => abort.abort(),
    until: isEnough =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (isEnough(stream)) {
            waiting.delete(check);
            resolve();
          } else if (how !== undefined) {
            waiting.delete(check);
            reject(new Error(`The stream has ${how} before that: ${frames.join(' | ').slice(0, 2000)}`));
          }
        };
        waiting.add(check);
        check();
      }),
  };
  await stream.until(({ frames: read }) => read.length > 0);
  return stream;
}
