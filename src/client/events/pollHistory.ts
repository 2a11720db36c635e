import type { WakeableSleep } from './wakeableSleep';
import type { WatchOptions } from './watchUpdates';

/** A service that streams, or answers at all, does so sooner than this. */
const patience = 3000;
/** Milliseconds between two readings of the history of a service that does not begin its stream. */
export const pollEvery = 10_000;

export interface HistoryPoll {
  readonly clock: NonNullable<WatchOptions['clock']>;
  /** Between two readings; who wakes it has the history read at once. */
  readonly rest: WakeableSleep;
  /** Reads what is missing; whether that could be done. */
  readonly read: () => Promise<boolean>;
  readonly onRead: () => void;
  /** The history does not come either. */
  readonly onSilence: () => void;
}

/** Some services begin a stream only when there is an event to send, or never: reads the history again and again until `signal` aborts. */
export async function pollHistory({ clock, rest, read, onRead, onSilence }: HistoryPoll, signal: AbortSignal): Promise<void> {
  for (let wait = patience; ; wait = pollEvery) {
    await rest.sleep(wait, signal);
    if (signal.aborted) {
      return;
    }
    const over = new AbortController();
    clock.sleep(patience, AbortSignal.any([signal, over.signal])).then(onSilence, () => {});
    const isRead = await read();
    over.abort();
    if (isRead && !signal.aborted) {
      onRead();
    }
  }
}
