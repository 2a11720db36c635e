import type { Memory } from '../../../client/schemas/memoryStores';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { mergeDefinitions } from '../definitions';
import { MemoryBases, type ReadMemory } from './memoryBases';
import { isGone, MemoryIndex } from './memoryIndex';
import type { MemoryPlace } from './memoryPlace';

/** Times that a write which already holds all of theirs is tried on what they wrote since. */
const mostTries = 5;

/** What is at a place, as VS Code is told of it. */
export interface LookedAt {
  readonly memory: Memory;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

export type WriteOutcome =
  | { readonly outcome: 'written' | 'created'; readonly memory: Memory }
  /** Something is there that must not be replaced, or there is nothing that could be. */
  | { readonly outcome: 'exists' | 'missing' | 'folder' }
  /** The service lists the memory but does not find it, so it can't change any. */
  | { readonly outcome: 'unchangeable' }
  /** Somebody else wrote since `base`, and what they wrote is not in what was to be written. */
  | { readonly outcome: 'conflict'; readonly base: ReadMemory | undefined; readonly theirs: ReadMemory };

/**
 * Memories by their paths, each read and written as by one document. A write is sent with the hash of what the document was begun from:
 * nothing that somebody else wrote since is ever replaced unseen.
 */
export class MemoryAccess {
  readonly bases = new MemoryBases();
  readonly index = new MemoryIndex();

  /** What stands at a place; remembered as what a document stands on whose base is not known. */
  async look(client: ServiceClient, place: MemoryPlace, key: string): Promise<LookedAt | 'folder' | undefined> {
    const memory = await this.index.find(client, place);
    if (memory === undefined || memory === 'folder') {
      return memory;
    }
    const mtime = this.mtimeOf(key, memory);
    this.bases.look(key, toRead(memory, mtime));
    return { memory, mtime };
  }

  /** The content of a memory; undefined where none is. */
  async read(client: ServiceClient, place: MemoryPlace, key: string): Promise<{ readonly content: string } | 'folder' | undefined> {
    const memory = await this.index.find(client, place, true);
    if (memory === undefined || memory === 'folder') {
      return memory;
    }
    this.bases.read(key, toRead(memory, this.mtimeOf(key, memory)));
    return { content: memory.content ?? '' };
  }

  /**
   * Writes the content of a memory, or creates one. With `replacesNewer`, replaces a memory that VS Code knows to be newer than its
   * document: VS Code has asked its user.
   */
  async write(
    client: ServiceClient,
    place: MemoryPlace,
    key: string,
    content: string,
    {
      create,
      overwrite,
      replacesNewer = false,
    }: { readonly create: boolean; readonly overwrite: boolean; readonly replacesNewer?: boolean },
  ): Promise<WriteOutcome> {
    const standing = await this.index.find(client, place);
    if (standing === 'folder') {
      return { outcome: 'folder' };
    }
    if (standing === undefined) {
      return create ? this.make(client, place, key, content) : { outcome: 'missing' };
    }
    if (!overwrite) {
      return { outcome: 'exists' };
    }
    const base = (replacesNewer ? this.bases.newerOf(key) : undefined) ?? this.bases.baseOf(key);
    let expected = base?.sha256 ?? standing.content_sha256 ?? '';
    for (let tries = 0; ; tries++) {
      try {
        const calls = client.memoryStores.memories(place.storeId);
        const precondition = { type: 'content_sha256', content_sha256: expected } as const;
        const { data } = await calls.update(standing.id, { content, precondition });
        this.wrote(key, place, data, content);
        return { outcome: 'written', memory: data };
      } catch (error) {
        if (isGone(error)) {
          const found = await this.index.find(client, place);
          return { outcome: found === undefined ? 'missing' : found === 'folder' ? 'folder' : 'unchangeable' };
        }
        if (!isConflict(error)) {
          throw error;
        }
      }
      const theirs = await this.index.find(client, place, true);
      if (theirs === undefined || theirs === 'folder') {
        return { outcome: 'missing' };
      }
      const read = toRead(theirs, base?.mtime ?? timeOf(theirs));
      if (tries >= mostTries || !holds(content, base?.content, read.content ?? '')) {
        return { outcome: 'conflict', base, theirs: read };
      }
      expected = read.sha256;
    }
  }

  /** Deletes a memory as its document, or the last look at it, has it. Throws the service's 409 where it was changed since. */
  async delete(client: ServiceClient, place: MemoryPlace, key: string): Promise<'deleted' | 'folder' | 'missing'> {
    const standing = await this.index.find(client, place);
    if (standing === undefined || standing === 'folder') {
      return standing ?? 'missing';
    }
    const expectedSha256 = this.bases.baseOf(key)?.sha256 ?? standing.content_sha256;
    await client.memoryStores.memories(place.storeId).delete(standing.id, expectedSha256 ? { expectedSha256 } : {});
    this.bases.forget(key);
    return 'deleted';
  }

  /** Moves a memory to another path of its store. Throws the service's 409 where that is taken. */
  async rename(client: ServiceClient, from: MemoryPlace, to: MemoryPlace, keys: readonly [string, string]): Promise<Memory | undefined> {
    const standing = await this.index.find(client, from);
    if (standing === undefined || standing === 'folder') {
      return undefined;
    }
    const { data } = await client.memoryStores.memories(from.storeId).update(standing.id, { path: to.path });
    this.moved(to, data, keys);
    return data;
  }

  /** A memory stands at another place than before. */
  moved(to: MemoryPlace, memory: Memory, keys: readonly [string, string]): void {
    this.index.note(to, memory);
    this.bases.move(...keys);
  }

  /** When a memory was written, as VS Code is told: what it holds already keeps its time, what is new to it has a later one. */
  private mtimeOf(key: string, memory: Memory): number {
    const base = this.bases.baseOf(key);
    const time = timeOf(memory);
    return base === undefined ? time : base.sha256 === memory.content_sha256 ? base.mtime : Math.max(time, base.mtime + 1);
  }

  private async make(client: ServiceClient, place: MemoryPlace, key: string, content: string): Promise<WriteOutcome> {
    try {
      const { data } = await client.memoryStores.memories(place.storeId).create({ path: place.path, content });
      this.wrote(key, place, data, content);
      return { outcome: 'created', memory: data };
    } catch (error) {
      if (isConflict(error)) {
        return { outcome: 'exists' };
      }
      throw error;
    }
  }

  private wrote(key: string, place: MemoryPlace, memory: Memory, content: string): void {
    const before = this.bases.baseOf(key)?.mtime ?? 0;
    this.index.note(place, memory);
    this.bases.begin(key, { ...toRead(memory, Math.max(timeOf(memory), before + 1)), content });
  }
}

/** A memory as it was read, told to be of that time. */
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

/** Whether a text has all that they changed since the base: then nothing of theirs is lost by it. */
function holds(mine: string, base: string | undefined, theirs: string): boolean {
  if (mine === theirs) {
    return true;
  }
  if (base === undefined) {
    return false;
  }
  const { definition, conflicts } = mergeDefinitions({ content: base }, { content: mine }, { content: theirs });
  return conflicts.length === 0 && definition.content === mine;
}

function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 409;
}

function timeOf({ updated_at: updated, created_at: created }: Memory): number {
  return Date.parse(updated ?? created ?? '') || 0;
}
