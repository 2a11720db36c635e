import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Emulator, EmulatorOptions } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/http/server';
import { askHolder, untilGone } from '../../../src/emulator/otherEmulator';
import { lockPath } from '../../../src/emulator/state/stateFolder';
import { SessionOnEmulator } from '../../helpers/emulatorClient';

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

  it('is there until all is written and the folder is free', async () => {
    await start();
    const session = await SessionOnEmulator.start(emulator, 'Researcher');
    const gone = untilGone(emulator, new AbortController().signal).then(lock);
    await session.say('think');
    void emulator.stop();
    assert.equal(await gone, '{');
  });

  it('does not say that it has the folder while it gives that up', async () => {
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
