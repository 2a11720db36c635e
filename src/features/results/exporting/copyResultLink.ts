import * as vscode from 'vscode';
import type { Connections } from '../../connection';
import { loadLinkCopying } from '../../links';
import type { OpenResults } from '../panel/openResults';

/**
 * Copies a link to one result to the clipboard. The link names its batch, or the first batch of a group. Throws an error with a message for
 * the user if no batch is known.
 */
export async function copyResultLink(connections: Connections, { shown }: Pick<OpenResults, 'shown'>, customId: string): Promise<void> {
  const id = shown?.run.submissions.find(({ batchId }) => batchId !== undefined)?.batchId;
  if (shown === undefined || id === undefined) {
    throw new Error(vscode.l10n.t('The batch of these results is unknown on this machine.'));
  }
  await (await loadLinkCopying()).copyLinks(connections, shown.run.connection, [{ kind: 'batch', id, customId }]);
}
