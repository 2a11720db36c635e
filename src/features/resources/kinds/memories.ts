import type { Memory } from '../../../client/schemas/memoryStores';
import { describeMoment, describeSince, nameOrId, shortId, toRow } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { toByteSize, toLabel } from '../../../shared/text';
import type { ResourceKind } from '../resourceKind';
import { deleting } from './acts';

/**
 * Memories of a store, folder by folder (API facts, section 15). A folder is a memory whose ID is its path and whose members are below it.
 * References to nested memories therefore lead through all folders above them.
 */
export const memories: ResourceKind<Memory> = {
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
  name: nameOf,
  row: (memory, context) => {
    const path = (memory.path ?? '').replace(/\/$/, '');
    const label = toLabel(path.slice(path.lastIndexOf('/') + 1), 80) || shortId(memory.id);
    if (isFolder(memory)) {
      return toRow(label, [], { icon: 'folder', abilities: ['memoryFolder'] });
    }
    const size = typeof memory.content_size_bytes === 'number' ? toByteSize(memory.content_size_bytes, context.locale) : '';
    const age = describeSince(memory.updated_at ?? memory.created_at, context);
    return toRow(label, [size, age], {
      icon: 'note',
      abilities: ['resource', 'memory', 'deletable'],
    });
  },
  facts: (memory, context) => {
    const { translate } = context;
    return [
      [translate('Path'), memory.path ?? ''],
      [translate('Size'), typeof memory.content_size_bytes === 'number' ? toByteSize(memory.content_size_bytes, context.locale) : ''],
      [translate('Version'), memory.memory_version_id ?? ''],
      [translate('Created'), describeMoment(memory.created_at, context)],
      [translate('Updated'), describeMoment(memory.updated_at, context)],
    ];
  },
  isFolder,
  children: memory => (isFolder(memory) ? [memories] : []),
  acts: {
    delete: deleting(translate => translate('Its versions are kept for a time, and one can be restored.'), {
      run: async ({ memoryStores }, { id, parent }, current) => {
        const sha256 = (current as Memory).content_sha256;
        await memoryStores.memories(storeIdOf(parent)).delete(id, sha256 ? { expectedSha256: sha256 } : {});
      },
      changed: (name, translate) => translate('{0} has changed in the meantime. Review it and try again.', name),
    }),
  },
};

/** Returns the ID of the store that a reference or one of its parents names. Empty if there is none. */
export function storeIdOf(reference: Reference | undefined): string {
  return reference === undefined || reference.kind === 'memoryStore' ? (reference?.id ?? '') : storeIdOf(reference.parent);
}

function isFolder({ type }: Memory): boolean {
  return type === 'memory_prefix';
}

function nameOf({ id, path }: Memory): string {
  return nameOrId(path, id, 200);
}
