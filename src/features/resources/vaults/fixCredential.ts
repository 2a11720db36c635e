import * as vscode from 'vscode';
import { ServiceError } from '../../../client/transport/errors';
import { askChoice } from '../../../common/asking/askSteps';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { CredentialNeed, Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { credentials, type TriedCredential } from '../kinds/credentials';
import { vaults } from '../kinds/vaults';
import type { ResourceFlow } from '../resourceFlow';
import type { Reached } from '../service';
import { addCredential } from './askCredential';
import { editCredential, rotateCredential, validateCredential } from './changeCredential';

/** Maximum number of credentials in a vault (API facts, section 16). */
const maxCredentials = 100;

/** Helps to fix a session error caused by a credential: offers to change the credential that the session used, or to add a missing one. */
export async function fixCredential(flow: ResourceFlow, need: CredentialNeed | undefined): Promise<void> {
  flow.service.demand('userToChange');
  const { t } = vscode.l10n;
  if (need === undefined) {
    throw new Error(t('Use this command on a credential error in a session.'));
  }
  const { connection } = need;
  const reached = await flow.service.reach(connection, 'userToChange');
  const { data: session } = await reached.client.sessions.retrieve(need.sessionId);
  const vaultIds = session.vault_ids ?? [];
  const serverUrl = session.agent?.mcp_servers?.find(({ name }) => name === need.serverName)?.url ?? undefined;
  const found = await findUsed(reached, need, vaultIds, serverUrl);
  if (found !== undefined) {
    await fixExisting(flow, found.reference, credentials.name(found.credential));
    return;
  }
  const server = serverUrl === undefined ? '' : toLabel(serverUrl, 100);
  const add = { label: `$(add) ${t('Add Credential...')}`, description: withoutIcons(server) };
  const choices = vaultIds.map(id => ({ ...add, value: { connection, kind: vaults.kind, id }, detail: t('To the vault {0}', id) }));
  const elsewhere = { ...add, value: 'elsewhere' as const, detail: t('To another vault, for a new session') };
  const vault = await askChoice<Reference | 'elsewhere'>({
    title: t('No Credential for the Server'),
    placeholder: t('Select an action for {0}', server === '' ? need.sessionId : server),
    choices: choices.length === 0 ? [elsewhere] : choices,
  });
  await addCredential(flow, vault === 'elsewhere' ? undefined : vault, serverUrl);
}

async function fixExisting(flow: ResourceFlow, reference: Reference, name: string): Promise<void> {
  const { t } = vscode.l10n;
  const fix = await askChoice({
    title: t('Credential {0}', withoutIcons(name)),
    placeholder: t('Select an action for {0}', toLabel(reference.connection, 60)),
    choices: [
      { label: `$(sync) ${t('Rotate Credential...')}`, detail: t('Replaces the secret'), value: rotateCredential },
      { label: `$(verified) ${t('Validate Credential')}`, detail: t('Tests it with the service'), value: validateCredential },
      { label: `$(edit) ${t('Edit Credential...')}`, detail: t('Name, hosts or expiration'), value: editCredential },
    ],
  });
  await fix(flow, reference);
}

/** Returns the credential that the error names, else the credential for the server in the session's vaults. */
async function findUsed(
  { client }: Reached,
  { connection, vaultId, credentialId }: CredentialNeed,
  vaultIds: readonly string[],
  serverUrl: string | undefined,
) {
  const inVault = (vault: string, credential: TriedCredential) => {
    const parent = { connection, kind: vaults.kind, id: vault };
    return { credential, reference: { connection, kind: credentials.kind, id: credential.id, parent } };
  };
  if (vaultId !== undefined && credentialId !== undefined) {
    return inVault(vaultId, (await client.vaults.credentials(vaultId).retrieve(credentialId)).data);
  }
  for (const vault of serverUrl === undefined ? [] : vaultIds) {
    try {
      const { items } = await client.vaults.credentials(vault).list({ limit: maxCredentials });
      const found = items.find(({ auth, archived_at: time }) => typeof time !== 'string' && auth?.mcp_server_url === serverUrl);
      if (found !== undefined) {
        return inVault(vault, found);
      }
    } catch (error) {
      // A deleted vault has no credentials.
      if (!(error instanceof ServiceError) || error.status !== 404) {
        throw error;
      }
    }
  }
  return undefined;
}
