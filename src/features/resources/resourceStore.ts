import type { Event } from 'vscode';
import { ServiceError } from '../../client/transport/errors';
import { Emitter } from '../../common/emitter';
import type { Reference } from '../../contributions';
import { type ListSurroundings, ResourceList } from './lists/resourceList';
import { groupKeyOf } from './reference';
import type { Resource, ResourceKind } from './resourceKind';

/** How the groups of a connection stand. `loading`: not known yet; `none`: it serves none of them; `unreachable`: nothing could be asked. */
export type GroupsState = 'loading' | 'filled' | 'none' | 'unauthorized' | 'unreachable' | 'failed';

/** The groups of one connection, and the lists of those that were unfolded. */
export class ResourceStore {
  private readonly lists = new Map<string, ResourceList>();
  private readonly missing = new Set<string>();
  private readonly changed = new Emitter<void>();
  private scope: string | undefined;

  /** Fires when a group, its members or its state changed. */
  readonly onDidChange: Event<void> = this.changed.event;

  constructor(
    readonly kinds: readonly ResourceKind[],
    private readonly surroundings: ListSurroundings,
  ) {}

  /** The connection whose things these are. */
  get connection(): string | undefined {
    return this.scope;
  }

  /** The kinds that the service has, as far as it did not say otherwise. */
  groups(): readonly ResourceKind[] {
    return this.scope === undefined ? [] : this.kinds.filter(({ kind }) => !this.missing.has(kind));
  }

  /** Starts over with another connection, or the same. */
  reset(connection: string | undefined): void {
    this.scope = connection;
    this.missing.clear();
    for (const list of this.lists.values()) {
      list.dispose();
    }
    this.lists.clear();
    this.changed.fire();
  }

  /** Takes in whether a group answered when it was asked for one item: only a 404 of the collection hides it. */
  probed(connection: string, kind: string, error: unknown): void {
    if (connection !== this.scope) {
      return;
    }
    const isMissing = error instanceof ServiceError && error.status === 404;
    const isNews = isMissing !== this.missing.has(kind);
    if (isMissing) {
      this.missing.add(kind);
    } else {
      this.missing.delete(kind);
    }
    if (isNews) {
      this.changed.fire();
    }
  }

  /** The list of a kind, or of those below one thing. */
  listOf(connection: string, kind: ResourceKind, parent?: Reference): ResourceList {
    const key = groupKeyOf(connection, kind.kind, parent);
    let list = this.lists.get(key);
    if (list === undefined) {
      list = new ResourceList(kind, connection, parent, this.surroundings);
      list.onDidChange(() => this.changed.fire());
      this.lists.set(key, list);
    }
    return list;
  }

  /** Every list there is. */
  all(): readonly ResourceList[] {
    return [...this.lists.values()];
  }

  /** A thing as it was last listed. */
  find({ connection, kind, id, parent }: Reference): Resource | undefined {
    return this.lists.get(groupKeyOf(connection, kind, parent))?.list.find(id);
  }

  /** Takes in a thing as just made, changed or read. */
  put({ connection, kind, parent }: Omit<Reference, 'id'>, value: Resource): void {
    this.lists.get(groupKeyOf(connection, kind, parent))?.list.put(connection, value);
  }

  /** Takes out a thing that is gone. */
  remove({ connection, kind, id, parent }: Reference): void {
    this.lists.get(groupKeyOf(connection, kind, parent))?.list.remove(connection, id);
  }

  dispose(): void {
    this.reset(undefined);
  }
}

/** The kind of a name, wherever it stands among these; undefined for none of them. */
export function kindOf(kinds: readonly ResourceKind[], name: string): ResourceKind | undefined {
  return kinds.find(({ kind }) => kind === name);
}
