import type { Deployment } from '../../../client/resources/deployments';
import type { MemoryStore } from '../../../client/resources/memoryStores';
import type { Session } from '../../../client/resources/sessions';
import { nameOrId } from '../../../common/text/presentation';
import { toLabel } from '../../../shared/text';
import type { KindDefinition, ResourceKind } from '../resourceKind';
import { archiving, defineKind, deleting, template } from './defineKind';
import { dependentsOf } from './dependents';
import { memories } from './memories';

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
    archive: archiving(translate => translate("It becomes read-only, for agents too. This can't be undone.")),
    delete: deleting(translate => translate("All its memories and their versions are lost. This can't be undone.")),
  },
  children: () => [memories],
});
