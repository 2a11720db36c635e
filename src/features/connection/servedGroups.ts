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
 * Resource groups that the service of each connection has, according to the latest listing of their collections. In memory only. A missing
 * group is forgotten after a day, because the service may have been updated by then.
 */
export class ServedGroups {
  private readonly known = new Map<string, { readonly isServed: boolean; readonly at: number }>();
  private readonly changed = new Emitter<void>();

  /** Fires when a listing differs from the one before. */
  readonly onDidChange: Event<void> = this.changed.event;

  constructor(private readonly clock: Pick<Clock, 'monotonic'> = systemClock) {}

  note(connection: Address, group: Served, isServed: boolean): void {
    const before = this.has(connection, group);
    this.known.set(keyOf(connection, group), { isServed, at: this.clock.monotonic() });
    // A group counts as served until a listing shows otherwise.
    if ((before ?? true) !== isServed) {
      this.changed.fire();
    }
  }

  /** Returns whether the service has a group, or `undefined` if it was not listed yet, or not for a day. */
  has(connection: Address, group: Served): boolean | undefined {
    const known = this.known.get(keyOf(connection, group));
    return known?.isServed === false && this.clock.monotonic() - known.at >= day ? undefined : known?.isServed;
  }

  /** Forgets all groups. Called when a key changes, because another key may see more. */
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
  // The same address is written differently in settings and clients.
  const address = URL.canParse(baseUrl) ? withoutEnd(new URL(baseUrl).href, '/') : baseUrl;
  return `${name}\n${address}\n${group}`;
}
