import * as vscode from 'vscode';
import { askModal } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import { toLabel } from '../../../shared/text';
import type { Connection } from '../connection';
import type { ConnectionCommandContext } from '../connectionCommandContext';
import { choose, readOwnChoice, removeConnection } from '../connectionConfiguration';

/** Deletes a connection's settings and key, and the user's choice of it, after a confirmation. Changes nothing on the service. */
export async function forgetConnection({ keys, store }: ConnectionCommandContext, { name }: Connection): Promise<void> {
  const t = vscode.l10n.t;
  const forget = t('Forget');
  const answer = await askModal(
    t('Forget the connection "{0}"?', toLabel(name, 60)),
    {
      detail: t('Removes its settings and API key. Nothing changes on the service.'),
    },
    forget,
  );
  if (answer !== forget) {
    throw new CancelledError();
  }
  // Deletes the key first: if the setting can't be written, no key of a seemingly deleted connection is left.
  await keys.forget(name);
  await removeConnection(name);
  if (readOwnChoice('user') === name) {
    await choose(undefined, 'user');
  }
  if (vscode.workspace.isTrusted && readOwnChoice('workspace') === name) {
    await choose(undefined, 'workspace');
  }
  await store.refresh();
}
