import assert from 'node:assert/strict';
import http from 'node:http';
import type { Fault } from '../../../src/emulator/faults';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { batchOf, call, contractHeaders } from '../../helpers/emulatorClient';

const hour = 60 * 60 * 1000;
const list = '/v1/messages/batches?beta=true';

describe('emulator/http/respondWithFault', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator({ scenario: { batchDuration: hour } });
  });

  afterEach(() => emulator.stop());

  const fault = (...faults: Fault[]) => emulator.setScenario({ faults });
  const create = (count = 3) => call(emulator, 'POST', list, batchOf(...Array<string>(count).fill('x')));
  const batches = async (): Promise<{ id: string }[]> => (await call(emulator, 'GET', list)).json.data;

  /** Returns the received body, and how the response ended. */
  function receive(path: string): Promise<{ readonly body: string; readonly complete: boolean }> {
    return new Promise((resolve, reject) => {
      const request = http.get(emulator.url + path, { headers: contractHeaders(emulator.key), agent: false }, response => {
        let body = '';
        response.setEncoding('utf8').on('data', text => {
          body += text;
        });
        response.on('error', () => undefined).on('close', () => resolve({ body, complete: response.complete }));
      });
      request.on('error', reject);
    });
  }

  it('limits the rate and sends Retry-After', async () => {
    fault({ name: 'rateLimit', seconds: 7, times: 1 });
    const { status, headers, json } = await call(emulator, 'GET', '/v1/models');
    assert.deepEqual([status, headers.get('retry-after'), json.error.type], [429, '7', 'rate_limit_error']);
    assert.equal((await call(emulator, 'GET', '/v1/models')).status, 200);
  });

  it('fails with the given status', async () => {
    fault({ name: 'serverError', times: 1 }, { name: 'serverError', status: 503, times: 1 }, { name: 'overloaded' });
    const statuses = [];
    for (let n = 0; n < 3; n++) {
      statuses.push((await call(emulator, 'GET', '/v1/models')).status);
    }
    assert.deepEqual(statuses, [500, 503, 529]);
  });

  it('returns HTML, redirects to another origin, and returns broken JSON', async () => {
    fault(
      { name: 'html', times: 1 },
      { name: 'html', status: 200, times: 1 },
      { name: 'redirect', times: 1 },
      { name: 'badJson', times: 1 },
    );
    const [bad, good, moved, broken] = [
      await call(emulator, 'GET', '/v1/models'),
      await call(emulator, 'GET', '/v1/models'),
      await call(emulator, 'GET', '/v1/models'),
      await call(emulator, 'GET', '/v1/models'),
    ];
    assert.deepEqual([bad.status, good.status, moved.status, broken.status], [502, 200, 307, 200]);
    assert.match(good.headers.get('content-type') ?? '', /text\/html/);
    assert.notEqual(new URL(moved.headers.get('location') ?? '').origin, emulator.url);
    assert.match(broken.text, /^\{"data"/);
    assert.equal(broken.json, undefined);
    assert.ok([bad, good, moved, broken].every(answer => answer.requestId?.startsWith('req_')));
  });

  it('cuts off an upload and creates no batch', async () => {
    fault({ name: 'cutUpload', times: 1 }, { name: 'cutUpload', bytes: 100, times: 1 });
    await assert.rejects(create(), TypeError);
    await assert.rejects(create(), TypeError);
    assert.deepEqual(await batches(), []);
  });

  it('drops the response before anything is created', async () => {
    fault({ name: 'lostReplyBeforeCommit', times: 1 });
    await assert.rejects(create(), TypeError);
    assert.deepEqual(await batches(), []);
    assert.equal(emulator.requests[0]?.bodyBytes, JSON.stringify(batchOf('x', 'x', 'x')).length);
  });

  it('drops the response after the batch was created', async () => {
    fault({ name: 'lostReplyAfterCommit', times: 1 });
    await assert.rejects(create(), TypeError);
    assert.equal((await batches()).length, 1);
  });

  it('cuts off a response after a number of bytes', async () => {
    fault({ name: 'cutResponse', bytes: 30 });
    const { body, complete } = await receive('/v1/models');
    assert.deepEqual([body.length, complete], [30, false]);
  });

  it('stalls until the client gives up, before or in the middle of a response', async () => {
    fault({ name: 'stall' });
    await assert.rejects(fetch(`${emulator.url}/v1/models`, { headers: contractHeaders(emulator.key), signal: AbortSignal.timeout(50) }), {
      name: 'TimeoutError',
    });
    fault({ name: 'stall', bytes: 20 });
    const response = await fetch(`${emulator.url}/v1/models`, { headers: contractHeaders(emulator.key) });
    const reader = response.body?.getReader();
    assert.equal((await reader?.read())?.value?.length, 20);
    await reader?.cancel();
  });

  it('sends a body slowly but completely', async () => {
    fault({ name: 'slowBody', bytes: 500, pause: 1, times: 1 });
    const { body, complete } = await receive('/v1/models');
    assert.equal(complete, true);
    assert.equal(body, (await receive('/v1/models')).body);
  });

  it('creates two batches from one request and returns the first', async () => {
    fault({ name: 'duplicateCreate', times: 1 });
    const { json } = await create();
    const created = await batches();
    assert.equal(created.length, 2);
    assert.equal(created[1]?.id, json.id);
    await emulator.advanceClock(hour);
    for (const { id } of created) {
      const { text } = await call(emulator, 'GET', `/v1/messages/batches/${id}/results`);
      assert.equal(text.trim().split('\n').length, 3);
    }
    await create();
    assert.equal((await batches()).length, 3);
  });

  it('lists a batch late, and returns times of a wrong clock', async () => {
    const { json: created } = await create();
    fault({ name: 'slowListing', seconds: 60 });
    assert.deepEqual(await batches(), []);
    assert.equal((await call(emulator, 'GET', `/v1/messages/batches/${created.id}?beta=true`)).status, 200);
    await emulator.advanceClock(61_000);
    assert.equal((await batches()).length, 1);
    fault({ name: 'clockSkew', seconds: -7200 });
    const { json: skewed } = await call(emulator, 'GET', `/v1/messages/batches/${created.id}?beta=true`);
    assert.equal(Date.parse(created.created_at) - Date.parse(skewed.created_at), 2 * hour);
    assert.equal(Date.parse(skewed.expires_at) - Date.parse(skewed.created_at), 24 * hour);
    assert.throws(() => fault({ name: 'stall', seconds: -1 }), /seconds/);
  });

  it('affects only its route', async () => {
    fault({ name: 'serverError', route: 'batches.list' });
    assert.equal((await call(emulator, 'GET', '/v1/models')).status, 200);
    assert.equal((await call(emulator, 'GET', list)).status, 500);
  });

  describe('in results', () => {
    let id: string;
    let good: string;

    beforeEach(async () => {
      id = (await create(20)).json.id;
      await emulator.advanceClock(hour);
      good = (await results()).text;
    });

    const results = () => call(emulator, 'GET', `/v1/messages/batches/${id}/results`);
    const idsOf = (text: string): string[] =>
      text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line).custom_id);

    it('truncates in the middle of a line as if the response were complete', async () => {
      fault({ name: 'truncatedResults' });
      const { text, status } = await results();
      assert.equal(status, 200);
      assert.ok(text.length < good.length && good.startsWith(text) && !text.endsWith('\n'));
    });

    it('omits results', async () => {
      fault({ name: 'missingResults', count: 3, times: 1 });
      assert.equal(new Set(idsOf((await results()).text)).size, 17);
      assert.equal((await results()).text, good);
    });

    it('archives the batch: results are gone, and the batch has the time', async () => {
      fault({ name: 'archived' });
      const { json } = await call(emulator, 'GET', `/v1/messages/batches/${id}?beta=true`);
      assert.deepEqual([json.archived_at, json.results_url], [json.ended_at, null]);
      assert.equal((await results()).status, 404);
    });

    it('cuts results in the middle', async () => {
      fault({ name: 'cutResponse', bytes: 700, route: 'batches.results' });
      const { body, complete } = await receive(`/v1/messages/batches/${id}/results`);
      assert.deepEqual([body, complete], [good.slice(0, 700), false]);
    });
  });
});
