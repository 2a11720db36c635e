import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { untilGone } from '../../../src/emulator/state/stateFolder';
import { batchOf, call, contractHeaders, sendRaw } from '../../helpers/emulatorClient';

const hour = 60 * 60 * 1000;
const route = '/v1/messages/batches';
const counts = (change: object) => ({ processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0, ...change });

describe('emulator/batches', () => {
  let emulator: Emulator;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'emulator-test-'));
    emulator = await startEmulator({ stateFolder: folder, scenario: { batchDuration: hour, cancelDuration: hour } });
  });

  afterEach(async () => {
    await emulator.stop();
    await rm(folder, { recursive: true });
  });

  const create = (body: object | string) => call(emulator, 'POST', `${route}?beta=true`, body);
  const get = (id: string) => call(emulator, 'GET', `${route}/${id}?beta=true`);
  const results = async (id: string) => {
    const { status, text, headers } = await call(emulator, 'GET', `${route}/${id}/results`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/x-jsonl');
    assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)));
    const lines: { custom_id: string; result: { type: string } }[] = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    return new Map(lines.map(line => [line.custom_id, line.result.type]));
  };
  const keptFolders = () => readdirSync(path.join(folder, 'batches'));

  it('goes from in_progress to ended, with counts and results only at the end', async () => {
    const { json: created, status } = await create(batchOf('a', 'b', '[emulate: error api_error]'));
    assert.equal(status, 200);
    const { id, created_at, expires_at, ...rest } = created;
    assert.match(id, /^msgbatch_/);
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 24 * hour);
    assert.deepEqual(rest, {
      type: 'message_batch',
      processing_status: 'in_progress',
      request_counts: counts({ processing: 3 }),
      ended_at: null,
      cancel_initiated_at: null,
      archived_at: null,
      results_url: null,
    });
    await emulator.advanceClock(hour / 2);
    assert.deepEqual((await get(id)).json, created);
    const early = await call(emulator, 'GET', `${route}/${id}/results?beta=true`);
    assert.deepEqual([early.status, early.json.error.message], [400, 'Message batch has not ended']);
    assert.equal((await call(emulator, 'DELETE', `${route}/${id}?beta=true`)).status, 409);

    await emulator.advanceClock(hour / 2);
    const { json: ended } = await get(id);
    assert.equal(ended.processing_status, 'ended');
    assert.deepEqual(ended.request_counts, counts({ succeeded: 2, errored: 1 }));
    assert.ok(Date.parse(ended.ended_at) >= Date.parse(created_at) + hour);
    assert.equal(ended.results_url, `${route}/${id}/results`);
    assert.deepEqual([...(await results(id))].toSorted(), [
      ['r0', 'succeeded'],
      ['r1', 'succeeded'],
      ['r2', 'errored'],
    ]);
    assert.deepEqual((await call(emulator, 'POST', `${route}/${id}/cancel?beta=true`)).json, ended);

    assert.deepEqual((await call(emulator, 'DELETE', `${route}/${id}?beta=true`)).json, { id, type: 'message_batch_deleted' });
    assert.equal((await get(id)).status, 404);
    assert.equal((await call(emulator, 'GET', `${route}/${id}/results`)).status, 404);
    assert.deepEqual(keptFolders(), []);
  });

  it('cancels: is canceling first, then ended with some requests done and the rest canceled', async () => {
    const { id } = (await create(batchOf('a', 'b', 'c', 'd'))).json;
    const { json: canceling } = await call(emulator, 'POST', `${route}/${id}/cancel?beta=true`);
    assert.equal(canceling.processing_status, 'canceling');
    assert.deepEqual(canceling.request_counts, counts({ processing: 4 }));
    assert.ok(canceling.cancel_initiated_at);
    assert.deepEqual((await call(emulator, 'POST', `${route}/${id}/cancel?beta=true`)).json, canceling);
    await emulator.advanceClock(hour);
    const { json: ended } = await get(id);
    assert.deepEqual(ended.request_counts, counts({ succeeded: 1, canceled: 3 }));
    assert.equal(ended.cancel_initiated_at, canceling.cancel_initiated_at);
  });

  it("expires requests that aren't done after 24 hours", async () => {
    emulator.setScenario({ batchDuration: 48 * hour });
    const { id } = (await create(batchOf('a', 'b', 'c', 'd'))).json;
    await emulator.advanceClock(24 * hour);
    const { json } = await get(id);
    assert.deepEqual([json.processing_status, json.request_counts], ['ended', counts({ succeeded: 2, expired: 2 })]);
    assert.deepEqual([...(await results(id)).values()].toSorted(), ['expired', 'expired', 'succeeded', 'succeeded']);
  });

  it('deletes the requests when the batch ends, and the results after 29 days', async () => {
    const { id } = (await create(batchOf('a'))).json;
    const fileNames = () => readdirSync(path.join(folder, 'batches', id)).toSorted();
    assert.deepEqual(fileNames(), ['batch.json', 'body.json']);
    await emulator.advanceClock(hour);
    assert.deepEqual(fileNames(), ['batch.json', 'results.jsonl']);
    await emulator.advanceClock(29 * 24 * hour);
    assert.deepEqual(fileNames(), ['batch.json']);
    const { json } = await get(id);
    assert.deepEqual([json.processing_status, json.results_url, typeof json.archived_at], ['ended', null, 'string']);
    assert.equal((await call(emulator, 'GET', `${route}/${id}/results`)).status, 404);
  });

  it('ends a batch that is canceled while its results are written', async () => {
    const { id } = (await create(batchOf(...Array<string>(2000).fill('a')))).json;
    const [, canceled] = await Promise.all([emulator.advanceClock(hour), call(emulator, 'POST', `${route}/${id}/cancel?beta=true`)]);
    assert.equal(canceled.status, 200);
    assert.deepEqual((await get(id)).json.request_counts, counts({ succeeded: 2000 }));
  });

  for (const [what, body, message] of [
    ['no JSON', 'nonsense', /^Invalid JSON body$/],
    ['a body that ends early', '{"requests":[{"custom_id":"a","params":{}}', /^Invalid JSON body$/],
    ['no requests', { requests: [] }, /^requests: List should have at least 1 item$/],
    ['a body without requests', { model: 'x' }, /^requests: Field required$/],
    ['a request that is no JSON', '{"requests":[{"custom_id":a}]}', /^requests\.0: Invalid JSON$/],
    ['a missing id', { requests: [{ params: {} }] }, /^requests\.0\.custom_id: Field required$/],
    ['an id that is a number', { requests: [{ custom_id: 1, params: {} }] }, /^requests\.0\.custom_id: /],
    ['an id with a blank', { requests: [{ custom_id: 'a b', params: {} }] }, /^requests\.0\.custom_id: String should match pattern/],
    ['an id of 65 characters', { requests: [{ custom_id: 'a'.repeat(65), params: {} }] }, /^requests\.0\.custom_id: /],
    [
      'an id that comes twice',
      {
        requests: [
          { custom_id: 'a', params: {} },
          { custom_id: 'a', params: {} },
        ],
      },
      /^requests\.1\.custom_id: .*unique/,
    ],
    ['missing params', { requests: [{ custom_id: 'a' }] }, /^requests\.0\.params: Field required$/],
    ['params that are a list', { requests: [{ custom_id: 'a', params: [] }] }, /^requests\.0\.params: Input should be an object$/],
    ['an unknown field of a request', { requests: [{ custom_id: 'a', params: {}, x: 1 }] }, /^requests\.0\.x: Extra inputs/],
  ] as const) {
    it(`rejects ${what} and stores nothing`, async () => {
      const { status, json } = await create(body);
      assert.equal(status, 400);
      assert.equal(json.error.type, 'invalid_request_error');
      assert.match(json.error.message, message);
      assert.deepEqual(keptFolders(), []);
    });
  }

  it("rejects bytes that aren't UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from('{"requests":[{"custom_id":"a","params":{"model":"'), Buffer.of(0xff), Buffer.from('"}}]}')]);
    const response = await fetch(`${emulator.url}${route}?beta=true`, {
      method: 'POST',
      headers: contractHeaders(emulator.key),
      body: bytes,
    });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /requests\.0: Invalid UTF-8/);
  });

  it('accepts 100,000 requests and rejects one more', async () => {
    const lines = Array.from({ length: 100_001 }, (_, n) => `{"custom_id":"${n}","params":{}}`);
    const taken = await create(`{"requests":[${lines.slice(1).join(',')}]}`);
    assert.deepEqual(taken.json.request_counts, counts({ processing: 100_000 }));
    const refused = await create(`{"requests":[${lines.join(',')}]}`);
    assert.deepEqual([refused.status, refused.json.error.message], [400, 'requests: List should have at most 100000 items']);
  });

  it('turns requests with invalid params into errored results', async () => {
    const { id } = (await create({ requests: [{ custom_id: 'wrong', params: { model: 'm' } }, ...batchOf('right').requests] })).json;
    await emulator.advanceClock(hour);
    const { text } = await call(emulator, 'GET', `${route}/${id}/results`);
    const wrong = text.split('\n').find(line => line.includes('"wrong"'));
    assert.match(wrong ?? '', /"errored".*"type":"error".*"invalid_request_error","message":"messages: Field required"/);
    assert.deepEqual((await get(id)).json.request_counts, counts({ succeeded: 1, errored: 1 }));
  });

  it('returns 413 above 256 MiB before it reads the body', async () => {
    const { port } = new URL(emulator.url);
    const request = http.request({ port, host: '127.0.0.1', method: 'POST', path: `${route}?beta=true`, agent: false });
    for (const [name, value] of Object.entries(contractHeaders(emulator.key))) {
      request.setHeader(name, value);
    }
    request.setHeader('content-length', 256 * 1024 * 1024 + 1);
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject).flushHeaders();
    });
    assert.equal(answer.statusCode, 413);
    request.destroy();
  });

  it('creates no batch from an upload that is cut off', async () => {
    const head = Object.entries(contractHeaders(emulator.key))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const start = `POST ${route}?beta=true HTTP/1.1\r\nHost: ${new URL(emulator.url).host}\r\n${head}`;
    const half = '{"requests":[{"custom_id":"a","params":{}}';
    await sendRaw(emulator.url, `${start}content-length: 1000\r\n\r\n${half}`, { closeAfterSending: true });
    await sendRaw(emulator.url, `${start}transfer-encoding: chunked\r\n\r\n${half.length.toString(16)}\r\n${half}\r\n`, {
      closeAfterSending: true,
    });
    assert.deepEqual((await call(emulator, 'GET', `${route}?beta=true`)).json, { data: [], next_page: null });
    while (keptFolders().length > 0) {
      await new Promise(resolve => setImmediate(resolve));
    }
  });

  it('attributes a batch to a user profile only with its beta header and without a conflict', async () => {
    const profile = { 'vendor-user-profile-id': 'up_1', 'vendor-beta': 'message-batches-2024-09-24,user-profiles' };
    const post = (body: object, headers: Record<string, string>) => call(emulator, 'POST', `${route}?beta=true`, body, headers);
    assert.equal((await post(batchOf('a'), profile)).status, 200);
    assert.equal((await post(batchOf('a'), { 'vendor-user-profile-id': 'up_1' })).status, 400);
    const other = { requests: [{ custom_id: 'a', params: { user_profile_id: 'up_2' } }] };
    assert.match((await post(other, profile)).json.error.message, /^requests\.0\.params\.user_profile_id: conflicts/);
  });

  it('lists in the envelope of its dialect or of the scenario', async () => {
    const first = (await create(batchOf('a'))).json.id;
    const second = (await create(batchOf('a'))).json.id;
    const { json: page } = await call(emulator, 'GET', `${route}?beta=true&limit=1`);
    assert.deepEqual([page.data[0].id, Object.keys(page)], [second, ['data', 'next_page']]);
    const { json: next } = await call(emulator, 'GET', `${route}?beta=true&limit=1&page=${encodeURIComponent(page.next_page)}`);
    assert.deepEqual([next.data[0].id, next.next_page], [first, null]);
    emulator.setScenario({ envelope: 'ids' });
    const { json: ids } = await call(emulator, 'GET', `${route}?beta=true&limit=1`);
    assert.deepEqual([ids.first_id, ids.last_id, ids.has_more], [second, second, true]);
    assert.equal((await call(emulator, 'GET', `${route}?beta=true&limit=0`)).status, 400);
  });

  it('keeps batches across a restart: ended ones with results, others continue', async () => {
    const ended = (await create(batchOf('a'))).json.id;
    await emulator.advanceClock(hour);
    const running = (await create(batchOf('b'))).json;
    const canceling = (await create(batchOf('c', 'd'))).json.id;
    await call(emulator, 'POST', `${route}/${canceling}/cancel?beta=true`);
    await emulator.stop();
    emulator = await startEmulator({ stateFolder: folder });
    const { json } = await call(emulator, 'GET', `${route}?beta=true`);
    assert.deepEqual(
      json.data.map((batch: { id: string }) => batch.id),
      [canceling, running.id, ended],
    );
    assert.deepEqual(json.data[1], running);
    assert.equal(json.data[0].processing_status, 'canceling');
    assert.deepEqual([...(await results(ended))], [['r0', 'succeeded']]);
    await emulator.advanceClock(3 * hour);
    assert.equal((await get(running.id)).json.request_counts.succeeded, 1);
    assert.equal((await get(canceling)).json.request_counts.canceled, 1);
  });

  it("leaves the folder to the emulator that holds it, and reports that one's address", async () => {
    const { url, key } = emulator;
    await assert.rejects(startEmulator({ stateFolder: folder }), { name: 'StateFolderInUse', holder: { url, key } });
    assert.equal((await create(batchOf('a'))).status, 200);
  });

  it('holds the folder until it stops', async () => {
    const { url, key } = emulator;
    const unwanted = new AbortController();
    const settled: string[] = [];
    const wanted = untilGone({ url, key }, new AbortController().signal).then(() => settled.push('gone'));
    const left = untilGone({ url, key }, unwanted.signal).then(() => settled.push('left'));
    await untilGone({ url, key: 'another' }, new AbortController().signal);
    assert.equal((await create(batchOf('a'))).status, 200);
    unwanted.abort();
    await left;
    assert.deepEqual(settled, ['left']);
    await emulator.stop();
    await wanted;
  });
});
