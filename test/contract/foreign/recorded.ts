import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceClientOptions } from '../../../src/client/clientOptions';
import { dialects } from '../../../src/client/dialect';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { Loopback } from '../../unit/client/loopback';

/** A recorded request and its response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly req: string;
  readonly status: number;
  readonly res: string;
}

/** Returns the recorded exchanges of a service. */
export function exchangesOf(name: string): readonly Exchange[] {
  return JSON.parse(readFileSync(path.resolve('test/fixtures/services', `${name}.json`), 'utf8'));
}

/** A service that replays recorded responses by method and path, without the query. Other requests get a 404. */
export class Recorded {
  readonly asked: string[] = [];

  private constructor(readonly client: ServiceClient) {}

  static async serve(loopback: Loopback, name: string, options: Partial<ServiceClientOptions> = {}): Promise<Recorded> {
    const exchanges = exchangesOf(name);
    const plain = (url: string) => url.split('?', 1)[0];
    const origin = await loopback.http((request, response) => {
      const url = request.url ?? '';
      service.asked.push(`${request.method} ${plain(url)}`);
      const found = exchanges.find(exchange => exchange.method === request.method && plain(exchange.path) === plain(url));
      request.resume().on('end', () => {
        response.writeHead(found?.status ?? 404, { 'content-type': 'application/json' }).end(found?.res ?? '{"error":"not found"}');
      });
    });
    const service = new Recorded(loopback.client(origin, { dialect: dialects['anthropic-2023'], ...options }));
    return service;
  }
}
