import type { Memory } from '../../../client/resources/memoryStores';
import type { ServiceClient } from '../../../client/serviceClient';
import { listAll } from '../../../client/transport/pagination';
import { folderOf } from '../../../contract/memoryPath';
import { mergeDefinitions } from '../definitions/mergeDefinitions';
import { isConflict, isGone, undefinedIfGone } from '../lists/resourceErrors';
import type { MemoryLocation } from './memoryLocation';

/** Maximum number of retries of a write whose text already contains all changes of other users. */
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
 * Access to memories by path. Each memory has one document. Writes send the hash of the document's base, so that changes of somebody else
 * are never overwritten unnoticed.
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
    this.bases.stat(key, { ...memory, mtime });
    return { memory, mtime };
  }

  async read(client: ServiceClient, location: MemoryLocation, key: string): Promise<{ readonly content: string } | 'folder' | undefined> {
    const memory = await this.index.find(client, location, true);
    if (typeof memory !== 'object') {
      return memory;
    }
    this.bases.read(key, { ...memory, mtime: this.mtimeOf(key, memory) });
    return { content: memory.content ?? '' };
  }

  /**
   * Writes the content of a memory, or creates a memory. With `overwritesNewer`, also replaces a memory that is newer than the document,
   * because VS Code has already asked the user.
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
    let expected = base?.content_sha256 ?? current.content_sha256;
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
      if (tries >= maxTries || !contains(content, base?.content, theirs.content ?? '')) {
        return { outcome: 'conflict', base, theirs: { ...theirs, mtime: base?.mtime ?? timeOf(theirs) } };
      }
      expected = theirs.content_sha256;
    }
  }

  /** Deletes a memory if it still equals the base of its document. Throws the service's 409 if it was changed since. */
  async delete(client: ServiceClient, location: MemoryLocation, key: string): Promise<'deleted' | 'folder' | 'missing'> {
    const current = await this.index.find(client, location);
    if (typeof current !== 'object') {
      return current ?? 'missing';
    }
    const expectedSha256 = this.bases.baseOf(key)?.content_sha256 ?? current.content_sha256;
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

  /** Returns the modification time to report to VS Code. The time stays the same for unchanged content and increases for new content. */
  private mtimeOf(key: string, memory: Memory): number {
    const base = this.bases.baseOf(key);
    const time = timeOf(memory);
    if (base === undefined) {
      return time;
    }
    // Without a hash, the content may have changed.
    const isSame = Boolean(memory.content_sha256) && base.content_sha256 === memory.content_sha256;
    return isSame ? base.mtime : Math.max(time, base.mtime + 1);
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
    this.bases.reset(key, { ...memory, mtime: Math.max(timeOf(memory), before + 1), content });
  }
}

/** Returns the fields that make an update fail if the memory no longer has this hash. Empty if the hash is unknown. */
export function ifUnchanged(sha256: string | null | undefined) {
  return sha256 ? { precondition: { type: 'content_sha256' as const, content_sha256: sha256 } } : {};
}

/** Returns whether `mine` contains all changes of `theirs` since the base, so that writing `mine` loses no change. */
function contains(mine: string, base: string | null | undefined, theirs: string): boolean {
  if (mine === theirs || typeof base !== 'string') {
    return mine === theirs;
  }
  const { definition, conflicts } = mergeDefinitions({ content: base }, { content: mine }, { content: theirs });
  return conflicts.length === 0 && definition.content === mine;
}

function timeOf({ updated_at: updated, created_at: created }: Memory): number {
  return Date.parse(updated ?? created ?? '') || 0;
}

/** Memory as it was read, with its content or without. */
export interface ReadMemory extends Memory {
  /** Modification time reported to VS Code, in milliseconds since 1970. */
  readonly mtime: number;
}

/** Maximum number of cached reads of one memory. The newest reads stay. */
const maxReads = 8;

/** Reads of one memory. */
interface KnownReads {
  readonly reads: readonly ReadMemory[];
  /** Content that the document showed last while it had no unsaved changes. */
  readonly shown?: ReadMemory;
  /** Latest read of the metadata only. `undefined` if the content was read later. */
  readonly stat?: ReadMemory | undefined;
}

