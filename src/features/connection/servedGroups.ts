import type { Event } from 'vscode';
import type { ResourceGroup } from '../../client/dialect';
import { Emitter } from '../../common/emitter';
import { withoutEnd } from '../../shared/trim';
import type { Connection } from './connection';

type Address = Pick<Connection, 'name' | 'baseUrl'>;

/** Which groups the service of each connection has, as the latest listing of their collections showed. In memory only. */
export class ServedGroups {
  private readonly known = new Map<string, boolean>();
  private readonly changed = new Emitter<void>();

  /** Fires when a listing showed something else than the one before. */
  readonly onDidChange: Event<void> = this.changed.event;

  note(connection: Address, group: ResourceGroup, isServed: boolean): void {
    const before = this.known.get(keyOf(connection, group));
    this.known.set(keyOf(connection, group), isServed);
    // That a group is served is what everybody expects.
    if ((before ?? true) !== isServed) {
      this.changed.fire();
    }
  }

  /** Returns whether the service has a group, or `undefined` if it was not listed yet. */
  has(connection: Address, group: ResourceGroup): boolean | undefined {
    return this.known.get(keyOf(connection, group));
  }

  /** Keys may be others now: another key may see more. */
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

function keyOf({ name, baseUrl }: Address, group: ResourceGroup): string {
  // Settings and clients write one address differently.
  const address = URL.canParse(baseUrl) ? withoutEnd(new URL(baseUrl).href, '/') : baseUrl;
  return `${name}\n${address}\n${group}`;
}
