import type { Memory } from '../../../client/schemas/memoryStores';
import { memories, storeIdOf } from '../kinds/memories';
import type { ResourceList } from '../lists/resourceList';
import type { ResourceStore } from '../resourceStore';
import { folderOf, type MemoryLocation } from './memoryLocation';

/** Refreshes the expanded lists that can show a path: those of all folders above it. */
export async function listAgain(store: ResourceStore, { connection, storeId, path }: MemoryLocation): Promise<void> {
  const shows = (list: ResourceList) => list.isUnfolded && (isOfStore(list) || path.startsWith(list.parent?.id ?? ''));
  const lists = listsOf(store, connection, storeId).filter(shows);
  await Promise.all(lists.map(list => list.refresh()));
}

/** Refreshes all expanded lists of a store. */
export async function listAllAgain(store: ResourceStore, connection: string, storeId: string): Promise<void> {
  const lists = listsOf(store, connection, storeId).filter(({ isUnfolded }) => isUnfolded);
  await Promise.all(lists.map(list => list.refresh()));
}

/**
 * Returns the listed hash of a memory. Returns '' if its folder is fully listed without it, and `undefined` if the listing doesn't tell.
 */
export function listedHash(store: ResourceStore, { connection, storeId, path }: MemoryLocation): string | undefined {
  const folder = folderOf(path);
  const list = listsOf(store, connection, storeId).find(one => (folder === '/' ? isOfStore(one) : one.parent?.id === `${folder}/`))?.list;
  if (list === undefined || !list.isListed || list.problem !== undefined) {
    return undefined;
  }
  const found: Memory | undefined = list.items.map(item => item as Memory).find(item => item.path === path);
  return found === undefined ? (list.hasMore ? undefined : '') : (found.content_sha256 ?? undefined);
}

function listsOf(store: ResourceStore, connection: string, storeId: string): readonly ResourceList[] {
  return store.all().filter(list => list.kind === memories && list.connection === connection && storeIdOf(list.parent) === storeId);
}

function isOfStore({ parent }: ResourceList): boolean {
  return parent?.kind !== memories.kind;
}
