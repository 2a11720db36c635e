import type { Deployment } from '../../../client/schemas/deployments';
import type { MemoryStore } from '../../../client/schemas/memoryStores';
import type { Session } from '../../../client/schemas/sessions';
import { describeSince, nameOrId, toRow } from '../../../common/text/presentation';
import { toLabel } from '../../../shared/text';
import { withoutArchived, type KindDefinition, type ResourceKind } from '../resourceKind';
import { archiving, deleting, rowStateOf } from './acts';
import { dependentsOf } from './dependents';
import { memories } from './memories';
import { recordFacts } from './recordFacts';

const definition: KindDefinition<MemoryStore> = {
  ending: 'memoryStore',
  service: new Set(['id', 'type', 'created_at', 'updated_at', 'archived_at']),
  order: ['name', 'description', 'metadata'],
  required: ['name'],
  createDetail: translate => translate('Sessions started with it can read and write its memories.'),
  templates: translate => [
    {
      label: translate('Preferences'),
      description: translate('Preferences for agents'),
      definition: { name: 'Preferences', description: 'How the team works, and what agents should always keep in mind' },
    },
    {
      label: translate('Project Notes'),
      description: translate('Notes about a project'),
      definition: { name: 'Project notes', description: 'Decisions, words and findings of the project, one subject in each memory' },
    },
  ],
  // The service returns an omitted description as an empty text, which updates don't need.
  read: ({ description, ...rest }) => (description ? { description, ...rest } : rest),
  problem: () => undefined,
};

/** Stores of memories that agents write (API facts, section 15). */
export const memoryStores: ResourceKind<MemoryStore> = {
  kind: 'memoryStore',
  icon: 'notebook',
  hasArchived: true,
  title: translate => translate('Memory Stores'),
  calls: ({ memoryStores: calls }) => withoutArchived(calls),
  name: nameOf,
  row: (store, context) => {
    const { translate } = context;
    const label = nameOf(store);
    const { isArchived, state, ...rowIcon } = rowStateOf(store, 'notebook', translate);
    const purpose = toLabel(store.description ?? '', 80);
    const age = describeSince(store.updated_at ?? store.created_at, context);
    const abilities = ['resource', 'memoryStore', 'deletable', ...(isArchived ? [] : ['editable', 'archivable', 'writable'])];
    return toRow(label, [state, purpose, age], { ...rowIcon, abilities });
  },
  facts: (store, context) => {
    const { translate } = context;
    return [[translate('Description'), store.description ?? ''], ...recordFacts(store, context)];
  },
  definition,
  usedBy: (client, { id }, signal) => {
    const isMounted = ({ resources }: Pick<Session | Deployment, 'resources'>) =>
      (resources ?? []).some(resource => resource.memory_store_id === id);
    return dependentsOf(client, { session: isMounted, deployment: isMounted }, signal);
  },
  acts: {
    archive: archiving(translate => translate("It becomes read-only, for agents too. This can't be undone.")),
    delete: deleting(translate => translate("All its memories and their versions are lost. This can't be undone.")),
  },
  children: () => [memories],
};

function nameOf({ id, name }: MemoryStore): string {
  return nameOrId(name, id);
}
