import * as vscode from 'vscode';
import { pickListed, toChoice } from '../../common/asking/pickListed';
import type { RowPresentation } from '../../common/text/presentation';
import type { BatchRowWord } from '../../contributions';
import type { BatchContext } from './batchPresentation';
import type { BatchStore } from './batchStore';
import { presentOther, presentRun } from './runPresentation';
import { type BatchOrRun, toReference } from './runRow';

/** Lets the user choose among the runs and batches with an ability, or enter an ID. `read` loads the next page. */
export function pickBatch(store: BatchStore, ability: BatchRowWord, context: BatchContext, read: () => Promise<void>): Promise<BatchOrRun> {
  const fits = ({ abilities }: RowPresentation) => abilities.split(' ').includes(ability);
  const connection = store.scope;
  return pickListed<BatchOrRun>({
    title: vscode.l10n.t('Batches'),
    placeholder: vscode.l10n.t('Select a batch'),
    none: () => (store.isUnsupported ? vscode.l10n.t('This service has no batches.') : vscode.l10n.t('No matches')),
    list: store,
    choices: () =>
      store.leaves().flatMap(row => {
        if (row.kind === 'other') {
          const { connection: from, batch } = row;
          const shown = presentOther(batch, context);
          return fits(shown) ? [toChoice(shown, batch.id, { connection: from, batchId: batch.id })] : [];
        }
        const shown = presentRun({ ...row, isOnly: true }, context);
        const ids = row.run.submissions.flatMap(({ batchId }) => batchId ?? []);
        return fits(shown) ? [toChoice(shown, ids.join(', '), toReference(row))] : [];
      }),
    read,
    mayBeUnlisted: ability === 'batch',
    ...(connection === undefined ? {} : { byId: batchId => ({ connection, batchId }) }),
  });
}
