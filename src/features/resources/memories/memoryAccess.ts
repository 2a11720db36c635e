import type { Memory } from '../../../client/resources/memoryStores';
import type { ServiceClient } from '../../../client/serviceClient';
import { mergeDefinitions } from '../definitions/mergeDefinitions';
import { isConflict } from '../lists/performAct';
import { isGone, MemoryIndex } from './memoryIndex';
import type { MemoryLocation } from './memoryLocation';

/** Maximum number of retries of a write whose text already contains all changes of others. */
const maxTries = 5;

type WriteOutcome =
  | { readonly outcome: 'written' | 'created'; readonly memory: Memory }
  /** The path is taken, or there is no memory to replace. */
  | { readonly outcome: 'exists' | 'missing' | 'folder' }
  /** The service lists the memory but can't find it by its ID, so it can't be changed. */
  | { readonly outcome: 'unchangeable' }
  /** Somebody else changed the memory since `base`, and the written text lacks their changes. */
  | { readonly outcome: 'conflict'; readonly base: ReadMemory | undefined; readonly theirs: ReadMemory };

/**
 * Access to memories by path, for one document each. Writes send the hash of the document's base, so that changes of somebody else are
 * never overwritten unnoticed.
 */
export class MemoryAccess {
  readonly bases = new MemoryBases();
  readonly index = new MemoryIndex();

  /**
   * Reads the memory at a path without its content. The result is the base of a document that has no other base. Also returns the
   * modification time to report to VS Code, in milliseconds since 1970.
   */
  async stat(client: ServiceClient, location: MemoryLocation, key: string) {
    const memory = await this.index.find(client, location);
    if (typeof memory !== 'object') {
      return memory;
    }
    const mtime = this.mtimeOf(key, memory);
    this.bases.stat(key, toRead(memory, mtime));
    return { memory, mtime };
  }

  async read(client: ServiceClient, location: MemoryLocation, key: string): Promise<{ readonly content: string } | 'folder' | undefined> {
    const memory = await this.index.find(client, location, true);
    if (typeof memory !== 'object') {
      return memory;
    }
    this.bases.read(key, toRead(memory, this.mtimeOf(key, memory)));
    return { content: memory.content ?? '' };
  }

  /**
   * Writes the content of a memory, or creates one. With `overwritesNewer`, also replaces a memory that is newer than the document, because
   * VS Code has already asked the user.
   */
  async write(
    client: ServiceClient,
    location: MemoryLocation,
    key: string,
    content: string,
    {
      create,
      overwrite,
      overwritesNewer = false,
    }: { readonly create: boolean; readonly overwrite: boolean; readonly overwritesNewer?: boolean },
  ): Promise<WriteOutcome> {
    const current = await this.index.find(client, location);
    if (current === 'folder') {
      return { outcome: 'folder' };
    }
    if (current === undefined) {
      return create ? this.create(client, location, key, content) : { outcome: 'missing' };
    }
    if (!overwrite) {
      return { outcome: 'exists' };
    }
    const base = (overwritesNewer ? this.bases.newerOf(key) : undefined) ?? this.bases.baseOf(key);
    let expected = base?.sha256 ?? current.content_sha256 ?? '';
    for (let tries = 0; ; tries++) {
      try {
        const calls = client.memoryStores.memories(location.storeId);
        const { data } = await calls.update(current.id, { content, ...ifUnchanged(expected) });
        this.wrote(key, location, data, content);
        return { outcome: 'written', memory: data };
      } catch (error) {
        if (isGone(error)) {
          const found = await this.index.find(client, location);
          return { outcome: found === undefined ? 'missing' : found === 'folder' ? 'folder' : 'unchangeable' };
        }
        if (!isConflict(error)) {
          throw error;
        }
      }
      const theirs = await this.index.find(client, location, true);
      if (typeof theirs !== 'object') {
        return { outcome: 'missing' };
      }
      const read = toRead(theirs, base?.mtime ?? timeOf(theirs));
      if (tries >= maxTries || !contains(content, base?.content, read.content ?? '')) {
        return { outcome: 'conflict', base, theirs: read };
      }
      expected = read.sha256;
    }
  }

  /** Deletes a memory if it still equals the base of its document. Throws the service's 409 if it was changed since. */
  async delete(client: ServiceClient, location: MemoryLocation, key: string): Promise<'deleted' | 'folder' | 'missing'> {
    const current = await this.index.find(client, location);
    if (typeof current !== 'object') {
      return current ?? 'missing';
    }
    const expectedSha256 = this.bases.baseOf(key)?.sha256 ?? current.content_sha256;
    await client.memoryStores.memories(location.storeId).delete(current.id, expectedSha256 ? { expectedSha256 } : {});
    this.bases.forget(key);
    return 'deleted';
  }

  /** Moves a memory to another path of its store. Throws the service's 409 if the path is taken. */
  async rename(
    client: ServiceClient,
    from: MemoryLocation,
    to: MemoryLocation,
    keys: readonly [string, string],
  ): Promise<Memory | 'folder' | undefined> {
    const current = await this.index.find(client, from);
    if (typeof current !== 'object') {
      return current;
    }
    const { data } = await client.memoryStores.memories(from.storeId).update(current.id, { path: to.path });
    this.index.note(to, data);
    this.bases.move(...keys);
    return data;
  }

