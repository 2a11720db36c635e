import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { Reference } from '../../../contributions';
import { credentialName, credentials, describeValidation, type TriedCredential } from '../kinds/credentials';
import { type ResourceFlow, resourceToChange, retrieve, unlessGone, updateResource } from '../resourceFlow';
import type { Reached } from '../service';
import { secretOf } from './askCredential';
import { askExpiry, askInjection, askName, askNetworking, askSecret, type Networking } from './credentialQuestions';

interface Chosen {
  readonly reference: Reference;
  readonly vaultId: string;
  readonly reached: Reached;
  readonly credential: TriedCredential;
  /** Name, escaped for a picker or the status bar. */
  readonly name: string;
}

/** Replaces a secret of a credential. The user chooses which one if there are several. Running sessions use the new one from then on. */
export async function rotateCredential(flow: ResourceFlow, target: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const chosen = await choose(flow, target, 'rotatable');
  const auth = await askRotation(chosen);
  await update(flow, chosen, { auth });
  void showInformation(t('Secret of {0} rotated. Running sessions use it now.', credentialName(chosen.credential)));
}

async function askRotation({ credential, name }: Chosen): Promise<object> {
  const { t } = vscode.l10n;
  const title = t('Rotate {0}', name);
  const type = credential.auth?.type;
  switch (type) {
    case 'static_bearer':
      return { type, token: await askSecret({ title, ...secretOf(type), canGoBack: false }) };
    case 'environment_variable':
      return { type, secret_value: await askSecret({ title, ...secretOf(type), canGoBack: false }) };
    case 'mcp_oauth':
      return { type, ...(await askOauthRotation(title, credential)) };
    default:
      throw new Error(t("Credentials of the kind {0} can't be rotated. Add another one.", type ?? '?'));
  }
}

async function askOauthRotation(title: string, { auth }: TriedCredential): Promise<object> {
  const { t } = vscode.l10n;
  const client = auth?.refresh?.token_endpoint_auth?.type;
  const what = auth?.refresh
    ? await askChoice<'access' | 'refresh' | 'client'>({
        title,
        placeholder: t('Select a secret'),
        choices: [
          { label: `$(key) ${t('Access token')}`, value: 'access' },
          { label: `$(sync) ${t('Refresh token')}`, value: 'refresh' },
          ...(client === 'client_secret_basic' || client === 'client_secret_post'
            ? [{ label: `$(account) ${t('Client secret')}`, value: 'client' as const }]
            : []),
        ],
      })
    : 'access';
  switch (what) {
    case 'access': {
      const access_token = await askSecret({ title, ...secretOf('mcp_oauth'), canGoBack: false });
      return { access_token, expires_at: (await askExpiry(title, '', false)) ?? null };
    }
    case 'refresh':
      return { refresh: { refresh_token: await askSecret({ title, prompt: t('Refresh token'), most: 4096, canGoBack: false }) } };
    case 'client': {
      const client_secret = await askSecret({ title, prompt: t('Client secret'), most: 512, canGoBack: false });
      return { refresh: { token_endpoint_auth: { type: client, client_secret } } };
    }
  }
}

/** Changes the fields of a credential that are not secret: its name, allowed hosts and expiry. */
export async function editCredential(flow: ResourceFlow, target: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const chosen = await choose(flow, target, 'rotatable');
  const { credential, name } = chosen;
  const { auth } = credential;
  const title = t('Edit {0}', name);
  const what = await askChoice<'name' | 'hosts' | 'places' | 'expiry'>({
    title,
    placeholder: t('Select what to edit'),
    choices: [
      { label: t('Name'), description: name, value: 'name' },
      ...(auth?.type === 'environment_variable'
        ? [
            { label: t('Hosts'), description: (auth.networking?.allowed_hosts ?? []).join(', '), value: 'hosts' as const },
            { label: t('Insert into a Request'), value: 'places' as const },
          ]
        : []),
      ...(auth?.type === 'mcp_oauth' ? [{ label: t('Expiry'), description: auth.expires_at ?? '', value: 'expiry' as const }] : []),
    ],
  });
  const type = auth?.type;
  switch (what) {
    case 'name':
      await update(flow, chosen, { display_name: await askName(title, credential.display_name ?? '', false) });
      break;
    case 'hosts':
      await update(flow, chosen, { auth: { type, networking: await askNetworking(title, networkingOf(credential), false) } });
      break;
    case 'places': {
      const { header, body } = auth?.injection_location ?? {};
      const before = { header: header !== false, body: body === true };
      await update(flow, chosen, { auth: { type, injection_location: await askInjection(title, before, false) } });
      break;
    }
    case 'expiry':
      await update(flow, chosen, { auth: { type, expires_at: (await askExpiry(title, auth?.expires_at ?? '', false)) ?? null } });
      break;
  }
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
  const now = (await retrieve(flow, reached, reference)) as TriedCredential;
  const tried: TriedCredential = { ...now, validation };
  flow.store.put(reference, tried);
  const words = describeValidation(credentialName(now), validation, t);
  if (validation.status !== 'invalid') {
    await showInformation(words);
    return;
  }
  const rotate = t('Rotate Credential...');
  if ((await showWarning(words, rotate)) === rotate) {
    await rotateCredential(flow, reference);
  }
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
