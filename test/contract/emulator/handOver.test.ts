import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/server';
import { askHolder, lockPath, untilGone } from '../../../src/emulator/state/stateFolder';
import { call, SessionOnEmulator } from '../../helpers/emulatorClient';
import { runs } from '../../helpers/runs';

describe('an emulator that gives its folder to another one', () => {
  let stateFolder: string;
  let emulator: Emulator;

  const start = async (options: EmulatorOptions = {}) => {
    emulator = await startEmulator({ stateFolder, scenario: { sessionPause: 0 }, ...options });
  };
  const lock = () => readFile(path.join(stateFolder, 'emulator.lock.1'), 'utf8');

  beforeEach(async () => {
    stateFolder = await mkdtemp(path.join(tmpdir(), 'emulator-hand-over-'));
  });
  afterEach(async () => {
    await emulator.stop();
    await rm(stateFolder, { recursive: true });
  });

  it('holds the folder until everything is written', async () => {
    await start();
    const session = await SessionOnEmulator.start(emulator, 'Researcher');
    const gone = untilGone(emulator, new AbortController().signal).then(lock);
    await session.say('think');
    void emulator.stop();
    assert.equal(await gone, '{');
  });

  it('hands over everything that it reported as created, even while it was stopping', async () => {
    await start();
    for (let round = 0; round < runs(100); round++) {
      const next = untilGone(emulator, new AbortController().signal).then(() => startEmulator({ stateFolder }));
      const calls = Array.from({ length: 20 }, async (_, number) => {
        const created = call(emulator, 'POST', '/v1/agents?beta=true', { name: `${round} ${number}`, model: 'vendor-opus-5' });
        // An interrupted create may have succeeded or not.
        return created.then(({ json }) => [String(json.id)]).catch(() => []);
      });
      await Promise.any(calls);
      await emulator.stop();
      const said = (await Promise.all(calls)).flat();
      emulator = await next;
      const statuses = await Promise.all(said.map(async id => (await call(emulator, 'GET', `/v1/agents/${id}?beta=true`)).status));
      assert.ok(said.length > 0);
      assert.deepEqual(
        statuses,
        said.map(() => 200),
      );
    }
  });

  it('releases the folder even when the disk rejects the last write', async () => {
    await start();
    const gone = untilGone(emulator, new AbortController().signal);
    const file = path.join(stateFolder, 'emulator.lock.1');
    await rm(file);
    await mkdir(file);
    await assert.rejects(emulator.stop(), { code: 'EISDIR' });
    await gone;
    await assert.rejects(call(emulator, 'GET', '/v1/models'));
    await rm(file, { recursive: true });
    await start();
  });

  it("doesn't report that it holds the folder while it releases it", async () => {
    let keep = () => {};
    const wanted = new Promise<void>(resolve => {
      keep = resolve;
    });
    let asked = () => {};
    const whenAsked = new Promise<void>(resolve => {
      asked = resolve;
    });
    await start({
      whenWanted: () => {
        asked();
        return wanted;
      },
    });
    const { port, token } = JSON.parse(await lock());
    const answer = askHolder(port, lockPath + token);
    await whenAsked;
    const stopped = emulator.stop();
    keep();
    assert.deepEqual([await answer, await lock()], [undefined, '{']);
    await stopped;
  });
});
