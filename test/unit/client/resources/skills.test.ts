import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { dialects } from '../../../../src/client/dialect';
import { latestVersionKey, sourceOf, versionKey } from '../../../../src/client/resources/skills';
import type { StreamedBody } from '../../../../src/contract/streamedBody';
import { collect, failureOf, json, Loopback } from '../loopback';
import { checkCalls } from './calls';

const beta = 'skills-2025-10-02';
const body = (text: string): StreamedBody => ({
  byteLength: Buffer.byteLength(text),
  async *open() {
    yield Buffer.from(text);
  },
});

describe('client/resources/skills', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('builds the calls of skills and their versions', async () => {
    const page = { data: [{ id: 's1', source: { type: 'anthropic', later: 1 } }], has_more: true, next_page: 'p2' };
    await checkCalls(loopback, [
      {
        call: ({ skills }) => skills.list({ limit: 2, source: 'custom' }),
        request: 'GET /v1/skills?source=custom&limit=2',
        beta,
        answer: page,
        result: {
          items: [{ id: 's1', type: 'skill', source: { type: 'anthropic', later: 1 } }],
          nextCursor: 'page=p2',
          requestId: 'req_test',
        },
      },
      { call: ({ skills }) => skills.retrieve('s/1'), request: 'GET /v1/skills/s%2F1', beta },
      { call: ({ skills }) => skills.delete('s1'), request: 'DELETE /v1/skills/s1', beta },
      {
        call: ({ skills }) => skills.versions('s1').list({ limit: 3 }),
        request: 'GET /v1/skills/s1/versions?limit=3',
        beta,
        answer: { data: [] },
      },
      { call: ({ skills }) => skills.versions('s1').retrieve('17'), request: 'GET /v1/skills/s1/versions/17', beta },
      { call: ({ skills }) => skills.versions('s1').delete('17'), request: 'DELETE /v1/skills/s1/versions/17', beta },
    ]);
  });

  it('uploads many files as one form with their folders in the names, and reports progress', async () => {
    const seen: { readonly path: string | undefined; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }[] = [];
    const origin = await loopback.http(async (request, response) => {
      seen.push({ path: request.url?.split('?')[0], headers: request.headers, bytes: Buffer.concat(await collect<Buffer>(request)) });
      json(response, { id: 'made' });
    });
    const { skills } = loopback.client(origin);
    const files = [
      { path: 'my-skill/SKILL.md', mediaType: 'text/markdown', content: body('---\nname: my-skill\n---\n') },
      { path: 'my-skill/data/größe "x".bin', content: body('é'.repeat(100_000)) },
      { path: 'my-skill/empty', content: body('') },
    ];
    let sent = 0;
    assert.equal((await skills.create({ files, title: 'My\r\nskill' }, { onProgress: bytes => (sent = bytes) })).data.id, 'made');
    assert.equal((await skills.versions('s1').create(files)).data.id, 'made');
    assert.deepEqual(
      seen.map(({ path }) => path),
      ['/v1/skills', '/v1/skills/s1/versions'],
    );
    assert.equal(sent, seen[0]?.bytes.length);
    for (const [index, { headers, bytes }] of seen.entries()) {
      assert.equal(headers['content-length'], String(bytes.length));
      assert.equal(headers['vendor-beta'], beta);
      const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
      assert.equal(form.get('display_title'), index === 0 ? 'My skill' : null);
      const parts = form.getAll('files[]') as File[];
      assert.equal([...form.keys()].length, index === 0 ? 4 : 3);
      // Form parsers keep only the last part of a file name. The body has the whole name.
      for (const { path } of files) {
        assert.ok(bytes.includes(`filename="${path.replaceAll('"', "'")}"`), path);
      }
      assert.deepEqual(await Promise.all(parts.map(part => part.text())), ['---\nname: my-skill\n---\n', 'é'.repeat(100_000), '']);
    }
  });

  for (const [name, titles] of [
    ['contract', ['display_title']],
    ['anthropic-2023', ['display_title', 'display_name']],
    ['anthropic-2026', ['display_name']],
  ] as const) {
    it(`sends the title under the names of ${name}`, async () => {
      let keys: readonly string[] = [];
      const origin = await loopback.http(async (request, response) => {
        const bytes = Buffer.concat(await collect<Buffer>(request));
        keys = [...bytes.toString().matchAll(/name="(display_\w+)"/g)].map(([, key = '']) => key);
        json(response, { id: 'made' });
      });
      const { skills } = loopback.client(origin, { dialect: dialects[name] });
      await skills.create({ files: [{ path: 'a/SKILL.md', content: body('x') }], title: 'T' });
      assert.deepEqual(keys, titles);
    });
  }

  it('never retries an upload, and stops when it is canceled', async () => {
    let requests = 0;
    const origin = await loopback.http((request, response) => {
      requests++;
      request.resume();
      request.once('end', () => json(response, { error: 'busy' }, 503));
    });
    const { skills } = loopback.client(origin);
    const files = [{ path: 'a/SKILL.md', content: body('x') }];
    const error = await failureOf(skills.create({ files }));
    assert.deepEqual([error.status, error.outcome, requests], [503, 'unknown', 1]);
    assert.equal((await failureOf(skills.create({ files }, { signal: AbortSignal.abort() }))).kind, 'aborted');
    assert.equal(requests, 1);
  });

  it('streams the archive of a version', async () => {
    const origin = await loopback.http((request, response) => {
      assert.equal(request.url?.split('?')[0], '/v1/skills/s1/versions/17/content');
      response.setHeader('content-type', 'application/zip');
      response.end('PK\0\xff');
    });
    const { body: stream } = await loopback.client(origin).skills.versions('s1').content('17');
    assert.equal(Buffer.concat(await collect(stream)).toString('utf8'), 'PK\0\xff');
  });

  it('reads either shape', () => {
    assert.equal(versionKey({ id: 'skillver_1', version: '17' }), '17');
    assert.equal(versionKey({ id: 'skillver_1' }), 'skillver_1');
    assert.equal(latestVersionKey({ latest_version: '17' }), '17');
    assert.equal(latestVersionKey({ latest_version_id: 'skillver_1' }), 'skillver_1');
    assert.equal(latestVersionKey({ latest_version: '' }), undefined);
    assert.equal(sourceOf({ source: 'custom' }), 'custom');
    assert.equal(sourceOf({ source: { type: 'plugin' } }), 'plugin');
    assert.equal(sourceOf({ source: null }), undefined);
  });
});
