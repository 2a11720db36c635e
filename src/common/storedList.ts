import type { Memento } from 'vscode';
import { Emitter } from './emitter';

export interface StoredEntries<T> {
  readonly key: string;
  /** Maximum number of entries. The newest entries stay. */
  readonly max: number;
  /** Returns the identity of an entry. A new entry replaces an older entry with the same identity. */
  identity(entry: T): string;
  /** Returns whether a stored value is a valid entry. Invalid entries are ignored. */
  isEntry(value: Partial<Record<keyof T, unknown>>): boolean;
}

/** List of entries in a `Memento`, newest first. */
export class StoredList<T> {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: Pick<Memento, 'get' | 'update'>,
    private readonly entries: StoredEntries<T>,
  ) {}

  all(): readonly T[] {
    const stored = this.store.get<unknown>(this.entries.key);
    return Array.isArray(stored) ? stored.filter(value => this.entries.isEntry(value ?? {})) : [];
  }

  find(isWanted: (entry: T) => boolean): T | undefined {
    return this.all().find(isWanted);
  }

  /** Adds an entry at the front. Replaces an older entry with the same identity. */
  async put(entry: T): Promise<void> {
    const { identity, max } = this.entries;
    const others = this.all().filter(other => identity(other) !== identity(entry));
    await this.save([entry, ...others].slice(0, max));
  }

  async remove(isRemoved: (entry: T) => boolean): Promise<void> {
    const all = this.all();
    const left = all.filter(entry => !isRemoved(entry));
    if (left.length < all.length) {
      await this.save(left);
    }
  }

  private async save(entries: readonly T[]): Promise<void> {
    await this.store.update(this.entries.key, entries);
    this.changed.fire();
  }
}

export function areTexts(...values: readonly unknown[]): boolean {
  return values.every(value => typeof value === 'string');
}
