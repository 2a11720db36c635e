import type { Event } from 'vscode';
import { Emitter } from '../../common/emitter';

/** Thread that runs an emulator. */
export interface Thread {
  /** Resolves when the emulator responds. Rejects if it can't start, or if the thread ends first. */
  readonly started: Promise<RunningEmulator>;
  /**
   * Resolves when the thread has ended, with its error if it failed. The thread also ends when another emulator takes over the data, or
   * when it used another window's emulator that has ended.
   */
  readonly ended: Promise<Error | undefined>;
  /** Stops the emulator. Resolves when the thread has ended. */
  stop(): Promise<void>;
  kill(): void;
}

/**
 * Runs at most one emulator for this window. Reports each failure once. When another window with the same folder starts or stops its
 * emulator, this window switches to that emulator or starts its own.
 */
export class EmulatorThread implements EmulatorHost {
  private thread: Thread | undefined;
  private starting: Promise<RunningEmulator> | undefined;
  private stopping: Promise<void> | undefined;
  private shown: RunningEmulator | undefined;
  private isDisposed = false;
  private readonly changed = new Emitter<void>();
  private readonly crashed = new Emitter<Error>();
  private readonly startedByCommand = new Emitter<void>();

  readonly onDidChange: Event<void> = this.changed.event;
  readonly onDidStartByCommand: Event<void> = this.startedByCommand.event;
  /** Fires once when the running emulator ends unexpectedly. */
  readonly onDidCrash: Event<Error> = this.crashed.event;

  constructor(private readonly spawn: () => Promise<Thread>) {}

  get running(): RunningEmulator | undefined {
    return this.shown;
  }

  get isStarting(): boolean {
    return this.starting !== undefined;
  }

  start(): Promise<RunningEmulator> {
    if (this.stopping !== undefined) {
      return this.stopping.then(() => this.start());
    }
    if (this.shown !== undefined) {
      return Promise.resolve(this.shown);
    }
    if (this.starting === undefined) {
      this.starting = this.launch().finally(() => {
        this.starting = undefined;
        this.fire();
      });
      this.fire();
    }
    return this.starting;
  }

  /** Starts the emulator for the user's command, and fires `onDidStartByCommand`. */
  async startByCommand(): Promise<void> {
    await this.start();
    this.startedByCommand.fire();
  }

  /** Stops the emulator if it is running or starting. A call to `start` in the meantime starts the emulator again afterwards. */
  stop(): Promise<void> {
    this.stopping ??= this.end().finally(() => {
      this.stopping = undefined;
    });
    return this.stopping;
  }

  dispose(): void {
    this.isDisposed = true;
    this.shown = undefined;
    this.thread?.kill();
    this.changed.dispose();
    this.crashed.dispose();
    this.startedByCommand.dispose();
  }

  private async launch(): Promise<RunningEmulator> {
    const thread = await this.spawn();
    if (this.isDisposed) {
      thread.kill();
      throw new Error('The window closed while the emulator was starting.');
    }
    this.thread = thread;
    try {
      const running = await thread.started;
      this.shown = running;
      void thread.ended.then(error => this.onEnded(thread, error));
      return running;
    } catch (error) {
      this.thread = undefined;
      thread.kill();
      throw error;
    }
  }

  private async end(): Promise<void> {
    // The caller of `start` handles the error.
    await this.starting?.catch(() => undefined);
    const { thread } = this;
    if (thread === undefined) {
      return;
    }
    this.thread = undefined;
    this.shown = undefined;
    this.fire();
    await thread.stop();
  }

  private onEnded(thread: Thread, error: Error | undefined): void {
    if (this.thread !== thread || this.isDisposed) {
      return;
    }
    this.thread = undefined;
    this.shown = undefined;
    if (error === undefined) {
      this.start().catch((failure: Error) => this.crashed.fire(failure));
      return;
    }
    this.fire();
    this.crashed.fire(error);
  }

  private fire(): void {
    if (!this.isDisposed) {
      this.changed.fire();
    }
  }
}

/** Emulator of this window. Started on demand in its own thread, and stopped with the window. Windows of the same folder share it. */
export interface EmulatorHost {
  /** URL and key. `undefined` while the emulator is not running. */
  readonly running: RunningEmulator | undefined;
  readonly isStarting: boolean;
  /** Fires when the emulator starts, is running, or has stopped. */
  readonly onDidChange: Event<void>;
  /** Fires after the user has started the emulator with the command. */
  readonly onDidStartByCommand: Event<void>;
  /** Starts the emulator if necessary. Resolves when it responds. */
  start(): Promise<RunningEmulator>;
  stop(): Promise<void>;
}

/** URL on 127.0.0.1 and API key of the emulator. */
export interface RunningEmulator {
  readonly url: string;
  readonly key: string;
  /** True if the emulator runs in another window with the same folder. */
  readonly isOther?: boolean;
}
