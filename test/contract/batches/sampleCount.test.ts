import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DialectName, dialects } from '../../../src/client/dialect';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { RequestBudget } from '../../../src/common/lists/requestBudget';
import { inputTokens } from '../../../src/emulator/messages/answers';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { type CountedSample, countSample } from '../../../src/features/batches/sheet/countSample';
import { LatestWork, type WorkState } from '../../../src/features/batches/sheet/latestWork';
import { predict } from '../../../src/features/batches/sheet/prediction';
import { createJsonlJobs } from '../../../src/jsonl/jobs/jobs';
import { contractClient } from '../../helpers/emulatorClient';
import { fieldOf } from '../../helpers/fieldOf';
import { linesOf, threadFile } from './batchBench';

const requests = 300;
const paramsOf = (at: number) => ({
  model: at % 4 === 0 ? 'vendor-haiku-4-5' : 'vendor-sonnet-5',
  max_tokens: 64,
  temperature: 1,
  metadata: { user_id: 'u' },
  system: 'Answer in one sentence.',
  messages: [{ role: 'user', content: `Ticket ${at}: ${'the parcel was late, please refund it. '.repeat(1 + (at % 40))}` }],
});

describe('features/batches/sheet/sampleCount over a socket', () => {
  const jobs = createJsonlJobs({ threadFile });
  const folder = mkdtempSync(path.join(tmpdir(), 'count-'));
  const file = path.join(folder, 'requests.jsonl');
  const all = Array.from({ length: requests }, (_, at) => paramsOf(at));
  const write = (params: readonly object[]) =>
    writeFileSync(file, linesOf(params.map((one, at) => ({ custom_id: `r${at}`, params: one }))));
  let emulator: Emulator;
  let client: ServiceClient;
  let moment = 0;
  let pauses: number[] = [];
  let served: boolean[] = [];

  async function start(name: DialectName = 'contract'): Promise<void> {
    emulator = await startEmulator({ dialect: name });
    client = contractClient(emulator, { auth: dialects[name].defaultAuth, dialect: dialects[name] });
  }

  beforeEach(() => {
    moment = 0;
    pauses = [];
    served = [];
    write(all);
  });

  afterEach(async () => {
    await client.close();
    await emulator.stop();
  });

  after(() => {
    jobs.dispose();
    rmSync(folder, { recursive: true });
  });

  /** Counts a sample and returns the state of the count at its end. */
  async function count({
    lines,
    atOnce = 100,
  }: {
    readonly lines?: Uint32Array;
    readonly atOnce?: number;
  } = {}): Promise<WorkState<CountedSample>> {
    const budget = new RequestBudget({ monotonic: () => moment }, 60, atOnce);
    const sample = new LatestWork<CountedSample>({ lifetime: new AbortController().signal, onChange: () => {}, onProgress: () => {} });
    const wait = async (milliseconds: number) => {
      pauses.push(milliseconds);
      moment += milliseconds;
    };
    const onServed = (isServed: boolean) => served.push(isServed);
    const content = { jobs, path: file, lines, sha256: 'a', client, budget, onServed, wait };
    await sample.start((signal, onShare) => countSample(content, signal, onShare));
    return sample.state;
  }

  const counts = () => emulator.requests.filter(({ path: called }) => called.startsWith('/v1/messages/count_tokens'));

  for (const name of ['contract', 'anthropic-2023', 'anthropic-2026'] as const) {
    it(`counts about 64 requests of each model and size in the dialect ${name}, and estimates the input within 3 %`, async () => {
      await start(name);
      // The emulator has the models of its dialect.
      write(all.map(params => ({ ...params, model: params.model.replace('vendor-', dialects[name].modelPrefix) })));
      const state = await count();
      assert.ok(state.name === 'done', JSON.stringify(state));
      const { length } = counts();
      assert.ok(length >= 60 && length <= 72, `${length}`);
      assert.ok(counts().every(({ status }) => status === 200));
      assert.deepEqual(new Set(served), new Set([true]));
      const survey = await jobs.run('surveyFile', { path: file, options: { minimumCachedTokens: 1024 } });
      const { input, inputFrom, models: byModel } = predict(survey, { past: new Map(), counted: state.strata });
      const actual = all.reduce((sum, params) => sum + inputTokens(params), 0);
      assert.equal(inputFrom, 'counted');
      assert.ok(Math.abs(input.likely - actual) <= 0.03 * actual, `${input.likely} for ${actual}`);
      assert.ok(input.low <= actual && actual <= input.high);
      assert.deepEqual(fieldOf(byModel, 'inputFrom'), ['counted', 'counted']);
    });
  }

  it('counts all of a few requests, and only the selected lines of a selection', async () => {
    await start();
    const state = await count({ lines: Uint32Array.of(3, 5, 8) });
    assert.ok(state.name === 'done');
    assert.equal(counts().length, 3);
    const counted = state.strata.flatMap(stratum => stratum.counted.map(({ tokens }) => tokens));
    assert.deepEqual(counted.sort(), [3, 5, 8].map(at => inputTokens(paramsOf(at))).sort());
  });

  it('waits for the budget of calls per minute', async () => {
    await start();
    await count({ lines: Uint32Array.of(0, 1, 2, 3, 4, 5), atOnce: 2 });
    assert.equal(counts().length, 6);
    assert.ok(pauses.reduce((sum, pause) => sum + pause, 0) >= 3000, `${pauses}`);
  });

  it('calls a service without the endpoint once, and reports it', async () => {
    await start();
    emulator.setScenario({ faults: [{ name: 'notFound', route: 'messages.countTokens' }] });
    const state = await count();
    assert.equal(state.name, 'failed');
    assert.equal(counts().length, 1);
    assert.deepEqual(served, [false]);
  });

  it("tells a rejected request from a service that can't count, and skips it", async () => {
    await start();
    write([{ ...paramsOf(0), messages: [{ role: 'user', content: 5 }] }, paramsOf(1), paramsOf(2)]);
    const state = await count();
    assert.ok(state.name === 'done', JSON.stringify(state));
    assert.equal(
      state.strata.reduce((sum, stratum) => sum + stratum.counted.length, 0),
      2,
    );
    assert.ok(!served.includes(false));
  });

  it('retries a count that failed because the service was busy', async () => {
    await start();
    emulator.setScenario({ faults: [{ name: 'overloaded', route: 'messages.countTokens', times: 1 }] });
    const state = await count({ lines: Uint32Array.of(1) });
    assert.equal(state.name, 'done');
    assert.equal(counts().length, 2);
  });
});
