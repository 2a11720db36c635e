import * as vscode from 'vscode';
import type { ServiceClient } from '../../../client/serviceClient';
import { CancelledError } from '../../../common/cancellation';
import type { PresentationContext } from '../../../common/text/presentation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { vaults } from '../kinds/vaults';

/** Vaults that are offered at most, the newest. */
const mostOffered = 100;

/**
 * Lets the user choose any number of the service's vaults, none among them; answers their ids. Rejects with `CancelledError` on Escape, and
 * with what failed when they cannot be listed.
 */
export async function pickVaults(
  client: ServiceClient,
  context: PresentationContext,
  { title, before = [] }: { readonly title: string; readonly before?: readonly string[] },
): Promise<readonly string[]> {
  const { items } = await vaults.calls(client, undefined).list({ limit: mostOffered });
  const choices = items.map(vault => {
    const { label, description, icon } = vaults.row(vault, context);
    return {
      label: `$(${icon}) ${withoutIcons(label)}`,
      description: withoutIcons(description),
      id: vault.id,
      picked: before.includes(vault.id),
    };
  });
  const placeHolder = choices.length === 0 ? vscode.l10n.t('No vaults yet') : vscode.l10n.t('Which vaults shall it use?');
  const chosen = await vscode.window.showQuickPick(choices, { title, placeHolder, canPickMany: true, ignoreFocusOut: true });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return chosen.map(({ id }) => id);
}
