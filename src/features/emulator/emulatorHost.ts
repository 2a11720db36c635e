import type { Event } from 'vscode';

/** The emulator of this window: started on demand in a thread of its own, stopped with the window. Windows of one folder use one. */
export interface EmulatorHost {
  /** Address and key while it runs. */
  readonly running: RunningEmulator | undefined;
  readonly isStarting: boolean;
  /** Fires when it began to start, runs, or has stopped. */
  readonly onDidChange: Event<void>;
  /** Fires when the user started it by its command, after it runs. */
  readonly onDidStartByCommand: Event<void>;
  /** Starts it unless it runs; settles when it answers. */
  start(): Promise<RunningEmulator>;
  stop(): Promise<void>;
}

/** Where the emulator listens on 127.0.0.1, and the key it accepts. */
export interface RunningEmulator {
  readonly url: string;
  readonly key: string;
  /** Whether another window of the same folder runs it. */
  readonly isOther?: boolean;
}
