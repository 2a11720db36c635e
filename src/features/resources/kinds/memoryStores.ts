import type { Deployment } from '../../../client/resources/deployments';
import type { Memory, MemoryStore } from '../../../client/resources/memoryStores';
import type { Session } from '../../../client/resources/sessions';
import { nameOrId, shortId } from '../../../common/text/presentation';
import type { Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import type { KindDefinition, ResourceKind } from '../resourceKind';
import { defineKind, sizeWords, template } from './defineKind';
import { dependentsOf } from './dependents';

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
    delete: {
      detail: translate => translate('Its versions are kept for some time, so that you can restore one.'),
      run: async ({ memoryStores }, { id, parent }, current) => {
        const sha256 = (current as Memory).content_sha256;
        await memoryStores.memories(storeIdOf(parent)).delete(id, sha256 ? { expectedSha256: sha256 } : {});
      },
      isGuarded: true,
    },
  },
});

/** Returns the ID of the store that a reference or one of its parents names. Empty if there is no store. */
export function storeIdOf(reference: Reference | undefined): string {
  return reference === undefined || reference.kind === 'memoryStore' ? (reference?.id ?? '') : storeIdOf(reference.parent);
}

function isFolder({ type }: Memory): boolean {
  return type === 'memory_prefix';
}

const definition: KindDefinition<MemoryStore> = {
  ending: 'memoryStore',
  order: ['name', 'description', 'metadata'],
  required: ['name'],
  createDetail: translate => translate('Sessions started with it can read and write its memories.'),
  templates: translate => [
    template(translate('Preferences'), translate('Preferences for agents'), {
      name: 'Preferences',
      description: 'How the team works, and what agents should always keep in mind',
    }),
    template(translate('Project Notes'), translate('Notes about a project'), {
      name: 'Project notes',
      description: 'Decisions, words and findings of the project, one subject in each memory',
    }),
  ],
  // The service returns an omitted description as an empty text, which updates don't need.
  read: ({ description, ...rest }) => (description ? { description, ...rest } : rest),
};

/** Stores of memories that agents write (API facts, section 15). */
export const memoryStores: ResourceKind<MemoryStore> = defineKind({
  kind: 'memoryStore',
  icon: 'notebook',
  hasArchived: true,
  title: translate => translate('Memory Stores'),
  calls: ({ memoryStores: calls }) => calls,
  name: ({ id, name }) => nameOrId(name, id),
  row: ({ description }) => ({
    words: [toLabel(description ?? '', 80)],
    abilities: ['deletable'],
    whileActive: ['editable', 'archivable', 'writable'],
  }),
  facts: ({ description }, { translate }) => [[translate('Description'), description ?? '']],
  definition,
  usedBy: (client, { id }, context) => {
    const isMounted = ({ resources }: Pick<Session | Deployment, 'resources'>) =>
      (resources ?? []).some(resource => resource.memory_store_id === id);
    return dependentsOf(client, { session: isMounted, deployment: isMounted }, context);
  },
  acts: {
    archive: { detail: translate => translate("It becomes read-only, for agents too. This can't be undone.") },
    delete: { detail: translate => translate("All its memories and their versions are lost. This can't be undone.") },
  },
  children: () => [memories],
});
