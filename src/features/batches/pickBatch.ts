import * as vscode from 'vscode';
import { showInformation } from '../../common/asking/notifications';
import type { PresentationContext } from '../../common/text/presentation';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { BatchReference, RunReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { presentBatch } from './batchPresentation';
import type { BatchStore } from './batchStore';
import { presentGroup } from './groups/groupPresentation';
import { batchesOf } from './groups/groupRow';

/** What a group calls what a batch can do. */
const ofGroup: Readonly<Record<string, string>> = {
  batch: 'group',
  cancelable: 'groupCancelable',
  deletable: 'groupDeletable',
  hasResults: 'groupHasResults',
};

/** Lets the user choose among the listed batches and groups whose abilities include `ability`; undefined when there is none or nothing is chosen. */
export async function pickBatch(
  store: BatchStore,
  ability: string,
  placeHolder: string,
  context: PresentationContext,
): Promise<(BatchReference & Partial<RunReference>) | undefined> {
  const items = store.rows().flatMap(row => {
    if (row.kind !== 'batch' && row.kind !== 'group') {
      return [];
    }
    const { run, ids } =
      row.kind === 'group' ? { run: row.run, ids: batchesOf(row).map(({ id }) => id) } : { run: undefined, ids: [row.batch.id] };
    const shown = row.kind === 'group' ? presentGroup(row, context) : presentBatch(row.batch, row.submission, context);
    const words = shown.abilities.split(' ');
    return words.includes(ability) || words.includes(ofGroup[ability] ?? '')
      ? [
          {
            label: `$(${shown.icon}) ${withoutIcons(shown.label)}`,
            description: withoutIcons(shown.description),
            detail: withoutIcons(toLabel(ids.join(', '), 200)),
            reference: { connection: row.connection, batchId: ids[0] ?? '', ...(run && { runId: run.id }) },
          },
        ]
      : [];
  });
  if (items.length === 0) {
    void showInformation(
      store.state === 'unsupported'
        ? vscode.l10n.t('This service has no batches.')
        : vscode.l10n.t('No listed batch fits. Refresh the Batches view or load more.'),
    );
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true, matchOnDetail: true }))?.reference;
}
