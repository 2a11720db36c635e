import * as vscode from 'vscode';
import { pickListed, toChoice } from '../../common/asking/pickListed';
import type { RowPresentation } from '../../common/text/presentation';
import type { BatchReference, RunReference } from '../../contributions';
import { type BatchContext, presentBatch } from './batchPresentation';
import type { BatchStore } from './batchStore';
import { presentGroup } from './groups/groupPresentation';
import { batchesOf } from './groups/groupRow';

/** Lets the user choose among the batches and groups whose abilities include `ability`, page by page, or by an id. `read` reads on. */
export function pickBatch(
  store: BatchStore,
  ability: string,
  placeholder: string,
  context: BatchContext,
  read: () => Promise<void>,
): Promise<BatchReference & Partial<RunReference>> {
  const fits = ({ abilities }: RowPresentation) =>
    abilities.split(' ').some(word => word === ability || (word === 'group' && ability === 'batch'));
  const connection = store.connectionName;
  return pickListed<BatchReference & Partial<RunReference>>({
    title: vscode.l10n.t('Batches'),
    placeholder,
    none: () => (store.isUnsupported ? vscode.l10n.t('This service has no batches.') : vscode.l10n.t('No listed batch fits.')),
    list: store.list,
    choices: () =>
      store.rows().flatMap(row => {
        if (row.kind !== 'batch' && row.kind !== 'group') {
          return [];
        }
        const [shown, ids, run] =
          row.kind === 'group'
            ? [presentGroup(row, context), batchesOf(row).map(({ id }) => id), row.run]
            : [presentBatch(row.batch, row.submission, context), [row.batch.id], undefined];
        const reference = { connection: row.connection, batchId: ids[0] ?? '', ...(run && { runId: run.id }) };
        return fits(shown) ? [toChoice(shown, ids.join(', '), reference)] : [];
      }),
    read,
    mayBeUnlisted: ability === 'batch',
    ...(connection === undefined ? {} : { byId: batchId => ({ connection, batchId }) }),
  });
}
