import type { Event } from 'vscode';
import type { ResourceGroup } from '../../client/dialect';
import { type Clock, systemClock } from '../../common/clock';
import { Emitter } from '../../common/emitter';
import { withoutEnd } from '../../shared/trim';
import type { Connection } from './connection';

/** A resource group, or the endpoint that counts tokens. */
export type Served = ResourceGroup | 'tokenCounts';

type Address = Pick<Connection, 'name' | 'baseUrl'>;

/**
 * Resource groups that each connection's service has, by the latest listing. Only in memory. A missing group is forgotten after a day,
 * because the service may have been updated by then.
 */
export class ServedGroups {
  private readonly known = new Map<string, { readonly isServed: boolean; readonly at: number }>();
  private readonly changed = new Emitter<void>();

  /** Fires when a listing differs from the previous one. */
  readonly onDidChange: Event<void> = this.changed.event;

  constructor(private readonly clock: Pick<Clock, 'monotonic'> = systemClock) {}

  note(connection: Address, group: Served, isServed: boolean): void {
    const before = this.has(connection, group);
    this.known.set(keyOf(connection, group), { isServed, at: this.clock.monotonic() });
    // An unknown group counts as served.
    if ((before ?? true) !== isServed) {
      this.changed.fire();
    }
  }

  /** Returns whether the service has a group. `undefined` if the group was not listed yet, or was found missing more than a day ago. */
  has(connection: Address, group: Served): boolean | undefined {
    const known = this.known.get(keyOf(connection, group));
    return known?.isServed === false && this.clock.monotonic() - known.at >= day ? undefined : known?.isServed;
  }

  /** Forgets all groups. Called when a key changes, because another key may have access to more. */
  clear(): void {
    if (this.known.size > 0) {
      this.known.clear();
      this.changed.fire();
    }
  }

  dispose(): void {
    this.changed.dispose();
  }
}

const day = 24 * 60 * 60 * 1000;

function keyOf({ name, baseUrl }: Address, group: Served): string {
  // Settings and clients can spell the same address differently.
  const address = URL.canParse(baseUrl) ? withoutEnd(new URL(baseUrl).href, '/') : baseUrl;
  return `${name}\n${address}\n${group}`;
}
