import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type OtherEmulator, StateFolderInUse, untilGone } from './state/stateFolder';
import type { Scenario } from './scenarios';
import { type Emulator, startEmulator } from './server';

/** Message to the thread of an emulator. `wanted` replies to `asked`: the folder is still needed. */
export type ToEmulatorThread = { readonly type: 'stop' | 'wanted' } | { readonly type: 'scenario'; readonly scenario: Partial<Scenario> };

/**
 * Message from the thread of an emulator. `isOther`: another emulator has the folder and is used instead. `refused` is the response to an
 * invalid scenario. `asked`: another emulator requests the folder, and waits until the thread receives `wanted` or stops.
 */
export type FromEmulatorThread =
  | { readonly type: 'started'; readonly url: string; readonly key: string; readonly isOther: boolean }
  | { readonly type: 'failed' | 'refused'; readonly message: string }
  | { readonly type: 'asked' | 'stopped' };

/*
 * Runs the emulator in a thread of its own: with `EmulatorOptions` as worker data, reports `started` or `failed`, and ends after `stopped`.
 * The port is free once the thread has ended for any reason. If another emulator has the folder, `started` has the address of that
 * emulator, and the thread ends when that emulator does.
 */
if (parentPort !== null) {
  const port = parentPort;
  const whenWanted = async () => {
    post(port, { type: 'asked' });
    let message: ToEmulatorThread;
    do {
      [message] = await once(port, 'message');
    } while (message.type === 'scenario');
  };
  try {
    const emulator = await startEmulator({ ...workerData, whenWanted });
    port.on('message', (message: ToEmulatorThread) => obey(message, emulator, port));
    post(port, { type: 'started', url: emulator.url, key: emulator.key, isOther: false });
  } catch (error) {
    if (error instanceof StateFolderInUse && error.holder !== undefined) {
      await use(error.holder, port);
    } else {
      post(port, { type: 'failed', message: textOf(error) });
    }
  }
}

/** Reports another emulator and waits until it ends or this thread is stopped. */
async function use(other: OtherEmulator, port: MessagePort): Promise<void> {
  const unwanted = new AbortController();
  port.on('message', ({ type }: ToEmulatorThread) => type === 'stop' && unwanted.abort());
  post(port, { type: 'started', ...other, isOther: true });
  await untilGone(other, unwanted.signal);
  port.close();
}

function obey(message: ToEmulatorThread, emulator: Emulator, port: MessagePort): void {
  if (message.type === 'stop') {
    void stop(emulator, port);
  }
  if (message.type !== 'scenario') {
    return;
  }
  try {
    emulator.setScenario(message.scenario);
  } catch (error) {
    post(port, { type: 'refused', message: textOf(error) });
  }
}

async function stop(emulator: Emulator, port: MessagePort): Promise<void> {
  await emulator.stop();
  post(port, { type: 'stopped' });
  port.close();
}

function post(port: MessagePort, message: FromEmulatorThread): void {
  port.postMessage(message);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
