import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EmulatorOptions } from '../../../src/emulator/server';
import { batchOf, call } from '../../helpers/emulatorClient';

interface Started {
  readonly type: string;
  readonly url: string;
  readonly key: string;
  readonly message?: string;
}

describe('emulator/thread', () => {
  let folder: string;
  let folders = 0;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'managed-agents-thread-'));
  });

  after(() => rmSync(folder, { recursive: true }));

  async function start(options: EmulatorOptions): Promise<{ worker: Worker; started: Started }> {
    // A terminated thread cannot remove a temporary folder of its own.
    const stateFolder = path.join(folder, String(folders++));
    const worker = new Worker(path.join(process.env.TEST_BUILD ?? '', 'emulatorThread.js'), { workerData: { stateFolder, ...options } });
    const [started] = await once(worker, 'message');
    return { worker, started };
  }

  const refused = (url: string) =>
    assert.rejects(once(net.connect(Number(new URL(url).port), '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });

  it('starts, serves, and exits after one message with nothing left open', async () => {
    const { worker, started } = await start({ key: 'given', scenario: { batchDuration: 60_000 } });
    assert.deepEqual([started.type, started.key], ['started', 'given']);
    assert.equal((await call(started, 'POST', '/v1/messages/batches?beta=true', batchOf('x'))).status, 200);
    const ended = once(worker, 'exit');
    worker.postMessage({ type: 'stop' });
    assert.deepEqual(await ended, [0]);
    await refused(started.url);
  });

  it('changes its scenario on a message and reports an invalid one', async () => {
    const { worker, started } = await start({});
    worker.postMessage({ type: 'scenario', scenario: { batchDuration: 1234 } });
    worker.postMessage({ type: 'scenario', scenario: { batchDuration: 'long' } });
    const [refusal] = await once(worker, 'message');
    assert.deepEqual([refusal.type, /batchDuration/.test(refusal.message)], ['refused', true]);
    assert.equal((await call(started, 'GET', '/_emulator/scenario')).json.batchDuration, 1234);
    await worker.terminate();
  });

  it('leaves no open port when it is terminated', async () => {
    const { worker, started } = await start({});
    await worker.terminate();
    await refused(started.url);
  });

  it("reports why it couldn't start", async () => {
    const { worker, started } = await start({});
    const second = await start({ port: Number(new URL(started.url).port) });
    assert.equal(second.started.type, 'failed');
    assert.match(second.started.message ?? '', /EADDRINUSE/);
    await worker.terminate();
  });
});
