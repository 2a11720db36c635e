import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListOptions, StreamedBody } from '../../../src/client/answer';
import { dialects, type ResourceGroup } from '../../../src/client/dialect';
import { ServiceError } from '../../../src/client/errors';
import { decodeTolerantly } from '../../../src/client/schemas/decode';
import { batchResultSchema } from '../../../src/client/schemas/messageBatches';
import { createServiceClient, type ServiceClientOptions } from '../../../src/client/serviceClient';
import { type Call, Transport } from '../../../src/client/transport';

const folder = 'test/fixtures/captures';

/** One exchange with a real server, as it was recorded. */
interface Capture {
  readonly name: string;
  readonly method: string;
  readonly url: URL;
  readonly requestBody: string;
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

function parseCapture(name: string): Capture {
  const [request = '', response = ''] = readFileSync(`${folder}/${name}`, 'utf8').split(/\n?### RESPONSE after \d+ ms\n/);
  const [requestHead = '', ...requestRest] = request.split('\n\n');
  const [method = '', target = ''] = requestHead.split(' ');
  const end = response.indexOf('\n\n');
  const [statusLine = '', ...headerLines] = response.slice(0, end).split('\n');
  const headers = headerLines.map(line => line.split(': ')).filter(([key = '']) => !/^(content-length|transfer-encoding)$/i.test(key));
  return {
    name,
    method,
    url: new URL(target, 'http://recorded'),
    requestBody: requestRest.join('\n\n').trim(),
    status: Number(statusLine.split(' ')[1]),
    rawHeaders: headers.flatMap(([key = '', ...value]) => [key, value.join(': ')]),
    body: response.slice(end + 2),
  };
}

/** Every field of `expected` is in `actual` with the same value; `actual` may have more (defaults). */
function assertKept(actual: unknown, expected: unknown, path: string): void {
  if (typeof expected !== 'object' || expected === null) {
    assert.deepEqual(actual, expected, path);
    return;
  }
  assert.ok(typeof actual === 'object' && actual !== null, path);
  assert.equal(Array.isArray(actual), Array.isArray(expected), path);
  if (Array.isArray(expected)) {
    assert.equal((actual as unknown[]).length, expected.length, path);
  }
  for (const [key, value] of Object.entries(expected)) {
    assertKept((actual as Readonly<Record<string, unknown>>)[key], value, `${path}.${key}`);
  }
}

describe('client against the recorded exchanges of a real server', () => {
  let current: Capture | undefined;
  const seen: string[] = [];
  const server = http.createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      seen.push(`${request.method} ${request.url?.split('?')[0]} ${request.headers['x-api-key']} ${request.headers['anthropic-version']}`);
      response.writeHead(current?.status ?? 500, [...(current?.rawHeaders ?? [])]);
      response.end(current?.body);
    });
  });
  let options: ServiceClientOptions;

  before(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    options = {
      baseUrl: origin,
      auth: 'x-api-key',
      dialect: dialects['anthropic-2023'],
      credential: async () => ({ key: 'recorded-key', origin }),
      clock: { now: () => 0, sleep: async () => {} },
    };
  });
  after(() => new Promise(resolve => server.close(resolve)));

  /** Makes the recorded call through the client; gives what it decoded in the shape of the recorded body. */
  async function replay({
    method,
    url,
    requestBody,
  }: Capture): Promise<{ readonly value: unknown; readonly requestId: string | undefined }> {
    const client = createServiceClient(options);
    const transport = new Transport(options);
    try {
      const [, id, action] = /^\/v1\/messages\/batches(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
      const isBatches = url.pathname.startsWith('/v1/messages/batches');
      if (method === 'GET' && (url.pathname === '/v1/models' || (isBatches && id === undefined))) {
        const list: ListOptions = { limit: Number(url.searchParams.get('limit')) || undefined };
        const page = await (isBatches ? client.batches.list(list) : client.models.list(list));
        return { value: page, requestId: page.requestId };
      }
      if (method === 'POST' && url.pathname === '/v1/messages') {
        const { data: value, requestId } = await client.messages.create(requestBody);
        return { value, requestId };
      }
      if (isBatches && id === undefined) {
        const bytes = Buffer.from(requestBody);
        const body: StreamedBody = {
          byteLength: bytes.length,
          async *open() {
            yield bytes;
          },
        };
        const { data: value, requestId } = await client.batches.create(body);
        return { value, requestId };
      }
      if (id !== undefined && action === 'results') {
        const { body, requestId } = await client.batches.results(id);
        const parts: Uint8Array[] = [];
        for await (const part of body) {
          parts.push(part);
        }
        return { value: Buffer.concat(parts).toString(), requestId };
      }
      if (id !== undefined) {
        const { data: value, requestId } = await (action === 'cancel'
          ? client.batches.cancel(id)
          : method === 'DELETE'
            ? client.batches.delete(id)
            : client.batches.retrieve(id));
        return { value, requestId };
      }
      // Groups that have no resource in the client yet: the errors of the service are the same.
      const group: ResourceGroup = url.pathname.startsWith('/v1/models') ? 'models' : 'agents';
      const call: Call = { method: method === 'POST' ? 'POST' : 'GET', group, path: url.pathname.slice('/v1'.length) };
      const { data: value, requestId } = await transport.json(call, decoded => decoded);
      return { value, requestId };
    } finally {
      await client.close();
      await transport.close();
    }
  }

  const names = readdirSync(folder).filter(name => name.endsWith('.http'));

  it('has exchanges of every kind', () => {
    assert.ok(names.length >= 60, `${names.length}`);
  });

  for (const name of names) {
    const capture = parseCapture(name);
    it(`decodes ${name} (${capture.status}) without loss`, async () => {
      current = capture;
      seen.length = 0;
      const headerIds = capture.rawHeaders.flatMap((key, index) =>
        index % 2 === 0 && /^request-id$/i.test(key) ? [capture.rawHeaders[index + 1]] : [],
      );
      if (capture.status >= 400) {
        const recorded = JSON.parse(capture.body) as { error: { type: string; message: string } };
        const error = await replay(capture).then(
          () => assert.fail('it did not fail'),
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof ServiceError, String(error));
        assert.deepEqual(
          [error.status, error.errorType, error.serviceMessage, error.requestId, error.outcome],
          [capture.status, recorded.error.type, recorded.error.message, headerIds[0], 'refused'],
        );
        assert.ok(error.message.includes(recorded.error.message) && error.message.includes(headerIds[0] ?? ''), error.message);
      } else {
        const { value, requestId } = await replay(capture);
        assert.equal(requestId, headerIds[0]);
        if (typeof value === 'string') {
          assert.equal(value, capture.body);
          for (const line of value.split('\n').filter(text => text !== '')) {
            assertKept(decodeTolerantly(batchResultSchema, JSON.parse(line)), JSON.parse(line), '$');
          }
        } else {
          const recorded = JSON.parse(capture.body) as { data?: unknown; has_more?: boolean; last_id?: string };
          if (recorded.data === undefined) {
            assertKept(value, recorded, '$');
          } else {
            const page = value as { items: unknown; nextCursor: string | undefined };
            assertKept(page.items, recorded.data, '$.data');
            assert.equal(page.nextCursor, recorded.has_more === true ? `after_id=${recorded.last_id}` : undefined);
          }
        }
      }
      const attempts = new Set(seen);
      assert.deepEqual([...attempts], [`${capture.method} ${capture.url.pathname} recorded-key 2023-06-01`]);
    });
  }
});
