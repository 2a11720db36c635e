import * as vscode from 'vscode';
import type { Connections } from '../../connection';
import { loadLinkCopying } from '../../links';
import type { OpenResults } from '../panel/openResults';

/** Puts a link to one result on the clipboard: by its batch, of a group by the first. Throws a sentence where no batch of it is known. */
export async function copyResultLink(connections: Connections, { shown }: Pick<OpenResults, 'shown'>, customId: string): Promise<void> {
  const id = shown?.run.submissions.find(({ batchId }) => batchId !== undefined)?.batchId;
  if (shown === undefined || id === undefined) {
    throw new Error(vscode.l10n.t('It is not known here which batch these results are of, so nothing can be linked to.'));
  }
  await (await loadLinkCopying()).copyLinks(connections, shown.run.connection, [{ kind: 'batch', id, customId }]);
}
