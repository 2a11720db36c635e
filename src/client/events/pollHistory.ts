import type { WakeableSleep } from './wakeableSleep';
import type { WatchOptions } from './watchUpdates';

/** Longest time that a service takes to stream, or to respond at all, in milliseconds. */
const patience = 3000;
/** Interval at which the history is read if the service does not start its stream, in milliseconds. */
export const pollEvery = 10_000;

export interface HistoryPoll {
  readonly clock: NonNullable<WatchOptions['clock']>;
  /** Sleep between two readings. Waking it starts one at once. */
  readonly rest: WakeableSleep;
  /** Reads missing events. Returns whether that worked. */
  readonly read: () => Promise<boolean>;
  readonly onRead: () => void;
  /** Called when the history can't be read either. */
  readonly onSilence: () => void;
}

/** Reads the history again and again until `signal` aborts: some services start a stream only when there is an event to send, or never. */
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
