import type { Event } from 'vscode';

/** The emulator of this window: started on demand in a thread of its own, stopped with the window. */
export interface EmulatorHost {
  /** Address and key while it runs. */
  readonly running: { readonly url: string; readonly key: string } | undefined;
  readonly onDidChange: Event<void>;
  /** Starts it unless it runs; settles when it answers. */
  start(): Promise<{ readonly url: string; readonly key: string }>;
  stop(): Promise<void>;
}
