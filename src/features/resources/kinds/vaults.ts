import type { Vault } from '../../../client/resources/vaults';
import { nameOrId } from '../../../common/text/presentation';
import type { KindDefinition, ResourceKind } from '../resourceKind';
import { credentials } from './credentials';
import { defineKind, template } from './defineKind';
import { usesOfVault } from './dependents';

const definition: KindDefinition<Vault> = {
  ending: 'vault',
  nameField: 'display_name',
  order: ['display_name', 'metadata'],
  required: ['display_name'],
  createDetail: translate => translate('You can add credentials later.'),
  templates: translate => [
    template(translate('Vault'), translate('Credentials for all sessions'), { display_name: 'Team', metadata: {} }),
    template(translate('User Vault'), translate('Credentials of one of your users'), {
      display_name: 'Alice',
      metadata: { external_user_id: 'user-1' },
    }),
  ],
};

/** Vaults, which are collections of credentials for sessions (API facts, section 16). */
export const vaults: ResourceKind<Vault> = defineKind({
  kind: 'vault',
  icon: 'lock',
  hasArchived: true,
  title: translate => translate('Vaults'),
  calls: ({ vaults: calls }) => calls,
  name: ({ id, display_name: name }) => nameOrId(name, id),
  row: () => ({ words: [], abilities: ['deletable'], whileActive: ['editable', 'archivable', 'fillable'] }),
  facts: () => [],
  definition,
  usedBy: usesOfVault,
  acts: {
    archive: { detail: translate => translate("The service deletes its secrets, also for running sessions. This can't be undone.") },
    delete: { detail: translate => translate("This can't be undone.") },
  },
  children: () => [credentials],
});
