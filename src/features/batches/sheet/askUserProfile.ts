import * as vscode from 'vscode';
import { askText } from '../../../common/asking/askSteps';
import { toLabel } from '../../../shared/text';
import type { Connection, Connections } from '../../connection';

/** Asks for the user profile that batches of a connection are attributed to, and stores it. Throws a `CancelledError` on Escape. */
export async function askUserProfile(connections: Connections, connection: Connection): Promise<void> {
  const id = await askText({
    title: vscode.l10n.t('User Profile of {0}', toLabel(connection.name, 60)),
    value: connection.userProfileId ?? '',
    prompt: vscode.l10n.t('ID of the user profile that every request of a batch is attributed to. Leave empty for none.'),
    validate: text =>
      /^[\x21-\x7e]*$/.test(text.trim())
        ? undefined
        : vscode.l10n.t('A user profile ID has letters, digits and other ASCII characters only.'),
  });
  await connections.setUserProfile(connection, id.trim() === '' ? undefined : id.trim());
}
