import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { offer, showInformation, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { CredentialNeed, Reference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { type Reached, refuseUntrusted } from '../../connection';
import { credentialName, credentials, describeValidation, type TriedCredential } from '../kinds/credentials';
import { vaults } from '../kinds/vaults';
import { undefinedIfGone } from '../lists/resourceErrors';
import { type ResourceFlow, resourceToChange, retrieve, unlessGone, updateResource } from '../resourceFlow';
import { addCredential, secretOf } from './askCredential';
import { askExpiry, askInjection, askName, askNetworking, askSecret, type Networking, type SecretQuestion } from './credentialQuestions';

interface Chosen {
  readonly reference: Reference;
  readonly vaultId: string;
  readonly reached: Reached;
  readonly credential: TriedCredential;
  /** Name, escaped for a picker or the status bar. */
  readonly name: string;
}

/** Replaces a secret of a credential. The user chooses the secret if there are several. Running sessions then use the new secret. */
export async function rotateCredential(flow: ResourceFlow, target: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const chosen = await choose(flow, target, 'rotatable');
  const auth = await askRotation(chosen);
  await update(flow, chosen, { auth });
  void showInformation(t('Secret of {0} rotated. Running sessions use it now.', credentialName(chosen.credential)));
}

async function askRotation({ credential: { auth }, name }: Chosen): Promise<object> {
  const { t } = vscode.l10n;
  const title = t('Rotate {0}', name);
  const ask = (secret: Pick<SecretQuestion, 'prompt' | 'most'>) => askSecret({ title, ...secret, canGoBack: false });
  const type = auth?.type;
  switch (type) {
    case 'static_bearer':
      return { type, token: await ask(secretOf(type)) };
    case 'environment_variable':
      return { type, secret_value: await ask(secretOf(type)) };
    case 'mcp_oauth':
      return { type, ...(await askOauthRotation(title, auth, ask)) };
    default:
      throw new Error(t("Credentials of type {0} can't be rotated. Add a new one.", type ?? '?'));
  }
}

async function askOauthRotation(
  title: string,
  auth: TriedCredential['auth'],
  ask: (secret: Pick<SecretQuestion, 'prompt' | 'most'>) => Promise<string>,
): Promise<object> {
  const { t } = vscode.l10n;
  const access = async () => {
    const access_token = await ask(secretOf('mcp_oauth'));
    return { access_token, expires_at: (await askExpiry(title, undefined, false)) ?? null };
  };
  if (!auth?.refresh) {
    return await access();
  }
  const refresh = async () => ({ refresh: { refresh_token: await ask({ prompt: t('Refresh token'), most: 4096 }) } });
  const type = auth.refresh.token_endpoint_auth?.type;
  const client = async () => {
    const client_secret = await ask({ prompt: t('Client secret'), most: 512 });
    return { refresh: { token_endpoint_auth: { type, client_secret } } };
  };
  const rotate = await askChoice<() => Promise<object>>({
    title,
    placeholder: t('Select a secret'),
    choices: [
      { label: `$(key) ${t('Access token')}`, value: access },
      { label: `$(sync) ${t('Refresh token')}`, value: refresh },
      ...(type === 'client_secret_basic' || type === 'client_secret_post'
        ? [{ label: `$(account) ${t('Client secret')}`, value: client }]
        : []),
    ],
  });
  return await rotate();
}

/** Changes the fields of a credential that are not secret: its name, allowed hosts and expiry. */
export async function editCredential(flow: ResourceFlow, target: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const chosen = await choose(flow, target, 'rotatable');
  const { credential, name } = chosen;
  const { type, networking, injection_location: before, expires_at: expiry } = credential.auth ?? {};
  const title = t('Edit {0}', name);
  const hosts = async () => ({ type, networking: await askNetworking(title, networkingOf(credential), false) });
  const injection = async () => ({
    type,
    injection_location: await askInjection(title, { header: before?.header !== false, body: before?.body === true }, false),
  });
  const expires = async () => ({ type, expires_at: (await askExpiry(title, expiry ?? undefined, false)) ?? null });
  const change = await askChoice<() => Promise<object>>({
    title,
    placeholder: t('Select what to edit'),
    choices: [
      {
        label: t('Name'),
        description: name,
        value: async () => ({ display_name: await askName(title, credential.display_name ?? '', false) }),
      },
      ...(type === 'environment_variable'
        ? [
            { label: t('Hosts'), description: (networking?.allowed_hosts ?? []).join(', '), value: async () => ({ auth: await hosts() }) },
            { label: t('Insert into Request'), value: async () => ({ auth: await injection() }) },
          ]
        : []),
      ...(type === 'mcp_oauth'
        ? [{ label: t('Expiration date'), description: expiry ?? '', value: async () => ({ auth: await expires() }) }]
        : []),
    ],
  });
  await update(flow, chosen, await change());
  vscode.window.setStatusBarMessage(t('Changed {0}', name), 5000);
}

function networkingOf({ auth }: TriedCredential): Networking {
  return auth?.networking?.type === 'unrestricted'
    ? { type: 'unrestricted' }
    : { type: 'limited', allowed_hosts: auth?.networking?.allowed_hosts ?? [] };
}

/** Asks the service to validate a credential, and shows the result. */
export async function validateCredential(flow: ResourceFlow, target: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const chosen = await choose(flow, target, 'validatable');
  const { reached, reference, vaultId, credential } = chosen;
  const title = t('Validating {0}', credentialName(credential));
  const { data: validation } = await withProgress(title, new AbortController().signal, signal =>
    unlessGone(flow, reference, () => reached.client.vaults.credentials(vaultId).validate(reference.id, { signal })),
  );
  // The validation may have renewed the credential.
  const current = (await retrieve(flow, reached, reference)) as TriedCredential;
  const tried: TriedCredential = { ...current, validation };
  flow.store.put(reference, tried);
  const words = describeValidation(credentialName(current), validation, t);
  if (validation.status !== 'invalid') {
    await showInformation(words);
    return;
  }
  await offer(showWarning, words, [t('Rotate Credential...'), () => rotateCredential(flow, reference)]);
}

async function choose(flow: ResourceFlow, target: unknown, ability: string): Promise<Chosen> {
  const { reference, reached, value: credential } = await resourceToChange(flow, target, credentials, ability);
  const vaultId = reference.parent?.id;
  if (vaultId === undefined) {
    throw new Error(vscode.l10n.t('Select the credential in the Resources view.'));
  }
  if (!credentials.row(credential, flow.presentation()).abilities.split(' ').includes(ability)) {
    throw new Error(
      typeof credential.archived_at === 'string'
        ? vscode.l10n.t('{0} is archived. Add another credential.', credentialName(credential))
        : vscode.l10n.t('Only OAuth credentials can be validated.'),
    );
  }
  return { reference, vaultId, reached, credential, name: withoutIcons(credentialName(credential)) };
}

function update(flow: ResourceFlow, { reached, reference, vaultId }: Chosen, params: object): Promise<void> {
  return updateResource(flow, reference, () => reached.client.vaults.credentials(vaultId).update(reference.id, params));
}

/** Maximum number of credentials in a vault (API facts, section 16). */
const maxCredentials = 100;

/** Helps to fix a session error caused by a credential. Offers to change the session's credential, or to add a missing one. */
export async function fixCredential(flow: ResourceFlow, need: CredentialNeed | undefined): Promise<void> {
  refuseUntrusted('change');
  const { t } = vscode.l10n;
  if (need === undefined) {
    throw new Error(t('Use this command on a credential error in a session.'));
  }
  const { connection } = need;
  const reached = await flow.service.reach(connection, 'change');
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

/** Returns the credential that the error names, or otherwise the credential for the server in the session's vaults. */
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
    // A deleted vault has no credentials.
    const page = await client.vaults.credentials(vault).list({ limit: maxCredentials }).catch(undefinedIfGone);
    const found = page?.items.find(({ auth, archived_at: time }) => typeof time !== 'string' && auth?.mcp_server_url === serverUrl);
    if (found !== undefined) {
      return inVault(vault, found);
    }
  }
  return undefined;
}
