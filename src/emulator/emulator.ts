import type { DialectName } from '../client/dialect';
import type { RecordedRequest } from './http/requestLog';
import type { Scenario } from './scenarios';

export interface EmulatorOptions {
  /** Port on 127.0.0.1. 0 or absent chooses a free one. */
  readonly port?: number;
  /** API key to accept. If absent, a random one is created. */
  readonly key?: string;
  /** Dialect to use. The contract's own by default. */
  readonly dialect?: DialectName;
  /** Folder that stores batches, agents, sessions and files across restarts. If absent, nothing is stored. */
  readonly stateFolder?: string;
  readonly scenario?: Partial<Scenario>;
  /** Resolves if this emulator still needs `stateFolder`, which another emulator requests. Otherwise the owner stops this emulator. */
  readonly whenWanted?: () => Promise<void>;
  /**
   * Called when another emulator took over `stateFolder` while this one was suspended. It must end immediately and write nothing more
   * there.
   */
  readonly onLost?: () => void;
}

/** Small emulation of the service, on 127.0.0.1 only. `stop` closes every connection and resolves when the port is free again. */
export interface Emulator {
  readonly url: string;
  readonly key: string;
  /** Latest received requests, oldest first, without those below `/_emulator`. */
  readonly requests: readonly RecordedRequest[];
  /** Changes parts of the scenario, like `POST /_emulator/scenario`. */
  setScenario(patch: Partial<Scenario>): void;
  /**
   * Moves the clock forward, like `POST /_emulator/clock`. Resolves when every due batch has ended and every due step of a session is done.
   */
  advanceClock(milliseconds: number): Promise<void>;
  /** Number of open event streams. */
  readonly openStreams: number;
  /** Closes every open event stream after sending what is pending. */
  cutStreams(): void;
  /**
   * Stores events unchanged on the log of a session or of one of its threads. Those without `id` or `processed_at` get one. Returns the
   * stored events.
   */
  appendEvents(
    sessionId: string,
    events: readonly { readonly type: string; readonly [field: string]: unknown }[],
    threadId?: string,
  ): Promise<readonly { readonly type: string; readonly id: string; readonly [field: string]: unknown }[]>;
  stop(): Promise<void>;
}
