import type { Memory } from '../../../client/resources/memoryStores';
import { nameOrId, shortId } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import type { ResourceKind } from '../resourceKind';
import { defineKind, deleting, sizeWords } from './defineKind';

/**
 * Memories of a store, folder by folder (API facts, section 15). A folder is a memory whose ID is its path and whose members are below it.
 * References to nested memories therefore lead through all folders above them.
 */
export const memories: ResourceKind<Memory> = defineKind({
  kind: 'memory',
  icon: 'note',
  title: translate => translate('Memories'),
  calls: ({ memoryStores }, parent) => {
    const calls = memoryStores.memories(storeIdOf(parent));
    return {
      retrieve: calls.retrieve,
      list: options => calls.list({ ...options, pathPrefix: parent?.kind === memories.kind ? parent.id : '/', depth: 1 }),
    };
  },
  name: ({ id, path }) => nameOrId(path, id, 200),
  row: (memory, context) => {
    const path = (memory.path ?? '').replace(/\/$/, '');
    return {
      label: toLabel(path.slice(path.lastIndexOf('/') + 1), 80) || shortId(memory.id),
      words: [sizeWords(memory.content_size_bytes, context)],
      abilities: ['deletable'],
    };
  },
  facts: (memory, context) => [
    [context.translate('Path'), memory.path ?? ''],
    [context.translate('Size'), sizeWords(memory.content_size_bytes, context)],
    [context.translate('Version'), memory.memory_version_id ?? ''],
  ],
  isFolder,
  children: memory => (isFolder(memory) ? [memories] : []),
  acts: {
    delete: deleting(translate => translate('Its versions are kept for some time, so that you can restore one.'), {
      run: async ({ memoryStores }, { id, parent }, current) => {
        const sha256 = (current as Memory).content_sha256;
        await memoryStores.memories(storeIdOf(parent)).delete(id, sha256 ? { expectedSha256: sha256 } : {});
      },
      changed: (name, translate) => translate('{0} has changed in the meantime. Review it and try again.', name),
    }),
  },
});

/** Returns the ID of the store that a reference or one of its parents names. Empty if there is none. */
export function storeIdOf(reference: Reference | undefined): string {
  return reference === undefined || reference.kind === 'memoryStore' ? (reference?.id ?? '') : storeIdOf(reference.parent);
}

function isFolder({ type }: Memory): boolean {
  return type === 'memory_prefix';
}
