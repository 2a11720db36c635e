/** How the emulator behaves: how a batch proceeds, and which faults it has. Changed while it runs with `POST /_emulator/scenario`. */
export interface Scenario {
  /** Milliseconds from a batch's creation to its end. */
  readonly batchDuration: number;
  /** Milliseconds between the pieces of a streamed message. */
  readonly streamPause: number;
}
