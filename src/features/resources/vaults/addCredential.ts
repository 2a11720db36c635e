import * as vscode from 'vscode';
import type { Vault } from '../../../client/schemas/vaults';
import { warnOfIgnored } from '../../../common/asking/warnOfIgnored';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { Reference } from '../../../contributions';
import { credentials } from '../kinds/credentials';
import { vaults } from '../kinds/vaults';
import { toGone } from '../lists/performAct';
import { listOf, type ResourceFlow, referenceOf, retrieve } from '../resourceFlow';
import { askCredential } from './askCredential';

/**
 * Asks for a credential and adds it to a vault. `serverUrl` is the server that it is for, if known. Its secrets are not stored on this
 * machine.
 */
export async function addCredential(flow: ResourceFlow, target: unknown, serverUrl?: string): Promise<void> {
  flow.service.demand('userToChange');
  const { t } = vscode.l10n;
  const vault = await referenceOf(flow, vaultIn(target), [vaults], 'fillable');
  const reached = await flow.service.reach(vault.connection, 'userToChange');
  const name = vaults.name((await retrieve(flow, reached, vault)) as Vault);
  const params = await askCredential(t('Add a Credential to {0}', withoutIcons(name)), serverUrl);
  try {
    const answer = await reached.client.vaults.credentials(vault.id).create(params);
    const { data } = answer;
    flow.store.put({ connection: vault.connection, kind: credentials.kind, parent: vault }, data);
    vscode.window.setStatusBarMessage(t('Added {0}', withoutIcons(credentials.name(data))), 5000);
    warnOfIgnored(credentials.name(data), answer);
  } catch (error) {
    throw toGone(listOf(flow, vault), vault.id, error);
  }
  await flow.store.listOf(vault.connection, credentials, vault).refresh();
}

/** Returns the vault that a row stands for: itself, or the parent of its credential. */
function vaultIn(target: unknown): Reference | undefined {
  const { kind, parent } = (target ?? {}) as Partial<Reference>;
  return kind === credentials.kind && parent !== undefined ? parent : (target as Reference | undefined);
}