  /** Returns the modification time to report to VS Code: the known one for unchanged content, a later one for new content. */
  private mtimeOf(key: string, memory: Memory): number {
    const base = this.bases.baseOf(key);
    const time = timeOf(memory);
    return base === undefined ? time : base.sha256 === memory.content_sha256 ? base.mtime : Math.max(time, base.mtime + 1);
  }

  private async create(client: ServiceClient, location: MemoryLocation, key: string, content: string): Promise<WriteOutcome> {
    try {
      const { data } = await client.memoryStores.memories(location.storeId).create({ path: location.path, content });
      this.wrote(key, location, data, content);
      return { outcome: 'created', memory: data };
    } catch (error) {
      if (isConflict(error)) {
        return { outcome: 'exists' };
      }
      throw error;
    }
  }

  private wrote(key: string, location: MemoryLocation, memory: Memory, content: string): void {
    const before = this.bases.baseOf(key)?.mtime ?? 0;
    this.index.note(location, memory);
    this.bases.reset(key, { ...toRead(memory, Math.max(timeOf(memory), before + 1)), content });
  }
}

/** Returns the fields that make an update fail if the memory no longer has this hash. Empty if the hash is unknown. */
export function ifUnchanged(sha256: string | null | undefined) {
  return sha256 ? { precondition: { type: 'content_sha256' as const, content_sha256: sha256 } } : {};
}

/** Converts a memory to a cached read with a modification time. */
export function toRead(memory: Memory, mtime: number): ReadMemory {
  return {
    id: memory.id,
    sha256: memory.content_sha256 ?? '',
    content: memory.content ?? undefined,
    bytes: memory.content_size_bytes ?? undefined,
    versionId: memory.memory_version_id ?? undefined,
    mtime,
  };
}

/** Returns whether `mine` contains all changes of `theirs` since the base, so that writing it loses none of them. */
function contains(mine: string, base: string | undefined, theirs: string): boolean {
  if (mine === theirs) {
    return true;
  }
  if (base === undefined) {
    return false;
  }
  const { definition, conflicts } = mergeDefinitions({ content: base }, { content: mine }, { content: theirs });
  return conflicts.length === 0 && definition.content === mine;
}

function timeOf({ updated_at: updated, created_at: created }: Memory): number {
  return Date.parse(updated ?? created ?? '') || 0;
}

export interface ReadMemory {
  readonly id: string;
  readonly sha256: string;
  /** Content of the memory. `undefined` if the memory was read without its content. */
  readonly content: string | undefined;
  /** Size that the service reports, in bytes. `undefined` if it reports none. */
  readonly bytes: number | undefined;
  readonly versionId: string | undefined;
  /** Modification time reported to VS Code, in milliseconds since 1970. */
  readonly mtime: number;
}

/** Maximum number of cached reads of one memory. The newest stay. */
const maxReads = 8;

/** Reads of one memory. */
interface KnownReads {
  readonly reads: readonly ReadMemory[];
  /** Content that the document showed last while it had no unsaved changes. */
  readonly shown?: ReadMemory;
  /** Last read without content since the last one with content. */
  readonly stat?: ReadMemory | undefined;
}

/**
 * Bases of documents: the memories that their texts come from. A memory can be read again while its document has unsaved edits. A save must
 * therefore not compare with the last read, but with the read that the unedited document last showed.
 */
export class MemoryBases {
  private readonly known = new Map<string, KnownReads>();

  read(key: string, memory: ReadMemory): void {
    const known = this.knownOf(key);
    this.known.set(key, { ...known, reads: [...known.reads, memory].slice(-maxReads), stat: undefined });
  }

  stat(key: string, memory: ReadMemory): void {
    this.known.set(key, { ...this.knownOf(key), stat: memory });
  }

  /** Records the text of a document without unsaved edits. */
  noteShown(key: string, text: string): void {
    const known = this.knownOf(key);
    const wanted = plain(text);
    // VS Code may show a text in another form than it was read, so that no read matches. It can then only come from the last read.
    const shown = known.reads.findLast(({ content }) => content !== undefined && plain(content) === wanted) ?? known.reads.at(-1);
    if (shown !== undefined) {
      this.known.set(key, { ...known, shown });
    }
  }

  reset(key: string, memory: ReadMemory): void {
    this.known.set(key, { reads: [memory], shown: memory });
  }

  /** Returns the base of the document, else the last read with content, else the last read without. `undefined` if there is none. */
  baseOf(key: string): ReadMemory | undefined {
    const { shown, reads, stat } = this.knownOf(key);
    return shown ?? reads.at(-1) ?? stat;
  }

  /**
   * Returns the memory as last reported to VS Code, if it is newer than the base of its document. Returns `undefined` if it is not, or if
   * VS Code can't notice because the size is the same.
   */
  newerOf(key: string): ReadMemory | undefined {
    const { stat } = this.knownOf(key);
    const base = this.baseOf(key);
    const isNewer = base !== undefined && stat !== undefined && stat.sha256 !== base.sha256 && stat.mtime > base.mtime;
    return isNewer && stat.bytes !== base.bytes ? stat : undefined;
  }

  move(from: string, to: string): void {
    const known = this.known.get(from);
    this.forget(from);
    this.forget(to);
    if (known !== undefined) {
      this.known.set(to, known);
    }
  }

  forget(key: string): void {
    this.known.delete(key);
  }

  private knownOf(key: string): KnownReads {
    return this.known.get(key) ?? { reads: [] };
  }
}

/** Normalizes a text as VS Code does: one kind of line breaks and no byte order mark. */
function plain(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}
