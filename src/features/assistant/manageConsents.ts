import * as vscode from 'vscode';
import { NothingToDoError } from '../../common/asking/nothingToDo';
import type { Consents } from '../../common/consents';
import { toLabel } from '../../shared/text';
import type { Connections } from '../connection';

/** Shows the connections through which models may read contents, and lets the user change them. */
export async function manageConsents(connections: Connections, consents: Consents): Promise<void> {
  await connections.whenKnown;
  if (connections.all().length === 0) {
    throw new NothingToDoError(vscode.l10n.t('There are no connections yet.'));
  }
  const items = connections.all().map(connection => ({
    label: toLabel(connection.name, 80),
    description: connection.isEmulator ? '' : toLabel(connection.baseUrl, 100),
    picked: consents.has(connection),
    connection,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('What Models May Read'),
    placeHolder: vscode.l10n.t('Select connections that models may read'),
  });
  if (chosen !== undefined) {
    await consents.set(chosen.map(({ connection }) => connection));
  }
}
