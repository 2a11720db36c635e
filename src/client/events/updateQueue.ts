import type { News } from './eventLedger';
import type { SessionEvent } from './eventLog';
import type { WatchUpdate } from './watchUpdates';

const maxEvents = 2000;
const maxBytes = 8 * 1024 * 1024;
/** Maximum number of events in a merged update, because an update is rendered in one go. */
const maxMerged = 1000;

interface Pending {
  readonly update: WatchUpdate;
  /** Events of the update. More events may be added. */
  readonly events: SessionEvent[];
}

/**
 * Updates waiting for the consumer of a watch. Adjacent updates of one kind are merged. `room` waits while the queue is full, so that a
 * slow consumer pauses the socket instead of filling the memory.
 */
export class UpdateQueue {
  private readonly pending: Pending[] = [];
  private events = 0;
  private bytes = 0;
  private isEnded = false;
  private wakeConsumer: (() => void) | undefined;
  private wakeProducers: (() => void)[] = [];

  /** Adds an update. `bytes` is its size on the wire, if known. */
  push(update: WatchUpdate, bytes = 0): void {
    if (this.isEnded) {
      return;
    }
    this.bytes += bytes;
    this.events += 'events' in update ? update.events.length : 0;
    if (!this.merge(update)) {
      const events = 'events' in update ? [...update.events] : [];
      this.pending.push({ update: 'events' in update ? { ...update, events } : update, events });
    }
    this.wakeConsumer?.();
  }

  /** Adds the new events, then the changed events. A new event may change within the same chunk. */
  pushNews({ fresh, changed }: News, live: boolean, bytes = 0): void {
    if (fresh.length > 0) {
      this.push({ type: 'events', events: fresh, live }, bytes);
    }
    if (changed.length > 0) {
      this.push({ type: 'changed', events: changed });
    }
  }

  /** Returns the next update, or `undefined` after the end. */
  async next(): Promise<WatchUpdate | undefined> {
    while (this.pending.length === 0 && !this.isEnded) {
      await new Promise<void>(resolve => {
        this.wakeConsumer = resolve;
      });
      this.wakeConsumer = undefined;
    }
    const next = this.pending.shift();
    this.events -= next?.events.length ?? 0;
    if (this.pending.length === 0) {
      this.bytes = 0;
    }
    if (this.hasRoom) {
      this.release();
    }
    return next?.update;
  }

  /** Settles when there is room for more updates, or when the queue has ended. */
  async room(): Promise<void> {
    while (!this.hasRoom && !this.isEnded) {
      await new Promise<void>(resolve => this.wakeProducers.push(resolve));
    }
  }

  /** Ends the queue. Queued updates are still delivered unless `drop` is set. */
  end(drop: boolean): void {
    this.isEnded = true;
    if (drop) {
      this.pending.length = 0;
    }
    this.wakeConsumer?.();
    this.release();
  }

  private get hasRoom(): boolean {
    return this.events < maxEvents && this.bytes < maxBytes;
  }

  private release(): void {
    for (const wake of this.wakeProducers.splice(0)) {
      wake();
    }
  }

  private merge(update: WatchUpdate): boolean {
    const last = this.pending.at(-1);
    if (last === undefined || last.update.type !== update.type) {
      return false;
    }
    switch (update.type) {
      case 'state':
        this.pending[this.pending.length - 1] = { update, events: [] };
        return true;
      case 'events':
      case 'changed':
      case 'previews':
        if (last.events.length >= maxMerged || ('live' in update && 'live' in last.update && update.live !== last.update.live)) {
          return false;
        }
        last.events.push(...update.events);
        return true;
      default:
        return false;
    }
  }
}
