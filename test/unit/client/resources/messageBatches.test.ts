import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { BodyPosition } from '../../../../src/client/transport/callResult';
import { canary, collect, failureOf, json, Loopback } from '../loopback';

describe('client/resources/messageBatches', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it("uses the contract's paths and methods, with IDs encoded as one segment", async () => {
    const seen: string[] = [];
    const origin = await loopback.http((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      json(response, { id: decodeURIComponent(request.url?.split(/[/?]/)[4] ?? ''), data: [] });
    });
    const { batches } = loopback.client(origin);
    await batches.list({ limit: 3, cursor: 'after_id=a b' });
    await batches.retrieve('a/b?c#d');
    await batches.cancel("it's");
    await batches.delete('ü');
    await batches.results('../x');
    assert.deepEqual(seen, [
      'GET /v1/messages/batches?limit=3&after_id=a+b&beta=true',
      'GET /v1/messages/batches/a%2Fb%3Fc%23d?beta=true',
      'POST /v1/messages/batches/it%27s/cancel?beta=true',
      'DELETE /v1/messages/batches/%C3%BC?beta=true',
      'GET /v1/messages/batches/..%2Fx/results?beta=true',
    ]);
  });

  it('rejects IDs that would name another path', async () => {
    const { batches } = loopback.client(`http://127.0.0.1:${await loopback.closedPort()}`);
    for (const id of ['', '.', '..']) {
      const error = await failureOf(batches.retrieve(id));
      assert.deepEqual([error.kind, error.outcome], ['invalid_request', 'not_sent']);
    }
  });

  it('resumes results only if the service sends exactly the missing part of the same results', async () => {
    const whole = '0123456789';
    const modified = 'Sat, 01 Jan 2022 00:00:00 GMT';
    let from: BodyPosition = { offset: 4, validator: '"v1"', totalBytes: 10, lastModified: modified };
    type Head = readonly [status: number, headers: Record<string, string>];
    let answer: Head = [200, {}];
    const asked: unknown[] = [];
    const origin = await loopback.http((request, response) => {
      const { range, 'if-range': known } = request.headers;
      asked.push(range && [range, known]);
      const [status, headers] = range === undefined ? ([200, {}] as Head) : answer;
      response.writeHead(status, headers).end(status === 206 ? whole.slice(4) : status === 200 ? whole : '');
    });
    const { batches } = loopback.client(origin);
    const take = async (...head: Head) => {
      answer = head;
      const { body, start } = await batches.results('b', { from });
      return [start, Buffer.concat(await collect(body)).toString()];
    };
    const range = { 'content-range': 'bytes 4-9/10', etag: '"v1"' };
    assert.deepEqual(await take(206, range), [4, '456789']);
    assert.deepEqual(await take(206, { ...range, 'last-modified': modified }), [4, '456789']);
    assert.deepEqual(asked.splice(0), [
      ['bytes=4-', '"v1"'],
      ['bytes=4-', '"v1"'],
    ]);
    const refused: readonly Head[] = [
      [200, {}],
      [416, {}],
      [206, {}],
      [206, { ...range, 'content-range': 'bytes 5-9/10' }],
      [206, { ...range, 'content-range': 'bytes 4-8/10' }],
      [206, { ...range, 'content-range': 'bytes 4-9/*' }],
      [206, { ...range, 'content-range': 'bytes 4-10/11' }],
      [206, { 'content-range': 'bytes 4-9/10' }],
      [206, { ...range, etag: '"v2"' }],
      [206, { ...range, 'last-modified': 'Sun, 02 Jan 2022 00:00:00 GMT' }],
      [206, { ...range, 'content-encoding': 'gzip' }],
    ];
    for (const head of refused) {
      assert.deepEqual(await take(...head), [0, whole], JSON.stringify(head));
    }
    from = { offset: 4, validator: modified, totalBytes: 10 };
    assert.deepEqual(await take(206, { 'content-range': 'bytes 4-9/10', 'last-modified': modified }), [4, '456789']);
    assert.deepEqual(await take(206, { 'content-range': 'bytes 4-9/10' }), [0, whole]);
    assert.deepEqual(await take(206, { 'content-range': 'bytes 4-9/10', 'last-modified': 'Sun, 02 Jan 2022 00:00:00 GMT' }), [0, whole]);
    asked.length = 0;
    from = { offset: 4, validator: '"v\u00e9"', totalBytes: 10 };
    assert.deepEqual(await take(206, range), [0, whole]);
    assert.deepEqual(asked, [undefined]);
  });

  it('knows by its headers whether a body can be resumed', async () => {
    const offers: readonly (readonly [Record<string, string>, string | undefined])[] = [
      [{ 'accept-ranges': 'bytes', etag: '"v1"' }, '"v1"'],
      [{ 'accept-ranges': 'bytes', 'last-modified': 'Sat, 01 Jan 2022 00:00:00 GMT' }, 'Sat, 01 Jan 2022 00:00:00 GMT'],
      [{ 'accept-ranges': 'bytes', etag: 'W/"v1"', 'last-modified': 'Sat, 01 Jan 2022 00:00:00 GMT' }, undefined],
      [{ 'accept-ranges': 'bytes', etag: '"v\u00e9"' }, undefined],
      [{ 'accept-ranges': 'bytes' }, undefined],
      [{ 'accept-ranges': 'none', etag: '"v1"' }, undefined],
      [{ etag: '"v1"' }, undefined],
    ];
    for (const [headers, validator] of offers) {
      const origin = await loopback.http((_, response) => void response.writeHead(200, headers).end('{}'));
      const stream = await loopback.client(origin).batches.results('b');
      assert.equal(stream.validator, validator, JSON.stringify(headers));
      await collect(stream.body);
    }
  });

  it('retries a failed call for results, unless its caller does', async () => {
    let count = 0;
    const origin = await loopback.http((_, response) => {
      count++;
      json(response, {}, 503);
    });
    const { batches } = loopback.client(origin);
    for (const [options, calls] of [
      [{ once: true }, 1],
      [{}, 3],
    ] as const) {
      count = 0;
      assert.equal((await failureOf(batches.results('b', options))).status, 503);
      assert.equal(count, calls);
    }
  });

  it('reads results from its own address, whatever results_url says', async () => {
    const elsewhere: string[] = [];
    const other = await loopback.http((request, response) => {
      elsewhere.push(request.url ?? '');
      response.end();
    });
    const origin = await loopback.http((request, response) => {
      if (request.url?.includes('/results')) {
        response
          .writeHead(200, { 'content-type': 'application/x-jsonl', 'content-length': 18, 'request-id': 'req_r' })
          .end('{"custom_id":"a"}\n');
      } else {
        json(response, { id: 'b', results_url: `${other}/v1/messages/batches/b/results` });
      }
    });
    const { batches } = loopback.client(origin);
    const { data } = await batches.retrieve('b');
    const stream = await batches.results(data.id);
    assert.deepEqual([stream.contentLength, stream.requestId], [18, 'req_r']);
    assert.equal(inspect(stream, { depth: 10, showHidden: true }).includes(canary), false);
    assert.equal(Buffer.concat(await collect(stream.body)).toString(), '{"custom_id":"a"}\n');
    assert.deepEqual(elsewhere, []);
  });

  it('keeps unknown fields, statuses and counts', async () => {
    const answer = {
      id: 'b',
      processing_status: 'paused',
      request_counts: { processing: 1, queued: 2 },
      results_url: null,
      workspace: { id: 'w' },
    };
    const origin = await loopback.http((_, response) => json(response, answer));
    const { data } = await loopback.client(origin).batches.retrieve('b');
    assert.deepEqual(data, {
      ...answer,
      type: 'message_batch',
      request_counts: { processing: 1, queued: 2, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
    });
  });

  it('leaves out a field of a wrong type, logs it, and requires the ID', async () => {
    const lines: string[] = [];
    const add = (line: string) => lines.push(line);
    const origin = await loopback.http((request, response) =>
      json(response, request.url?.includes('bad') ? { id: 5 } : { id: 'b', ended_at: 12, extra: true }),
    );
    const { batches } = loopback.client(origin, { log: { debug: add, info: add, warn: add } });
    const { data } = await batches.retrieve('b');
    assert.deepEqual([data.id, data.ended_at, data.extra], ['b', undefined, true]);
    assert.ok(lines.some(line => /ended_at/.test(line)));
    const error = await failureOf(batches.retrieve('bad'));
    assert.equal(error.kind, 'mismatch');
    assert.match(error.message, /\bid\b/);
  });
});
