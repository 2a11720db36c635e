import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import { searchForBatch } from '../../../src/features/batches/reconciling/searchForBatch';
import type { Submission } from '../../../src/features/ledger/submission';
import { SubmissionRegistry } from '../../../src/features/ledger/submissionRegistry';
import type { BatchFileReport } from '../../../src/jsonl/checking/batchFileReport';
import { createJsonlJobs } from '../../../src/jsonl/jobs/jobs';
import { contractClient } from '../../helpers/emulatorClient';
import { someOf } from '../../helpers/runs';
import type { Mishap, WindowEnd } from '../../torture/mishaps';
import type { WindowTask } from '../../torture/submitWindow';
import { linesOf, params, terms, threadFile } from './batchBench';
import { type KillingProxy, type Phase, startKillingProxy } from './killingProxy';

// Not bundled, because its plugins find the project relative to the module's own path.
const { nodeOptions } = (await import(pathToFileURL('esbuild.mjs').href)) as typeof import('../../../esbuild.mjs');

const duration = 60_000;

interface CheckedFile {
  readonly file: string;
  readonly report: BatchFileReport;
}

interface End {
  readonly signal: NodeJS.Signals | null;
  readonly told: WindowEnd | undefined;
}

/** The submission as a new window reads it after the killed process has ended, and the batches on the service. */
interface Found {
  readonly submission: Submission | undefined;
  /** Submission after two searches for its batch. The second search runs when the batch has ended. */
  readonly settled: Submission | undefined;
  readonly batches: readonly string[];
  readonly creates: number;
  readonly end: End;
}

