import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JobListener } from '../../../../src/jsonl/jobs/jobThread';
import { JobThreads } from '../../../../src/jsonl/jobs/jobThreads';
import { createRing } from '../../../../src/jsonl/jobs/threadProtocol';
import { HeldTimers } from '../../../helpers/heldTimers';
import { until } from '../../../helpers/until';

/** Source of a thread that responds with its id and its number of jobs. Some inputs make the thread crash or exit. */
const threadSource = `
import { parentPort, threadId } from 'node:worker_threads';
let jobs = 0;
parentPort.on('message', message => {
  if (message.type === 'end') {
    parentPort.close();
  } else if (message.type === 'prepare') {
    jobs = message.practiseIn === undefined ? 100 : 200;
  } else if (message.type === 'run') {
    jobs++;
    const { input } = message.order;
    if (input === 'crash') {
      throw new Error('crashed');
    } else if (input === 'exit') {
      process.exit(0);
    } else if (input === 'fail') {
      parentPort.postMessage({ type: 'failed', name: 'Error', message: 'failed', stack: '', code: 'ENOENT' });
      parentPort.close();
    } else if (input !== 'hang') {
      parentPort.postMessage({ type: 'done', value: { threadId, jobs }, isFree: input !== 'large' });
      if (input === 'large') {
        parentPort.close();
      }
    }
  }
});
`;

describe('jsonl/jobs/jobThreads', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'threads-'));
  const threadFile = path.join(folder, 'thread.mjs');
  writeFileSync(threadFile, threadSource);
  after(() => rmSync(folder, { recursive: true }));
  let threads: JobThreads;
  beforeEach(() => {
    threads = new JobThreads(threadFile);
  });
  afterEach(() => threads.dispose());

  async function run(input: string, listener: JobListener = {}): Promise<{ threadId: number; jobs: number }> {
    const order = { name: 'checkFile', input, ring: createRing(0) } as const;
    return (await threads.run(order, listener)) as { threadId: number; jobs: number };
  }

  it('reuses a thread after its job is done, and never for two jobs at once', async () => {
    const first = await run('');
    assert.deepEqual(await run(''), { threadId: first.threadId, jobs: 2 });
    const [one, other] = await Promise.all([run(''), run('')]);
    assert.notEqual(one?.threadId, other?.threadId);
  });

  it('reports a thread that crashes or exits to its job, and runs the next in another', async () => {
    const { threadId } = await run('');
    await assert.rejects(run('crash'), /crashed/);
    await assert.rejects(run('exit'), /ended before the job did/);
    const next = await run('');
    assert.equal(next.jobs, 1);
    assert.notEqual(next.threadId, threadId);
  });

  it('ends a thread whose job failed, was canceled, hangs, or used much memory', async () => {
    for (const input of ['fail', 'large', 'hang']) {
      const { threadId } = await run('');
      const reason = new Error('enough');
      const controller = new AbortController();
      const settled = run(input, { signal: controller.signal });
      if (input === 'hang') {
        controller.abort(reason);
        await assert.rejects(settled, reason);
      } else if (input === 'fail') {
        await assert.rejects(settled, { code: 'ENOENT' });
      } else {
        await settled;
      }
      assert.notEqual((await run('')).threadId, threadId, input);
    }
  });

  it('keeps a prepared thread as long as it is needed, also after one has ended', async () => {
    threads.keepReady(true);
    const first = await run('');
    assert.equal(first.jobs, 101);
    await assert.rejects(run('fail'));
    const next = await run('');
    assert.equal(next.jobs, 101);
    assert.notEqual(next.threadId, first.threadId);
  });

  it('warms up the ready thread once results are expected, and each following one', async () => {
    threads.keepReady(true);
    assert.equal((await run('')).jobs, 101);
    threads.keepReady(true, folder);
    assert.equal((await run('')).jobs, 201);
    threads.keepReady(true);
    threads.keepReady(true, folder);
    assert.equal((await run('')).jobs, 202);
    await assert.rejects(run('fail'));
    assert.equal((await run('')).jobs, 201);
  });

  it('ends idle threads after half a minute', async () => {
    const timers = new HeldTimers([30_000]);
    try {
      const { threadId } = await run('');
      timers.pass(29_999);
      assert.equal((await run('')).threadId, threadId);
      await until(() => timers.count === 1);
      timers.pass(30_000);
      assert.notEqual((await run('')).threadId, threadId);
    } finally {
      timers.release();
    }
  });
});
