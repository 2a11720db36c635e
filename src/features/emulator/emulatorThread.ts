import type { Event } from 'vscode';
import { Emitter } from '../../common/emitter';
import type { EmulatorHost, RunningEmulator } from './emulatorHost';

/** A thread that runs an emulator, as this window sees it. */
export interface Thread {
  /** Settles when the emulator answers; rejects when it could not start or the thread ended before. */
  readonly started: Promise<RunningEmulator>;
  /**
   * Settles when the thread has ended, for whatever reason; with what it failed of, if it did. One that ends well without being asked used the
   * emulator of another window, which ended, or lost to one what it kept.
   */
  readonly ended: Promise<Error | undefined>;
  /** Asks the emulator to stop and ends the thread. */
  stop(): Promise<void>;
  /** Ends the thread at once. */
  kill(): void;
}

/**
 * Keeps at most one emulator for this window, and says once when it failed. Where it ended because another window began or ceased to run the one
 * of their folder, this window uses that one or runs one.
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
  /** Fires once when the running emulator ended by itself. */
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

  /** Starts it for the user's command, and tells who listens for that. */
  async startByCommand(): Promise<void> {
    await this.start();
    this.startedByCommand.fire();
  }

  /** Stops it if it runs or is starting; one that is asked for meanwhile starts afterwards. */
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
    // Whether it could start is the business of who started it.
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
