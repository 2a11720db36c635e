import { Worker } from 'node:worker_threads';
import { settlesWithin } from '../../common/settlesWithin';
import type { Scenario } from '../../emulator/scenarios';
import type { EmulatorOptions } from '../../emulator/server';
import type { FromEmulatorThread, ToEmulatorThread } from '../../emulator/thread';
import type { RunningEmulator, Thread } from './emulatorThread';

const patience = 2_000;

/**
 * Runs an emulator in a worker thread from `file`, the built `emulatorThread.js`. Calls `onAsked` if another emulator requests its data.
 * The other emulator takes over the data unless `keep` is called soon.
 */
export class EmulatorWorker implements Thread {
  readonly started: Promise<RunningEmulator>;
  readonly ended: Promise<Error | undefined>;
  private readonly worker: Worker;

  constructor(file: string, options: EmulatorOptions, onAsked: () => void) {
    // The thread must not inherit arguments of the extension host, such as an inspector port or loaders.
    this.worker = new Worker(file, { workerData: options, execArgv: [], name: 'managed-agents-emulator' });
    let failure: Error | undefined;
    this.ended = new Promise(resolve => {
      this.worker.on('error', error => {
        failure = error instanceof Error ? error : new Error(String(error));
      });
      this.worker.once('exit', code => resolve(failure ?? (code === 0 ? undefined : new Error(`Its thread ended with code ${code}.`))));
    });
    this.started = new Promise((resolve, reject) => {
      this.worker.on('message', (message: FromEmulatorThread) => {
        if (message.type === 'started') {
          const { url, key, isOther } = message;
          resolve({ url, key, isOther });
        } else if (message.type === 'asked') {
          onAsked();
        } else if (message.type === 'failed') {
          failure = new Error(message.message);
        }
      });
      void this.ended.then(error => reject(error ?? new Error('Its thread ended before it was ready.')));
    });
    // Prevents an unhandled rejection if nobody awaits the start.
    this.started.catch(() => undefined);
  }

  setScenario(scenario: Partial<Scenario>): void {
    this.post({ type: 'scenario', scenario });
  }

  /** Tells the thread that this window still needs the data. */
  keep(): void {
    this.post({ type: 'wanted' });
  }

  async stop(): Promise<void> {
    this.post({ type: 'stop' });
    if (!(await settlesWithin(this.ended, patience))) {
      this.kill();
      await this.ended;
    }
  }

  kill(): void {
    // Terminating an ended thread is not an error.
    void this.worker.terminate();
  }

  private post(message: ToEmulatorThread): void {
    this.worker.postMessage(message);
  }
}