describe('features/batches/submitting/submit in a killed process @nightly', () => {
  let folder: string;
  let script: string;
  let small: CheckedFile;
  let large: CheckedFile;
  const children = new Set<ChildProcess>();

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'crash-'));
    const built = path.join(folder, 'built');
    await build({
      ...nodeOptions,
      entryPoints: [path.join('test', 'torture', 'submitWindow.ts')],
      outdir: built,
      sourcemap: false,
      logLevel: 'warning',
    });
    script = path.join(built, 'submitWindow.js');
    small = await checked('small.jsonl', 'Say hello.');
    large = await checked('large.jsonl', 'x'.repeat(4_000_000));
  });

  after(() => {
    for (const child of children) {
      child.kill('SIGKILL');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  async function checked(name: string, text: string): Promise<CheckedFile> {
    const file = path.join(folder, name);
    writeFileSync(file, linesOf([1, 2, 3].map(n => ({ custom_id: `r${n}`, params }))).replaceAll('Say hello.', text));
    return { file, report: await createJsonlJobs({ threadFile }).checkFile(file, terms) };
  }

  function start(
    task: Omit<WindowTask, 'threadFile' | 'triesAgain'>,
    mishaps: readonly Mishap[] = [],
  ): { readonly child: ChildProcess; readonly end: Promise<End> } {
    const taskFile = path.join(folder, `${randomUUID()}.json`);
    writeFileSync(taskFile, JSON.stringify({ ...task, threadFile, triesAgain: false, mishaps }));
    const child = fork(script, [taskFile], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.add(child);
    let told: End['told'];
    child.on('message', message => {
      told = message as WindowEnd;
    });
    const end = once(child, 'exit').then(([, signal]) => {
      children.delete(child);
      return { signal: signal as NodeJS.Signals | null, told };
    });
    return { child, end };
  }

  async function run({ file, report }: CheckedFile, phase: Phase, killBefore = 0): Promise<Found> {
    const emulator = await startEmulator({ scenario: { batchDuration: duration } });
    let proxy: KillingProxy | undefined;
    const registry = path.join(folder, randomUUID());
    mkdirSync(registry);
    const id = randomUUID();
    try {
      let child: ChildProcess | undefined;
      proxy = await startKillingProxy(emulator.url, phase, () => child?.kill('SIGKILL'));
      const task = { registry, submissionId: id, file, report, url: proxy.url, key: emulator.key };
      const started = start(task, killBefore === 0 ? [] : [{ step: killBefore, what: 'SIGKILL' }]);
      child = started.child;
      const end = await started.end;
      await proxy.settle();
      return await look(emulator, registry, id, end);
    } finally {
      await proxy?.stop();
      await emulator.stop();
    }
  }

  async function look(emulator: Emulator, folderOfRegistry: string, id: string, end: End): Promise<Found> {
    const client = contractClient(emulator);
    const registry = new SubmissionRegistry({ folder: folderOfRegistry, log: { warn: message => assert.fail(message) } });
    try {
      await registry.load();
      const submission = registry.find(id);
      let settled = submission;
      if (submission?.state === 'unknown') {
        // The submission has the proxy's port. A restarted emulator may also have another port than before.
        const place = { client, isEmulator: true };
        settled = (await searchForBatch(registry, submission, place)).submission;
        await emulator.advanceClock(duration + 1_000);
        settled = (await searchForBatch(registry, settled, place)).submission;
      }
      const batches = (await client.batches.list({ limit: 100 })).items.map(batch => batch.id);
      const creates = emulator.requests.filter(({ method }) => method === 'POST').length;
      return { submission, settled, batches, creates, end };
    } finally {
      registry.dispose();
      await client.close();
    }
  }

  /** Asserts that the outcome is known or that the user is asked about it, and that an existing batch is found. */
  function judge({ submission, settled, batches, creates }: Found, where: string): void {
    assert.ok(creates <= 1 && batches.length <= 1, `${where}: ${creates} creates, ${batches.length} batches`);
    switch (submission?.state) {
      case undefined:
      case 'failed':
        assert.deepEqual(batches, [], `${where}: a batch that nobody knows of`);
        break;
      case 'created':
        assert.deepEqual(batches, [submission.batchId], where);
        break;
      case 'unknown':
        assert.deepEqual(
          settled?.search?.candidates.map(({ batchId, ids }) => [batchId, ids]),
          batches.map(id => [id, 'same']),
          where,
        );
        break;
      default:
        assert.fail(`${where}: ${submission?.state}`);
    }
  }

  it('leaves a known batch or a question, and never two batches, at every disk step', async () => {
    const whole = await run(small, 'never');
    judge(whole, 'not killed');
    assert.equal(whole.end.told?.kind, 'created');
    const { steps } = whole.end.told;
    assert.ok(steps > 25, `only ${steps} steps`);
    const states = new Set<string>();
    const queue = [
      ...someOf(
        Array.from({ length: steps }, (_, index) => index + 1),
        10,
      ),
    ];
    const next = async (): Promise<void> => {
      for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
        const found = await run(small, 'never', step);
        // The process that counted the steps may have been slower and checked its locks more often. So the last steps may not occur.
        assert.ok(found.end.signal === 'SIGKILL' || (found.end.told?.steps ?? step) < step, `step ${step}`);
        judge(found, `killed before step ${step}`);
        states.add(found.submission?.state ?? 'nothing');
      }
    };
    await Promise.all([next(), next(), next()]);
    assert.deepEqual([...states].sort(), ['created', 'failed', 'nothing', 'unknown']);
  });

  const phases: readonly (readonly [phase: Phase, size: 'small' | 'large', state: string, batches: number])[] = [
    ['connected', 'large', 'failed', 0],
    ['head', 'large', 'failed', 0],
    ['half', 'large', 'failed', 0],
    ['head', 'small', 'unknown', 0],
    ['all but a byte', 'small', 'unknown', 0],
    ['whole', 'small', 'unknown', 1],
    ['answered', 'small', 'unknown', 1],
  ];
  for (const [phase, size, state, batches] of phases) {
    it(`finds ${batches === 0 ? 'none' : 'the batch'} when the process is killed with ${phase} of a ${size} request sent${phase === 'whole' ? ' @ci' : ''}`, async () => {
      const found = await run(size === 'small' ? small : large, phase);
      assert.equal(found.end.signal, 'SIGKILL');
      assert.equal(found.batches.length, batches);
      assert.equal(found.submission?.state, state);
      judge(found, phase);
    });
  }

  it('finds the batch when the process is killed after it received the response', async () => {
    const found = await run(small, 'delivered');
    assert.equal(found.batches.length, 1);
    judge(found, 'delivered');
  });
});
