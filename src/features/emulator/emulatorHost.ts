import type { Event } from 'vscode';

/** Emulator of this window. Started on demand in its own thread, and stopped with the window. Windows with the same folder share one. */
export interface EmulatorHost {
  /** URL and key. `undefined` while the emulator is not running. */
  readonly running: RunningEmulator | undefined;
  readonly isStarting: boolean;
  /** Fires when the emulator starts, is running, or has stopped. */
  readonly onDidChange: Event<void>;
  /** Fires after the user has started it with the command. */
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
