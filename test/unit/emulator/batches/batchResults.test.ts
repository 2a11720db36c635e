import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BatchFiles, type ResultsPlan, shuffled, writeResults } from '../../../../src/emulator/batches/batchResults';
import { MessageService } from '../../../../src/emulator/messages/messageService';
import { ModelCatalog } from '../../../../src/emulator/models/modelCatalog';

const messages = new MessageService({ models: new ModelCatalog('vendor-'), isContract: false, key: 'key', now: () => 0 });
const noShares = { erroredPercent: 0, expiredPercent: 0, cutShortPercent: 0, answerLength: 0 };

describe('emulator/batches/batchResults', () => {
  let folder: string;
  let files: BatchFiles;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'batch-results-'));
    files = { body: path.join(folder, 'body.json'), results: path.join(folder, 'results.jsonl') };
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function run(texts: readonly string[], change: Partial<Omit<ResultsPlan, 'scenario'>> & Partial<ResultsPlan['scenario']> = {}) {
    const requests = texts.map((content, n) => ({
      custom_id: `r${n}`,
      params: { model: 'm', max_tokens: 500, messages: [{ role: 'user', content }] },
    }));
    await writeFile(files.body, JSON.stringify({ requests }));
    const { done = texts.length, rest = 'expired', ...shares } = change;
    const plan: ResultsPlan = { batchId: 'msgbatch_12345678', done, rest, scenario: { ...noShares, ...shares } };
    const { counts, bytes } = await writeResults(files, plan, messages, new AbortController().signal);
    const text = await readFile(files.results, 'utf8');
    assert.equal(Buffer.byteLength(text), bytes);
    const lines: { custom_id: string; result: { type: string; message?: { stop_reason: string }; error?: unknown } }[] = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    return { counts, lines, byId: new Map(lines.map(line => [line.custom_id, line.result])) };
  }

  it('mixes results without losing one or leaving all in place, for any count', () => {
    for (const total of [1, 2, 3, 15, 16, 17, 100, 1023, 1024, 1025, 5000]) {
      const order = shuffled(total);
      const sorted = order.toSorted((a, b) => a - b);
      assert.deepEqual(sorted, [...Array(total).keys()]);
      assert.ok(total === 1 || order.some((n, at) => n !== at), `${total} in order`);
      assert.deepEqual(shuffled(total), order);
    }
  });

  it('answers every request once, in the same order at every run', async () => {
    const texts = Array.from({ length: 300 }, (_, n) => `question ${n} \u2028 "ä"`);
    const first = await run(texts);
    assert.deepEqual(first.counts, { processing: 0, succeeded: 300, errored: 0, canceled: 0, expired: 0 });
    assert.equal(first.byId.size, 300);
    assert.deepEqual((await run(texts)).lines, first.lines);
  });

  it('fails requests that are invalid or ask for it, and no others', async () => {
    const { counts, byId } = await run(['fine', '', '[emulate: error rate_limit_error]', '[emulate: expired]', '[emulate: canceled]']);
    assert.deepEqual(counts, { processing: 0, succeeded: 1, errored: 2, canceled: 1, expired: 1 });
    assert.deepEqual(byId.get('r2'), {
      type: 'errored',
      error: {
        type: 'error',
        error: { type: 'rate_limit_error', message: 'Emulated failure, asked for by the request' },
        request_id: 'req_emulated_12345678_2',
      },
    });
  });

  it('expires or cancels unfinished requests by the plan', async () => {
    const { counts, byId } = await run(Array(10).fill('x'), { done: 4, rest: 'canceled' });
    assert.deepEqual(counts, { processing: 0, succeeded: 4, errored: 0, canceled: 6, expired: 0 });
    assert.deepEqual(byId.get('r3')?.type, 'succeeded');
    assert.deepEqual(byId.get('r4'), { type: 'canceled' });
  });

  it('uses exact shares', async () => {
    const { counts, lines } = await run(Array(200).fill('x'), { erroredPercent: 10, expiredPercent: 5, cutShortPercent: 20 });
    assert.deepEqual(counts, { processing: 0, succeeded: 170, errored: 20, canceled: 0, expired: 10 });
    assert.equal(lines.filter(line => line.result.message?.stop_reason === 'max_tokens').length, 40);
    const all = await run(Array(7).fill('x'), { erroredPercent: 100 });
    assert.equal(all.counts.errored, 7);
  });

  it('stops when it is canceled', async () => {
    await run(['x']);
    const signal = AbortSignal.abort();
    const plan = { batchId: 'b', done: 1, rest: 'expired', scenario: noShares } as const;
    await assert.rejects(writeResults(files, plan, messages, signal), { name: 'AbortError' });
  });
});
