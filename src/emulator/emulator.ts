import type { DialectName } from '../client/dialect';
import type { RecordedRequest } from './http/requestLog';
import type { Scenario } from './scenarios';

export interface EmulatorOptions {
  /** Port on 127.0.0.1; 0 or absent chooses a free one. */
  readonly port?: number;
  /** API key it accepts; absent makes a random one. */
  readonly key?: string;
  /** Names it speaks; absent is the contract's own. */
  readonly dialect?: DialectName;
  /** Folder that keeps batches, agents, sessions and files over a restart; absent keeps nothing when the emulator stops. */
  readonly stateFolder?: string;
  readonly scenario?: Partial<Scenario>;
  /** Settles when whoever runs it still wants `stateFolder`, which another emulator asks for; it stops where that is not so. */
  readonly whenWanted?: () => Promise<void>;
  /** Called when another emulator took `stateFolder` over while this one stood still: it must end at once, and write nothing more there. */
  readonly onLost?: () => void;
}

/** The service in small, on 127.0.0.1 only. `stop` closes every connection and settles when the port is free again. */
export interface Emulator {
  readonly url: string;
  readonly key: string;
  /** The latest requests it received, oldest first, without those under `/_emulator`. */
  readonly requests: readonly RecordedRequest[];
  /** Changes parts of how it behaves, as `POST /_emulator/scenario` does. */
  setScenario(patch: Partial<Scenario>): void;
  /** Moves its clock forward and settles when every batch that fell due has ended and every step of a session was made, as `POST /_emulator/clock` does. */
  advanceClock(milliseconds: number): Promise<void>;
  /** How many event streams are open now. */
  readonly openStreams: number;
  /** Cuts every open event stream, after what is on its way. */
  cutStreams(): void;
  /**
   * Stores events on the log of a session, or of one of its threads, as they are; those without an `id` or `processed_at` get one.
   * Answers them as stored.
   */
  appendEvents(
    sessionId: string,
    events: readonly { readonly type: string; readonly [field: string]: unknown }[],
    threadId?: string,
  ): Promise<readonly { readonly type: string; readonly id: string; readonly [field: string]: unknown }[]>;
  stop(): Promise<void>;
}
