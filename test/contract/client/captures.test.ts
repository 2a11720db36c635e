import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceClientOptions } from '../../../src/client/clientOptions';
import { dialects } from '../../../src/client/dialect';
import { type SessionEvent, sessionEventSchema } from '../../../src/client/events/eventLog';
import { createServiceClient } from '../../../src/client/serviceClient';
import { ServiceError } from '../../../src/client/transport/errors';
import { knownEventTypes } from '../../../src/shared/session/rows/eventRows';
import { isPreviewEvent } from '../../../src/shared/session/rows/previews';
import { assertContains, type Capture, captureNames, parseCapture, recordedStream } from './recorded';
import { replay } from './replay';

/** Recorded calls that neither our client nor its transport can make. */
const unaskable: ReadonlySet<string> = new Set(['421-agents-head-options.http']);

/** Numbers of recorded calls for which our client has no method, such as the work queue and some filters. */
const foreign = [40, 49, 50, 51, 52, 59, 119, 238, 374, 420, 422].map(number => String(number).padStart(3, '0'));

interface RecordedPage {
  readonly data?: unknown;
  readonly next_page?: string | null;
  readonly has_more?: boolean;
  readonly last_id?: string;
}

function cursorOf({ next_page: next, has_more: hasMore, last_id: last }: RecordedPage): string | undefined {
  return next ? `page=${next}` : hasMore === true ? `after_id=${last}` : undefined;
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

  const names = captureNames('.http').filter(name => !unaskable.has(name));

  it('contains exchanges of every kind', () => {
    assert.ok(names.length >= 190, `${names.length}`);
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
        const error = await replay(options, capture).then(
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
        const { value, requestId, isOwn } = await replay(options, capture);
        assert.equal(requestId, headerIds[0]);
        assert.equal(isOwn, !foreign.includes(name.slice(0, 3)), 'by a method of the client');
        if (typeof value === 'string') {
          assert.equal(value, capture.body);
        } else {
          const recorded = JSON.parse(capture.body) as RecordedPage | null;
          if (recorded?.data === undefined || !isOwn) {
            assertContains(value, recorded, '$');
          } else {
            const page = value as { items: unknown; nextCursor: string | undefined };
            assertContains(page.items, recorded.data, '$.data');
            assert.equal(page.nextCursor, cursorOf(recorded));
            if (/\/events$/.test(capture.url.pathname)) {
              assertKnown(page.items as readonly SessionEvent[]);
            }
          }
        }
      }
      const attempts = new Set(seen);
      assert.deepEqual([...attempts], [`${capture.method} ${capture.url.pathname} recorded-key 2023-06-01`]);
    });
  }

  for (const name of captureNames('.sse')) {
    it(`reads the stream ${name} without loss, split at any position`, async () => {
      const text = recordedStream(name);
      const expected = text.split('\n').flatMap(line => (line.startsWith('data: ') ? [JSON.parse(line.slice('data: '.length))] : []));
      for (const pieces of [[text], text.split(/(?<=[a-z]{3})/)]) {
        const streaming = http.createServer(async (_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const piece of pieces) {
            response.write(piece);
          }
          response.end();
        });
        await new Promise<void>(resolve => streaming.listen(0, '127.0.0.1', resolve));
        const origin = `http://127.0.0.1:${(streaming.address() as AddressInfo).port}`;
        const client = createServiceClient({ ...options, baseUrl: origin, credential: async () => ({ key: 'k', origin }) });
        try {
          const events: SessionEvent[] = [];
          for await (const event of await client.sessions.events('sesn_1').stream()) {
            events.push(event);
          }
          assert.deepEqual(events, expected);
          assertKnown(events);
        } finally {
          await client.close();
          await new Promise(resolve => streaming.close(resolve));
        }
      }
    });
  }
});

/** Asserts that every event decodes without loss, and that its type is known or that of a preview. */
function assertKnown(events: readonly SessionEvent[]): void {
  for (const event of events) {
    assert.ok(isPreviewEvent(event) || knownEventTypes.includes(event.type), event.type);
    assertContains(sessionEventSchema.parse(event), event, event.type);
  }
}
