import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dialects } from '../../../src/client/dialect';
import type { SessionEvent } from '../../../src/client/events/eventLog';
import type { Session } from '../../../src/client/resources/sessions';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient';

/** A session with its log, oldest event first, and the event id of its open ask. */
export interface FieldCase {
  readonly session: Session;
  readonly events: readonly SessionEvent[];
  readonly ask: string;
}

/** Reads a case of `test/fixtures/sessionAsks/`. */
export function fieldCase(name: string): FieldCase {
  const { session, events, ask } = JSON.parse(readFileSync(`test/fixtures/sessionAsks/${name}.json`, 'utf8'));
  return { session, events, ask: typeof ask === 'string' ? ask : ask.id };
}

export interface FieldService {
  readonly url: string;
  readonly client: ServiceClient;
  /** Requested paths with their queries. */
  readonly asked: string[];
  /** Served sessions. Changes show in the next response. */
  readonly cases: FieldCase[];
  close(): Promise<void>;
}

/** Starts a loopback service with these sessions and no threads. With `ignoresOrder`, the service always lists the oldest events first. */
export async function startFieldService(
  given: readonly FieldCase[],
  options: { readonly ignoresOrder?: boolean } = {},
): Promise<FieldService> {
  const cases = [...given];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    asked.push(`${url.pathname}${url.search}`);
    const [, , , id, what, stream] = url.pathname.split('/');
    const found = cases.find(({ session }) => session.id === id);
    if (id === undefined) {
      answer(response, 200, { data: cases.map(({ session }) => session), next_page: null });
    } else if (found === undefined || stream !== undefined || (what !== undefined && what !== 'events')) {
      answer(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'There is none.' } });
    } else if (what === undefined) {
      answer(response, 200, found.session);
    } else {
      const isNewestFirst = url.searchParams.get('order') === 'desc' && options.ignoresOrder !== true;
      const ordered = isNewestFirst ? [...found.events].reverse() : found.events;
      const start = Number(url.searchParams.get('page') ?? 0);
      const end = start + Number(url.searchParams.get('limit') ?? 20);
      answer(response, 200, { data: ordered.slice(start, end), next_page: end < ordered.length ? String(end) : null });
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createServiceClient({
    ...{ baseUrl: url, auth: 'x-api-key', dialect: dialects.contract },
    credential: async () => ({ key: 'field-key', origin: url }),
  });
  return {
    ...{ url, client, asked, cases },
    close: async () => {
      await client.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
