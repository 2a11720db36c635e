import type { Memory } from '../../../client/resources/memoryStores';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';
import { folderOf, type MemoryLocation } from './memoryLocation';

const pageSize = 100;

/** Content of a path: a memory, a folder, or nothing. */
export type PathEntry = Memory | 'folder' | undefined;

/** Finds memories by their paths. The service identifies them by ID, so known IDs are cached. Every result is read fresh. */
export class MemoryIndex {
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

  /** Reads the memory with an ID. Returns `undefined` if it is no longer at the path. */
  private async readAt(client: ServiceClient, location: MemoryLocation, id: string, isFull: boolean): Promise<Memory | undefined> {
    try {
      const { data } = await client.memoryStores.memories(location.storeId).retrieve(id, { view: isFull ? 'full' : 'basic' });
      if (data.path === location.path) {
        this.note(location, data);
        return data;
      }
    } catch (error) {
      if (!isGone(error)) {
        throw error;
      }
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
      if (!isGone(error)) {
        throw error;
      }
    }
    return isFolder ? 'folder' : undefined;
  }
}

function rowsOf({ memoryStores }: ServiceClient, { storeId, path }: MemoryLocation): AsyncIterable<Memory> {
  const { list } = memoryStores.memories(storeId);
  const pathPrefix = path === '/' ? '/' : `${path}/`;
  return listAll(options => list({ ...options, pathPrefix, depth: 1, view: 'basic' }), { limit: pageSize });
}

/** Returns whether an error is a 404 of the service. */
export function isGone(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

function keyOf({ connection, storeId, path }: MemoryLocation): string {
  return JSON.stringify([connection, storeId, path]);
}
