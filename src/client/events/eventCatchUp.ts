import { CursorRefusedError, EventHistory } from './eventHistory';
import { type EventLedger, waitingReach } from './eventLedger';
import type { EventLog } from './eventLog';
import { type Named, nameOf, PositionNames } from './eventNames';
import type { UpdateQueue } from './updateQueue';

/** Number of consecutive known events that proves that two copies of a log overlap. Servers may swap neighbors between stream and list. */
const overlap = 8;
/** Maximum number of missing events held in memory. A longer history is read again, oldest first, and delivered as it arrives. */
const maxHeld = 50_000;

/** Reads events from the history that the stream did not deliver, and delivers them at their positions. */
export class EventCatchUp {
  private readonly history: EventHistory;
  /** True once the history was read from start to end. */
  private isWhole = false;

  constructor(
    log: EventLog,
    private readonly ledger: EventLedger,
    private readonly queue: UpdateQueue,
    private readonly onProgress: () => void,
  ) {
    // Only events before the first gap show the order of the history. A later event can be a changed copy of an older event.
    this.history = new EventHistory(log, name => {
      const ordinal = ledger.ordinalOf(name);
      return ordinal !== undefined && ordinal <= ledger.whole ? ordinal : undefined;
    });
  }

  /**
   * Delivers all events not delivered yet and closes the gaps. Nothing else may be delivered meanwhile. Rejects if the history can't be
   * read. The events delivered until then have no gaps.
   */
  async run(signal: AbortSignal): Promise<void> {
    const canHold = this.isWhole || this.ledger.hasGap;
    const missed = canHold ? await this.collectBack(signal) : undefined;
    if (missed !== undefined) {
      this.deliver(missed);
    } else if (this.ledger.hasGap) {
      this.deliver(await this.collectForward(signal));
    } else {
      await this.deliverForward(signal);
    }
    this.isWhole = true;
    await this.queue.room();
  }

  /**
   * Delivers missing events, at gaps and at the end, while the stream continues. Returns whether there were any. Rejects if the history
   * can't be read.
   */
  async fill(signal: AbortSignal): Promise<boolean> {
    const before = this.ledger.count;
    const events = (await this.collectBack(signal)) ?? (await this.collectForward(signal));
    const { count } = this.ledger;
    if (this.ledger.hasUnnamed && count > before) {
      throw new Error('The service sent an event without an ID while its history was read.');
    }
    this.deliver(events);
    this.isWhole = true;
    await this.queue.room();
    return this.ledger.count > count;
  }

  /** Delivers the history page by page. Starts at the last event before which nothing is missing or can have changed. */
  private async deliverForward(signal: AbortSignal): Promise<void> {
    await this.readForward(signal, async page => {
      this.queue.pushNews(this.ledger.take(page), false);
      this.onProgress();
      await this.queue.room();
    });
  }

  private async collectForward(signal: AbortSignal): Promise<readonly Named[]> {
    const events: Named[] = [];
    await this.readForward(
      signal,
      async page => {
        for (const named of page) {
          events.push(named);
        }
      },
      () => {
        events.length = 0;
      },
    );
    return distinct(events);
  }

  private async readForward(
    signal: AbortSignal,
    onPage: (page: readonly Named[]) => Promise<void>,
    onRestart: () => void = () => {},
  ): Promise<void> {
    const { ledger } = this;
    const reach = this.isWhole && !ledger.hasUnnamed ? Math.min(ledger.whole, ledger.firstWaiting) : undefined;
    for (let attempt = 1; ; attempt++) {
      const names = new PositionNames();
      try {
        for await (const page of this.history.forward(signal, attempt === 1 ? reach : undefined)) {
          await onPage(page.map(event => ({ event, name: nameOf(event) ?? names.next(event) })));
          signal.throwIfAborted();
        }
        return;
      } catch (error) {
        if (!(error instanceof CursorRefusedError) || attempt === 3) {
          throw error;
        }
        onRestart();
      }
    }
  }

  /**
   * Collects the newest events of the history, back to the first event that may be missing. Returns the events oldest first, or `undefined`
   * if the history has to be read from its start.
   */
  private async collectBack(signal: AbortSignal): Promise<readonly Named[] | undefined> {
    const { ledger, history } = this;
    if (!history.runsBackward || ledger.hasUnnamed) {
      return undefined;
    }
    const { whole, firstWaiting } = ledger;
    const events: Named[] = [];
    let oldest = Number.POSITIVE_INFINITY;
    let run = 0;
    let missing = 0;
    try {
      for await (const page of history.backward(signal)) {
        for (const event of page) {
          const name = nameOf(event);
          if (name === undefined) {
            return undefined;
          }
          events.push({ event, name });
          const ordinal = ledger.ordinalOf(name);
          missing += ordinal === undefined ? 1 : 0;
          oldest = Math.min(oldest, ordinal ?? oldest);
          run = ordinal !== undefined && ordinal <= whole ? run + 1 : 0;
        }
        signal.throwIfAborted();
        if (run >= overlap && (oldest <= firstWaiting || run >= waitingReach)) {
          break;
        }
        if (missing > maxHeld && !ledger.hasGap) {
          return undefined;
        }
      }
    } catch (error) {
      if (error instanceof CursorRefusedError) {
        return undefined;
      }
      throw error;
    }
    return distinct(events.reverse());
  }

  /**
   * Delivers collected events. If only the last events are missing, delivers only the missing events. Otherwise, delivers all events as a
   * correction.
   */
  private deliver(collected: readonly Named[]): void {
    const { ledger, queue } = this;
    const start = collected.findIndex(({ name }) => ledger.ordinalOf(name) === undefined);
    const isInOrder = !ledger.hasGap && (start < 0 || collected.slice(start).every(({ name }) => ledger.ordinalOf(name) === undefined));
    const { fresh, changed } = ledger.take(collected);
    if (!isInOrder) {
      ledger.closeGaps();
      queue.push({ type: 'corrected', events: collected.map(({ event }) => event) });
    }
    queue.pushNews({ fresh: isInOrder ? fresh : [], changed }, false);
    this.onProgress();
  }
}

/**
 * Returns each event once, at its first position. Pages counted from the newest event overlap if the log grows meanwhile. The page read
 * later has the right order.
 */
function distinct(events: readonly Named[]): readonly Named[] {
  const names = new Set<string | undefined>();
  return events.filter(({ name }) => {
    const isNew = !names.has(name);
    names.add(name);
    return isNew;
  });
}
