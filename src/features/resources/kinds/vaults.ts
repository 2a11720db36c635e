import type { Vault } from '../../../client/schemas/vaults';
import { describeSince, nameOrId, toRow } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { Act, DefinitionTexts, KindDefinition, ResourceKind, Template } from '../resourceKind';
import { archivableCalls } from '../resourceKind';
import { credentials } from './credentials';
import { recordFacts } from './recordFacts';
import { usesOfVault } from './vaultUses';

/** Vaults: collections of credentials that sessions use (API facts, section 16). */
export const vaults: ResourceKind<Vault> = {
  kind: 'vault',
  icon: 'lock',
  hasArchived: true,
  title: translate => translate('Vaults'),
  calls: ({ vaults: calls }) => archivableCalls(calls),
  name: vaultName,
  row: (vault, context) => {
    const { translate } = context;
    const label = vaultName(vault);
    const isArchived = typeof vault.archived_at === 'string';
    const state = isArchived ? translate('archived') : '';
    const age = describeSince(vault.updated_at ?? vault.created_at, context);
    const abilities = ['resource', 'vault', 'deletable', ...(isArchived ? [] : ['editable', 'archivable', 'fillable'])];
    return toRow(label, [state, age], {
      icon: isArchived ? 'archive' : 'lock',
      color: isArchived ? 'disabledForeground' : undefined,
      abilities,
    });
  },
  facts: recordFacts,
  get definition() {
    return definition;
  },
  usedBy: usesOfVault,
  get acts() {
    return { archive, delete: remove };
  },
  children: () => [credentials],
};

function vaultName({ id, display_name: name }: Vault): string {
  return nameOrId(name, id);
}

const archive: Act = {
  confirm: (name, translate) => ({
    title: translate('Archive "{0}"?', name),
    detail: translate("The service deletes its secrets, also for running sessions. This can't be undone."),
    button: translate('Archive'),
  }),
  tellsUses: true,
  run: async ({ vaults: calls }, { id }) => (await calls.archive(id)).data,
};

const remove: Act = {
  confirm: (name, translate) => ({
    title: translate('Delete "{0}"?', name),
    detail: translate("This can't be undone."),
    button: translate('Delete'),
  }),
  tellsUses: true,
  run: ({ vaults: calls }, { id }) => calls.delete(id),
};

const definition: KindDefinition<Vault> = {
  ending: 'vault',
  nameField: 'display_name',
  service: new Set(['id', 'type', 'created_at', 'updated_at', 'archived_at']),
  order: ['display_name', 'metadata'],
  required: ['display_name'],
  questions: textsOf,
  templates: templatesOf,
  read: value => value,
  problem: () => undefined,
};

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

function textsOf(translate: Translate): DefinitionTexts {
  return {
    create: (name, connection) => translate('Create "{0}" on {1}?', name, connection),
    createButton: translate('Create'),
    createDetail: translate('Add credentials to it afterwards.'),
    publishDetail: (changed, connection) => translate('Changes {0} on {1}', changed, connection),
  };
}
