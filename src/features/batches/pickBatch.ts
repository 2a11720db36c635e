import * as vscode from 'vscode';
import { showInformation } from '../../common/notifications';
import type { PresentationContext } from '../../common/presentation';
import type { BatchReference } from '../../contributions';
import { presentBatch } from './batchPresentation';
import type { BatchStore } from './batchStore';

/** Lets the user choose among the listed batches whose abilities include `ability`; undefined when there is none or nothing is chosen. */
export async function pickBatch(
  store: BatchStore,
  ability: string,
  placeHolder: string,
  context: PresentationContext,
): Promise<BatchReference | undefined> {
  const items = store.rows().flatMap(row => {
    if (row.kind !== 'batch') {
      return [];
    }
    const shown = presentBatch(row.batch, row.submission, context);
    return shown.abilities.split(' ').includes(ability)
      ? [
          {
            label: `$(${shown.icon}) ${shown.label}`,
            description: shown.description,
            detail: row.batch.id,
            reference: { connection: row.connection, batchId: row.batch.id },
          },
        ]
      : [];
  });
  if (items.length === 0) {
    void showInformation(vscode.l10n.t('No listed batch fits. Refresh the Batches view or load more.'));
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true, matchOnDetail: true }))?.reference;
}
