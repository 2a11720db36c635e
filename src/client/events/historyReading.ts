import type { SessionEvent } from '../schemas/sessionEvents';
import { idOf } from '../transport/pagination';

/** Id and name (`nameOf`) of an event. */
interface Neighbour {
  readonly id: string;
  readonly name: string;
}

/** An event whose position among the events given so far is unknown, with its neighbours in the log. */
export interface Unplaced {
  readonly event: SessionEvent;
  readonly name: string;
  older: Neighbour | undefined;
  newer: Neighbour | undefined;
}

/** One event of a reading: its ordinal if it was delivered and not after a gap. */
export type Item = number | Unplaced;

/** Events of a history as they are read, in one direction. */
export class Reading {
  readonly items: Item[] = [];
  private last: Neighbour | undefined;

  /** `ordinal` is set for a delivered event whose position is known. */
  add(event: SessionEvent, name: string, ordinal: number | undefined): void {
    const id = idOf(event);
    const neighbour = id === undefined ? undefined : { id, name };
    const before = this.items.at(-1);
    if (typeof before === 'object') {
      before.newer = neighbour;
    }
    this.items.push(ordinal ?? { event, name, older: this.last, newer: undefined });
    this.last = neighbour;
  }

  /** Returns the items of a newest-first reading, oldest first. */
  reversed(): readonly Item[] {
    return this.items.reverse().map(item => (typeof item === 'number' ? item : { ...item, older: item.newer, newer: item.older }));
  }
}

/**
 * Returns each item once, at its first position. Pages counted from the newest event overlap when the log grows meanwhile; the page read
 * later has the right order. `count` is the highest ordinal.
 */
export function distinct(items: readonly Item[], count: number): readonly Item[] {
  const ordinals = new Uint8Array(count + 1);
  const names = new Set<string>();
  return items.filter(item => {
    if (typeof item === 'number') {
      const isNew = ordinals[item] === 0;
      ordinals[item] = 1;
      return isNew;
    }
    const isNew = !names.has(item.name);
    names.add(item.name);
    return isNew;
  });
}

/** Returns, for each item, the ordinal of the next delivered one after it. */
export function followersOf(items: readonly Item[]): readonly number[] {
  const followers = new Array<number>(items.length);
  let after = Number.POSITIVE_INFINITY;
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    followers[index] = after;
    after = typeof item === 'number' ? item : after;
  }
  return followers;
}
