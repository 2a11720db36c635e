import type { Vault } from '../../../client/schemas/vaults';
import { describeSince, nameOrId, toRow } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { withoutArchived, type KindDefinition, type ResourceKind, type Template } from '../resourceKind';
import { archiving, deleting, rowStateOf } from './acts';
import { credentials } from './credentials';
import { usesOfVault } from './dependents';
import { recordFacts } from './recordFacts';

const definition: KindDefinition<Vault> = {
  ending: 'vault',
  nameField: 'display_name',
  service: new Set(['id', 'type', 'created_at', 'updated_at', 'archived_at']),
  order: ['display_name', 'metadata'],
  required: ['display_name'],
  createDetail: translate => translate('Add credentials to it afterwards.'),
  templates: templatesOf,
  read: value => value,
  problem: () => undefined,
};

/** Vaults: collections of credentials that sessions use (API facts, section 16). */
export const vaults: ResourceKind<Vault> = {
  kind: 'vault',
  icon: 'lock',
  hasArchived: true,
  title: translate => translate('Vaults'),
  calls: ({ vaults: calls }) => withoutArchived(calls),
  name: vaultName,
  row: (vault, context) => {
    const { translate } = context;
    const label = vaultName(vault);
    const { isArchived, state, ...rowIcon } = rowStateOf(vault, 'lock', translate);
    const age = describeSince(vault.updated_at ?? vault.created_at, context);
    const abilities = ['resource', 'vault', 'deletable', ...(isArchived ? [] : ['editable', 'archivable', 'fillable'])];
    return toRow(label, [state, age], { ...rowIcon, abilities });
  },
  facts: recordFacts,
  definition,
  usedBy: usesOfVault,
  acts: {
    archive: archiving(translate => translate("The service deletes its secrets, also for running sessions. This can't be undone.")),
    delete: deleting(translate => translate("This can't be undone.")),
  },
  children: () => [credentials],
};

function vaultName({ id, display_name: name }: Vault): string {
  return nameOrId(name, id);
}

function templatesOf(translate: Translate): readonly Template[] {
  return [
    {
      label: translate('Vault'),
      description: translate('Credentials for all sessions'),
      definition: { display_name: 'Team', metadata: {} },
    },
    {
      label: translate('User Vault'),
      description: translate('Credentials of one of your users'),
      definition: { display_name: 'Alice', metadata: { external_user_id: 'user-1' } },
    },
  ];
}