/**
 * Bases of documents. A base is the memory that the text of a document comes from. A memory can be read again while its document has
 * unsaved edits. A save must therefore not compare with the last read, but with the read that the unedited document last showed.
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
    // VS Code may change a text before showing it, so that no read matches. The text can then only come from the last read.
    const shown = known.reads.findLast(({ content }) => typeof content === 'string' && plain(content) === wanted) ?? known.reads.at(-1);
    if (shown !== undefined) {
      this.known.set(key, { ...known, shown });
    }
  }

  reset(key: string, memory: ReadMemory): void {
    this.known.set(key, { reads: [memory], shown: memory });
  }

  /**
   * Returns the base of the document. Without a base, returns the last read with content, or otherwise the last read without content.
   * `undefined` if there was no read.
   */
  baseOf(key: string): ReadMemory | undefined {
    const { shown, reads, stat } = this.knownOf(key);
    return shown ?? reads.at(-1) ?? stat;
  }

  /**
   * Returns the memory as last reported to VS Code, if it is newer than the base of its document. Returns `undefined` if the sizes are
   * equal, because VS Code then can't notice the difference.
   */
  newerOf(key: string): ReadMemory | undefined {
    const { stat } = this.knownOf(key);
    const base = this.baseOf(key);
    const isNewer = base !== undefined && stat !== undefined && stat.content_sha256 !== base.content_sha256 && stat.mtime > base.mtime;
    return isNewer && stat.content_size_bytes !== base.content_size_bytes ? stat : undefined;
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

const pageSize = 100;

/** Content of a path: a memory, a folder, or nothing. */
type PathEntry = Memory | 'folder' | undefined;

/** Finds memories by their paths. The service identifies them by ID, so known IDs are cached. Every result is read fresh. */
class MemoryIndex {
  private readonly ids = new Map<string, string>();

  note({ connection, storeId }: Omit<MemoryLocation, 'path'>, { id, path }: Memory): void {
    if (path) {
      this.ids.set(keyOf({ connection, storeId, path }), id);
    }
  }

  /** Finds the memory or folder at a path. `isFull` also reads the content. */
  async find(client: ServiceClient, location: MemoryLocation, isFull = false): Promise<PathEntry> {
    if (location.path === '/') {
      return 'folder';
    }
    const known = this.ids.get(keyOf(location));
    const fresh = known === undefined ? undefined : await this.readAt(client, location, known, isFull);
    if (fresh !== undefined) {
      return fresh;
    }
    const listed = await this.search(client, location);
    return listed === undefined || listed === 'folder' || !isFull ? listed : this.readAt(client, location, listed.id, true);
  }

  /** Lists the direct members of a folder. Throws the service's 404 if the store is gone. */
  async list(client: ServiceClient, location: MemoryLocation): Promise<readonly Memory[]> {
    const rows: Memory[] = [];
    for await (const row of rowsOf(client, location)) {
      this.note(location, row);
      rows.push(row);
    }
    return rows;
  }

  /** Reads the memory with an ID. Returns `undefined` if the memory is no longer at the path. */
  private async readAt(client: ServiceClient, location: MemoryLocation, id: string, isFull: boolean): Promise<Memory | undefined> {
    const { retrieve } = client.memoryStores.memories(location.storeId);
    const data = (await retrieve(id, { view: isFull ? 'full' : 'basic' }).catch(undefinedIfGone))?.data;
    if (data?.path === location.path) {
      this.note(location, data);
      return data;
    }
    this.ids.delete(keyOf(location));
    return undefined;
  }

  private async search(client: ServiceClient, location: MemoryLocation): Promise<PathEntry> {
    let isFolder = false;
    try {
      for await (const row of rowsOf(client, { ...location, path: folderOf(location.path) })) {
        if (row.path === location.path && row.type !== 'memory_prefix') {
          this.note(location, row);
          return row;
        }
        isFolder ||= row.path === `${location.path}/`;
      }
    } catch (error) {
      undefinedIfGone(error);
    }
    return isFolder ? 'folder' : undefined;
  }
}

function rowsOf({ memoryStores }: ServiceClient, { storeId, path }: MemoryLocation): AsyncIterable<Memory> {
  const { list } = memoryStores.memories(storeId);
  const pathPrefix = path === '/' ? '/' : `${path}/`;
  return listAll(options => list({ ...options, pathPrefix, depth: 1, view: 'basic' }), { limit: pageSize });
}

function keyOf({ connection, storeId, path }: MemoryLocation): string {
  return JSON.stringify([connection, storeId, path]);
}
