import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import type { StreamedBody } from '../../../../src/contract/streamedBody';
import { collect, failureOf, json, Loopback } from '../loopback';
import { checkCalls } from './calls';

describe('client/resources/files', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());
  const beta = 'files-api-2025-04-14';
  const body = (...pieces: Uint8Array[]): StreamedBody => ({
    byteLength: pieces.reduce((sum, piece) => sum + piece.length, 0),
    async *open() {
      yield* pieces;
    },
  });

  it('builds the calls of files', async () => {
    const page = { data: [{ id: 'f2' }, { id: 'f1' }], has_more: true, first_id: 'f2', last_id: 'f1' };
    await checkCalls(loopback, [
      {
        call: ({ files }) => files.list({ limit: 2 }),
        request: 'GET /v1/files?limit=2',
        beta,
        answer: page,
        result: {
          items: [
            { id: 'f2', type: 'file' },
            { id: 'f1', type: 'file' },
          ],
          nextCursor: 'after_id=f1',
          requestId: 'req_test',
        },
      },
      { call: ({ files }) => files.list({ cursor: 'after_id=f1' }), request: 'GET /v1/files?after_id=f1', beta, answer: { data: [] } },
      { call: ({ files }) => files.list({ sessionId: 's' }), request: 'GET /v1/files?scope_id=s', beta, answer: { data: [] } },
      {
        call: ({ files }) => files.retrieve('f'),
        request: 'GET /v1/files/f',
        beta,
        answer: { id: 'f', expires_at: '2026-01-01T00:00:00Z', scope: { type: 'session', id: 's' }, later: 1 },
        result: {
          data: { id: 'f', type: 'file', expires_at: '2026-01-01T00:00:00Z', scope: { type: 'session', id: 's' }, later: 1 },
          requestId: 'req_test',
        },
      },
      { call: ({ files }) => files.delete('f'), request: 'DELETE /v1/files/f', beta },
    ]);
  });

  it('uploads a file as a standard form, with its exact length', async () => {
    const seen: { readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }[] = [];
    const origin = await loopback.http(async (request, response) => {
      seen.push({ headers: request.headers, bytes: Buffer.concat(await collect<Buffer>(request)) });
      json(response, { id: 'file_1', type: 'file', filename: 'x', size_bytes: 5, downloadable: false }, 201);
    });
    const { files } = loopback.client(origin);
    const contents = [Buffer.from([0, 13, 10, 45, 45, 255]), Buffer.alloc(300_000, 'ä')];
    for (const [name, read] of [
      ['plain.txt', 'plain.txt'],
      ['a "quoted" näme – 価格 😀.txt', "a 'quoted' näme – 価格 😀.txt"],
      ['line\r\nContent-Type: text/html\r\n\r\nx', 'line_Content-Type: text/html__x'],
      ['ends with\\', 'ends with_'],
      ['semi;colon=x.bin', 'semi;colon=x.bin'],
    ] as const) {
      const { data } = await files.upload({ name, mediaType: 'text/plain', content: body(...contents) });
      assert.equal(data.id, 'file_1');
      const last = seen.at(-1);
      assert.ok(last !== undefined);
      assert.equal(last.headers['content-length'], String(last.bytes.length));
      const type = last.headers['content-type'] ?? '';
      const form = await new Response(new Uint8Array(last.bytes), { headers: { 'content-type': type } }).formData();
      assert.deepEqual([...form.keys()], ['file']);
      const file = form.get('file');
      assert.ok(file instanceof File);
      assert.deepEqual([file.name, file.type], [read, 'text/plain']);
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), Buffer.concat(contents));
    }
    assert.equal(seen[0]?.headers['vendor-beta'], beta);
  });

  it('lets no media type inject headers', async () => {
    let bytes = '';
    const origin = await loopback.http(async (request, response) => {
      bytes = Buffer.concat(await collect<Buffer>(request)).toString();
      json(response, { id: 'f' });
    });
    await loopback.client(origin).files.upload({ name: 'a', mediaType: 'text/plain\r\nX: y', content: body(Buffer.from('x')) });
    assert.ok(bytes.includes('Content-Type: application/octet-stream\r\n\r\nx') && !bytes.includes('X: y'), bytes);
  });

  it('never retries an upload', async () => {
    let requests = 0;
    const origin = await loopback.http((request, response) => {
      requests++;
      request.resume();
      request.once('end', () => json(response, { error: 'busy' }, 503));
    });
    const error = await failureOf(loopback.client(origin).files.upload({ name: 'a', content: body(Buffer.from('x')) }));
    assert.deepEqual([error.status, error.outcome, requests], [503, 'unknown', 1]);
  });

  it('sends the expiry in the form', async () => {
    let form: FormData | undefined;
    const origin = await loopback.http(async (request, response) => {
      const bytes = Buffer.concat(await collect<Buffer>(request));
      form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': request.headers['content-type'] ?? '' } }).formData();
      json(response, { id: 'f' });
    });
    await loopback.client(origin).files.upload({ name: 'a', content: body(Buffer.from('x')), expiresInSeconds: 86_400 });
    assert.deepEqual([...(form?.keys() ?? [])], ['expires_in_seconds', 'file']);
    assert.equal(form?.get('expires_in_seconds'), '86400');
  });

  it('streams the content of a file', async () => {
    const origin = await loopback.http((request, response) => {
      assert.equal(request.url?.split('?')[0], '/v1/files/f%2F/content');
      response.setHeader('content-length', 5);
      response.end('a\0b\r\n');
    });
    const { body: stream, contentLength } = await loopback.client(origin).files.content('f/');
    assert.deepEqual([contentLength, Buffer.concat(await collect(stream)).toString()], [5, 'a\0b\r\n']);
  });
});
