import type { Event } from 'vscode';
import { Emitter } from '../../common/emitter';
import type { Reference } from '../../contributions';
import { type ListSurroundings, ResourceList } from './lists/resourceList';
import { groupKeyOf } from './reference';
import type { Resource, ResourceKind } from './resourceKind';

/**
 * State of the groups of a connection. `loading`: unknown yet. `none`: the service has none of them. `unreachable`: no request got a
 * response.
 */
export type GroupsState = 'loading' | 'filled' | 'none' | 'unauthorized' | 'unreachable' | 'failed';

/** Groups of one connection, and the lists of those that were expanded. */
export class ResourceStore {
  private readonly lists = new Map<string, ResourceList>();
  private readonly changed = new Emitter<void>();
  private scope: string | undefined;
  private includesArchived = false;

  readonly onDidChange: Event<void> = this.changed.event;

  constructor(
    readonly kinds: readonly ResourceKind[],
    private readonly surroundings: Omit<ListSurroundings, 'includeArchived'>,
  ) {}

  get connection(): string | undefined {
    return this.scope;
  }

  /** Clears everything and switches to a connection, which may be the same. */
  reset(connection: string | undefined): void {
    this.scope = connection;
    for (const list of this.lists.values()) {
      list.dispose();
    }
    this.lists.clear();
    this.changed.fire();
  }

  listOf(connection: string, kind: ResourceKind, parent?: Reference): ResourceList {
    const key = groupKeyOf(connection, kind.kind, parent);
    let list = this.lists.get(key);
    if (list === undefined) {
      list = new ResourceList(kind, connection, parent, { ...this.surroundings, includeArchived: () => this.includesArchived });
      list.onDidChange(() => this.changed.fire());
      this.lists.set(key, list);
    }
    return list;
  }

  all(): readonly ResourceList[] {
    return [...this.lists.values()];
  }

  /** Polls all lists now. */
  async refresh(): Promise<void> {
    await Promise.all(this.all().map(list => list.refresh()));
  }

  /** Shows or hides archived resources. */
  async toggleArchived(): Promise<void> {
    this.includesArchived = !this.includesArchived;
    for (const list of this.all().filter(({ kind }) => kind.hasArchived)) {
      list.startOver();
    }
    await this.refresh();
  }

  find({ connection, kind, id, parent }: Reference): Resource | undefined {
    return this.lists.get(groupKeyOf(connection, kind, parent))?.list.find(id);
  }

  /** Adds or updates a resource that was just created, changed or read. Does nothing if its list was never requested. */
  put({ connection, kind, parent }: Omit<Reference, 'id'>, value: Resource): void {
    this.lists.get(groupKeyOf(connection, kind, parent))?.list.put(connection, value);
  }

  dispose(): void {
    this.reset(undefined);
  }
}
