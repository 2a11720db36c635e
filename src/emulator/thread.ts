import { parentPort, workerData } from 'node:worker_threads';
import { startEmulator } from './server';

/*
 * The emulator in a thread of its own. Gets `EmulatorOptions` as worker data; posts `{ type: 'started', url, key, notice }` or
 * `{ type: 'failed', message }`; changes the scenario at `{ type: 'scenario', scenario }`; stops, posts `{ type: 'stopped' }` and ends
 * at any other message. The port is free when the thread has ended, in whichever way it ends.
 */
if (parentPort !== null) {
  const port = parentPort;
  try {
    const emulator = await startEmulator(workerData ?? {});
    port.on('message', async message => {
      if (message?.type === 'scenario') {
        emulator.setScenario(message.scenario);
        return;
      }
      await emulator.stop();
      port.postMessage({ type: 'stopped' });
      port.close();
    });
    port.postMessage({ type: 'started', url: emulator.url, key: emulator.key, notice: emulator.notice });
  } catch (error) {
    port.postMessage({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}
