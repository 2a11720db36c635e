import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../../../src/client/transport/errors';
import type { Fault } from '../../../src/emulator/faults';
import { findNamedLine } from '../../../src/features/batches/groups/showSent';
import { reconcile } from '../../../src/features/batches/reconciling/searchForBatch';
import type { SubmitOutcome } from '../../../src/features/batches/submitting/submit';
import { contractClient } from '../../helpers/emulatorClient';
import { fieldOf } from '../../helpers/fieldOf';
import { startGateway, wrongBodies } from '../../torture/gateway';
import { Bench, params, terms } from './batchBench';

describe('features/batches/submit over a socket', () => {
  const bench = new Bench({ batchDuration: 60_000 });
  let { emulator, registry } = bench;
  const creates = () => bench.creates();
  const batchesOfService = async () => (await bench.batches()).map(({ id }) => id);

  beforeEach(() => {
    ({ emulator, registry } = bench);
  });

  interface Extras {
    readonly faults?: readonly Fault[];
    readonly lines?: readonly object[];
    readonly padding?: string;
    readonly afterCheck?: (file: string) => void;
  }

  async function submitFile({ faults = [], lines, padding, afterCheck }: Extras = {}): Promise<SubmitOutcome> {
    const file = bench.write(...(lines ?? [1, 2, 3].map(n => ({ custom_id: `r${n}`, params }))));
    if (padding !== undefined) {
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('Say hello.', padding));
    }
    const report = await bench.jobs.checkFile(file, terms);
    afterCheck?.(file);
    emulator.setScenario({ faults });
    try {
      return await bench.submit(file, { report });
    } finally {
      emulator.setScenario({ faults: [] });
    }
  }

  /** Returns the state in a window that starts now. */
  async function afterRestart(id: string): Promise<string | undefined> {
    return (await bench.open()).find(id)?.state;
  }

  it('creates one batch per submission, and remembers line and ID of every request', async () => {
    const outcome = await submitFile();
    assert.ok(outcome.kind === 'created');
    assert.deepEqual(await batchesOfService(), [outcome.batch.id]);
    assert.equal(await afterRestart(outcome.submission.id), 'created');
    assert.match(outcome.submission.requestId ?? '', /./);
    assert.equal(readFileSync(path.join(registry.folder(outcome.submission.id), 'lines.tsv'), 'utf8'), '0\tr1\n1\tr2\n2\tr3\n');
  });

  const silences: readonly (readonly [name: string, fault: Fault, batches: number])[] = [
    ['a reply lost after the batch was made', { name: 'lostReplyAfterCommit', route: 'batches.create' }, 1],
    ['a reply lost before the batch was made', { name: 'lostReplyBeforeCommit', route: 'batches.create' }, 0],
    ['a server error', { name: 'serverError', route: 'batches.create' }, 0],
    ['an HTML page', { name: 'html', route: 'batches.create' }, 0],
    ['a gateway’s page that says 403', { name: 'html', route: 'batches.create', status: 403 }, 0],
    ['a gateway’s page that says 413', { name: 'html', route: 'batches.create', status: 413 }, 0],
    ['a redirect', { name: 'redirect', route: 'batches.create', location: 'http://127.0.0.1:9/elsewhere' }, 0],
    ['an answer cut in the middle', { name: 'cutResponse', route: 'batches.create' }, 1],
    ['an answer that is broken', { name: 'badJson', route: 'batches.create' }, 1],
  ];
  for (const [name, fault, made] of silences) {
    it(`leaves ${name} to the user, creates at most one batch, and finds ${made === 0 ? 'none' : 'it'} by searching`, async () => {
      const outcome = await submitFile({ faults: [fault] });
      assert.ok(outcome.kind === 'unknown', outcome.kind);
      const there = await batchesOfService();
      assert.equal(there.length, made);
      assert.equal(await afterRestart(outcome.submission.id), 'unknown');
      const found = await reconcile(bench.client.batches, registry, outcome.submission);
      assert.deepEqual(fieldOf(found.candidates, 'id'), there);
      assert.equal(found.reachedBack, true);
      assert.equal(creates(), 1);
    });
  }

  it('creates no batch if the connection is cut during the upload', async () => {
    const outcome = await submitFile({
      faults: [{ name: 'cutUpload', route: 'batches.create', bytes: 1000 }],
      padding: 'x'.repeat(8_000_000),
    });
    assert.ok(outcome.kind === 'failed');
    assert.equal(outcome.reason, 'incomplete');
    assert.deepEqual(await batchesOfService(), []);
    assert.equal(creates(), 1);
  });

  it('treats a create as unknown if a gateway responds with something else, and never resends it', async () => {
    const before = await submitFile();
    assert.ok(before.kind === 'created');
    const whims = wrongBodies.map(body => ({ kind: 'wrong body', body, isCarried: true }) as const);
    const gateway = await startGateway(emulator.url, whims, { lists: [] }, JSON.stringify(before.batch));
    const { client } = bench;
    bench.client = contractClient(emulator, { baseUrl: gateway.url });
    try {
      for (const [n, body] of wrongBodies.entries()) {
        const lines = [1, 2, 3].map(id => ({ custom_id: `${n}-${id}`, params }));
        const { kind } = await submitFile({ lines });
        assert.deepEqual([kind, gateway.bodies.size], ['unknown', n + 1], body);
      }
      assert.equal(registry.findByBatch('Lab', before.batch.id)?.id, before.submission.id);
      assert.equal(registry.all().filter(({ state }) => state === 'unknown').length, wrongBodies.length);
    } finally {
      await bench.client.close();
      bench.client = client;
      await gateway.stop();
    }
  });

  it('creates no batch of a file that changed after it was checked', async () => {
    for (const afterCheck of [
      (file: string) => appendFileSync(file, `${JSON.stringify({ custom_id: 'more', params })}\n`),
      (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('Say hello.', 'Say howdy.')),
      (file: string) => rmSync(file),
    ]) {
      const outcome = await submitFile({ afterCheck });
      assert.ok(outcome.kind === 'failed', outcome.kind);
      assert.deepEqual(await batchesOfService(), []);
    }
  });

  it('creates no batch if the service is down', async () => {
    await emulator.stop();
    const down = await submitFile();
    assert.ok(down.kind === 'failed' && down.reason === 'not_sent');
  });

  it('finds the line that an error names', async () => {
    const outcome = await submitFile({
      lines: [
        { custom_id: 'a', params },
        { custom_id: 'not allowed', params },
      ],
    });
    assert.ok(outcome.kind === 'failed' && outcome.error instanceof ServiceError);
    assert.equal(outcome.error.kind, 'invalid_request');
    const lines = path.join(registry.folder(outcome.submission.id), 'lines.tsv');
    assert.equal(await findNamedLine(lines, outcome.error.serviceMessage ?? ''), 1);
  });

  it('creates one batch when two windows send the same file at the same time', async () => {
    const file = bench.write({ custom_id: 'a', params });
    const windows = [registry, await bench.open(), registry];
    const outcomes = await Promise.all(windows.map(window => bench.submit(file, {}, { registry: window })));
    assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['conflict', 'conflict', 'created']);
    assert.equal((await batchesOfService()).length, 1);
    assert.equal(creates(), 1);
  });
});
