import * as vscode from 'vscode';
import { askText } from '../../../common/asking/askSteps';
import type { Connection, Connections } from '../../connection';

/** Asks for the user profile that batches of a connection are attributed to, and stores it. Throws a `CancelledError` on Escape. */
export async function askUserProfile(connections: Connections, connection: Connection): Promise<void> {
  const id = await askText({
    title: vscode.l10n.t('User profile'),
    value: connection.userProfileId ?? '',
    prompt: vscode.l10n.t('User profile ID. Leave empty for none.'),
    validate: text => (/^[\x21-\x7e]*$/.test(text.trim()) ? undefined : vscode.l10n.t('Use ASCII characters only.')),
  });
  await connections.setUserProfile(connection, id.trim() === '' ? undefined : id.trim());
}
