import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Scenario } from './scenarios';
import { startEmulator } from './server';
import { StateFolderInUse, untilGone } from './state/stateFolder';

/** Message to the thread of an emulator. `wanted` is the reply to `asked`. It means that the folder is still needed. */
export type ToEmulatorThread = { readonly type: 'stop' | 'wanted' } | { readonly type: 'scenario'; readonly scenario: Partial<Scenario> };

/**
 * Message from the thread of an emulator. With `isOther`, another emulator has the folder and is used instead. `refused` is the response to
 * an invalid scenario. With `asked`, another emulator requests the folder and waits until the thread receives `wanted` or stops.
 */
export type FromEmulatorThread =
  | { readonly type: 'started'; readonly url: string; readonly key: string; readonly isOther: boolean }
  | { readonly type: 'failed' | 'refused'; readonly message: string }
  | { readonly type: 'asked' | 'stopped' };

/*
 * Runs the emulator in its own thread, with `EmulatorOptions` as worker data. Reports `started` or `failed`, and ends after `stopped`. The
 * port is free once the thread has ended for any reason. If another emulator has the folder, `started` has the address of that emulator,
 * and the thread ends when that emulator does.
 */
if (parentPort !== null) {
  await run(parentPort);
}

async function run(port: MessagePort): Promise<void> {
  const post = (message: FromEmulatorThread) => port.postMessage(message);
  const whenWanted = async () => {
    post({ type: 'asked' });
    let message: ToEmulatorThread;
    do {
      [message] = await once(port, 'message');
    } while (message.type === 'scenario');
  };
  try {
    const emulator = await startEmulator({ ...workerData, whenWanted });
    port.on('message', async (message: ToEmulatorThread) => {
      if (message.type === 'stop') {
        await emulator.stop();
        post({ type: 'stopped' });
        port.close();
      } else if (message.type === 'scenario') {
        try {
          emulator.setScenario(message.scenario);
        } catch (error) {
          post({ type: 'refused', message: textOf(error) });
        }
      }
    });
    post({ type: 'started', url: emulator.url, key: emulator.key, isOther: false });
  } catch (error) {
    if (error instanceof StateFolderInUse && error.holder !== undefined) {
      const unwanted = new AbortController();
      port.on('message', ({ type }: ToEmulatorThread) => type === 'stop' && unwanted.abort());
      post({ type: 'started', ...error.holder, isOther: true });
      await untilGone(error.holder, unwanted.signal);
      port.close();
    } else {
      post({ type: 'failed', message: textOf(error) });
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
