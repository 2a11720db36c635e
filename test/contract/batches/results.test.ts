import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServiceClient } from '../../../src/client/createServiceClient';
import { dialects } from '../../../src/client/dialect';
import type { MessageBatch } from '../../../src/client/schemas/messageBatches';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { StreamedBody } from '../../../src/contract/streamedBody';
import type { Emulator } from '../../../src/emulator/emulator';
import type { Fault } from '../../../src/emulator/faults';
import { startEmulator } from '../../../src/emulator/server';
import { type FetchedReport, fetchResults } from '../../../src/features/batches/fetching/fetchResults';
import { createJsonlJobs } from '../../../src/jsonl/jobs/jobsHost';

const count = 40;
const params = { model: 'vendor-sonnet-5', max_tokens: 16, messages: [{ role: 'user', content: 'Say hello.' }] };
const route = 'batches.results';

describe('features/batches/fetching over a socket', () => {
  const jobs = createJsonlJobs({ threadFile: path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js') });
  let emulator: Emulator;
  let client: ServiceClient;
  let batch: MessageBatch;
  let folder: string;
  const file = (name: string) => path.join(folder, name);

  before(async () => {
    emulator = await startEmulator({ scenario: { batchDuration: 0 } });
    client = createServiceClient({
      baseUrl: emulator.url,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key: emulator.key, origin: new URL(emulator.url).origin }),
    });
    const requests = Array.from({ length: count }, (_, n) => ({ custom_id: `r${n}`, params }));
    const body = Buffer.from(JSON.stringify({ requests }));
    const streamed: StreamedBody = {
      byteLength: body.length,
      async *open() {
        yield body;
      },
    };
    const { data } = await client.batches.create(streamed);
    do {
      batch = (await client.batches.retrieve(data.id)).data;
    } while (batch.processing_status !== 'ended');
  });

  after(async () => {
    await client.close();
    await emulator.stop();
  });

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'results-'));
    writeFileSync(file('lines'), Array.from({ length: count }, (_, n) => `${n}\tr${n}\n`).join(''));
  });

  afterEach(() => {
    emulator.setScenario({ faults: [] });
    rmSync(folder, { recursive: true, force: true });
  });

  async function fetch(...faults: readonly Fault[]): Promise<FetchedReport> {
    emulator.setScenario({ faults });
    return await fetchResults({
      client,
      batch,
      jobs,
      rawPath: file('raw'),
      joinedPath: file('joined'),
      indexPath: file('index'),
      linesPath: file('lines'),
      pause: () => Promise.resolve(),
    });
  }

  it('takes up results that are cut at any byte, again and again', async () => {
    const { report } = await fetch();
    assert.equal(report.complete, true);
    const raw = readFileSync(file('raw'));
    for (const bytes of [1, 777, Math.floor(raw.length / 3), raw.length - 1]) {
      const times = Math.min(4, Math.ceil(raw.length / bytes) - 1);
      const resumed = await fetch({ name: 'resumableResults', route }, { name: 'cutResponse', route, bytes, times });
      assert.equal(resumed.report.complete, true);
      assert.ok(readFileSync(file('raw')).equals(raw), `cut after ${bytes} bytes`);
    }
    assert.deepEqual((await readdir(folder)).sort(), ['index', 'joined', 'lines', 'raw']);
  });

  it('reads cut results again from the start where the service does not offer that', async () => {
    assert.equal((await fetch({ name: 'cutResponse', route, bytes: 5000, times: 2 })).report.complete, true);
  });

  it('tells what is wrong with results', async () => {
    const missing = (await fetch({ name: 'missingResults', route, count: 3 })).report;
    assert.deepEqual([missing.missing.count, missing.countsMatch, missing.complete], [3, false, false]);
    const doubled = (await fetch({ name: 'duplicateResults', route, count: 2 })).report;
    assert.deepEqual([doubled.duplicate.count, doubled.complete], [2, false]);
    const unknown = (await fetch({ name: 'unknownResults', route, count: 2 })).report;
    assert.deepEqual([unknown.unexpected.count, unknown.counts.other, unknown.complete], [2, 1, false]);
  });

  it('leaves what it fetched before when something else arrives', async () => {
    await fetch();
    const before = readFileSync(file('joined'));
    await assert.rejects(fetch({ name: 'truncatedResults', route }), { kind: 'cut' });
    await assert.rejects(fetch({ name: 'archived', route }), { kind: 'gone' });
    await assert.rejects(fetch({ name: 'html', route, status: 200 }), { kind: 'not_json' });
    assert.ok(readFileSync(file('joined')).equals(before));
  });
});
