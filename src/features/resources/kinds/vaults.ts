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
  texts: translate => ({ title: translate('Vaults'), choose: translate('Select a vault'), empty: translate('No vaults yet') }),
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
    title: translate('Archive the vault {0} and its credentials?', name),
    detail: translate('The service forgets their secrets; sessions that run lose them. It cannot be brought back.'),
    button: translate('Archive Vault'),
  }),
  tellsUses: true,
  run: async ({ vaults: calls }, { id }) => (await calls.archive(id)).data,
};

const remove: Act = {
  confirm: (name, translate) => ({
    title: translate('Delete the vault {0} and its credentials from the service?', name),
    detail: translate('This cannot be undone, and nothing remains of them. Sessions that use the vault lose what is in it.'),
    button: translate('Delete Vault'),
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
      description: translate('for credentials that all sessions may use'),
      definition: { display_name: 'Team', metadata: {} },
    },
    {
      label: translate('Vault of a Person'),
      description: translate('for what one user of yours has signed in to'),
      definition: { display_name: 'Alice', metadata: { external_user_id: 'user-1' } },
    },
  ];
}

function textsOf(translate: Translate): DefinitionTexts {
  return {
    create: (name, connection) => translate('Create the vault {0} on {1}?', name, connection),
    createButton: translate('Create Vault'),
    createDetail: translate('It holds nothing yet: credentials are added to it afterwards'),
    publishDetail: (changed, connection) => translate('Changes {0} on {1}', changed, connection),
  };
}
