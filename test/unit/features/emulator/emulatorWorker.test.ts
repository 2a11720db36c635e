import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EmulatorWorker } from '../../../../src/features/emulator/emulatorWorker';
import { batchOf, call } from '../../../helpers/emulatorClient';

const file = path.join(process.env.TEST_BUILD ?? '', 'emulatorThread.js');
let onAsked: (asked: EmulatorWorker) => void;
const workers: EmulatorWorker[] = [];
const spawn = (stateFolder: string, scenario = {}) => {
  const worker = new EmulatorWorker(file, { stateFolder, scenario }, () => onAsked(worker));
  workers.push(worker);
  return worker;
};

describe('features/emulator/emulatorWorker', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'managed-agents-emulator-'));
    onAsked = asked => asked.keep();
  });
  afterEach(async () => {
    // A worker left running by a failed test would keep the run from ending.
    for (const worker of workers.splice(0)) {
      worker.kill();
      await worker.ended;
    }
    await rm(folder, { recursive: true, force: true });
  });

  it('serves on this machine with its own key, and keeps its batches across a restart', async () => {
    const first = spawn(folder);
    const created = await call(await first.started, 'POST', '/v1/messages/batches?beta=true', batchOf('hello'));
    assert.equal(created.status, 200, created.text);
    await first.stop();
    assert.equal(await first.ended, undefined);
    const second = spawn(folder);
    const reread = await call(await second.started, 'GET', `/v1/messages/batches/${created.json.id}?beta=true`);
    assert.equal(reread.status, 200, reread.text);
    await second.stop();
  });

  it('loads the batches of a killed emulator', async () => {
    const first = spawn(folder);
    const created = await call(await first.started, 'POST', '/v1/messages/batches?beta=true', batchOf('hello'));
    first.kill();
    await first.ended;
    const second = spawn(folder);
    const reread = await call(await second.started, 'GET', `/v1/messages/batches/${created.json.id}?beta=true`);
    assert.equal(reread.status, 200, reread.text);
    await second.stop();
  });

  it('serves another emulator that requests its folder, until one of them stops', async () => {
    const first = spawn(folder);
    const { url, key } = await first.started;
    const [second, third] = [spawn(folder), spawn(folder)];
    assert.deepEqual([await second.started, await third.started], Array(2).fill({ url, key, isOther: true }));
    await second.stop();
    assert.equal(await second.ended, undefined);
    const created = await call({ url, key }, 'POST', '/v1/messages/batches?beta=true', batchOf('hello'));
    assert.equal(created.status, 200, created.text);
    await first.stop();
    assert.equal(await third.ended, undefined);
  });

  it('reports that another emulator requests its folder, and hands it over when it stops', async () => {
    const first = spawn(folder);
    const created = await call(await first.started, 'POST', '/v1/messages/batches?beta=true', batchOf('hello'));
    onAsked = asked => void asked.stop();
    const second = spawn(folder);
    const reread = await call(await second.started, 'GET', `/v1/messages/batches/${created.json.id}?beta=true`);
    assert.equal(reread.status, 200, reread.text);
    await second.stop();
  });

  it('changes the duration of batches while it runs', async () => {
    const worker = spawn(folder, { batchDuration: 3_600_000 });
    const running = await worker.started;
    worker.setScenario({ batchDuration: 0 });
    const created = await call(running, 'POST', '/v1/messages/batches?beta=true', batchOf('hello'));
    await call(running, 'POST', '/_emulator/clock', { advance: 1000 });
    const seen = await call(running, 'GET', `/v1/messages/batches/${created.json.id}?beta=true`);
    assert.equal(seen.json.processing_status, 'ended', seen.text);
    await worker.stop();
  });

  it("reports why it couldn't start", async () => {
    const worker = spawn(path.join(file, 'no-folder'));
    await assert.rejects(worker.started, /ENOTDIR/);
    assert.match((await worker.ended)?.message ?? '', /ENOTDIR/);
  });
});
