import * as vscode from 'vscode';
import { pickListed, toChoice } from '../../common/asking/pickListed';
import { copyIds } from '../../common/copyIds';
import type { Lazy } from '../../common/lazy';
import { pageAfter } from '../../common/lists/pagedList';
import type { BatchReference, BatchRowWord, RunReference } from '../../contributions';
import { reach, refuseUntrusted } from '../connection';
import type { Run } from '../ledger';
import { loadLinkCopying } from '../links';
import type { BatchContext } from './batchPresentation';
import type { BatchStore } from './batchStore';
import type { BatchDetails } from './details/batchTexts';
import type { EndDependencies } from './endRun';
import { presentRun } from './runPresentation';
import { type BatchOrRun, batchesOf, toReference } from './runRow';

interface BatchCommandDependencies extends EndDependencies {
  readonly store: BatchStore;
  readonly details: Lazy<BatchDetails>;
  readonly presentation: () => BatchContext;
}

type Target = BatchReference | RunReference | string;

/** Creates the commands for batches, and the batch handlers of shared commands such as `copyId` and `delete`. */
export function createBatchCommands(deps: BatchCommandDependencies) {
  const { connections, registry, store, details, presentation, refresh } = deps;
  const loadMore = async (): Promise<void> => {
    const { current } = connections;
    if (current !== undefined && store.scope === current.name) {
      await vscode.window.withProgress({ location: { viewId: 'managedAgents.batches' } }, async () => {
        const { client } = await reach(connections, current, 'look');
        await store.loadMore(cursor => client.batches.list({ limit: pageAfter(store.items.length), cursor }));
      });
    }
  };
  /** Asks for a batch or run with `ability`. The user can also enter a batch ID. */
  const pick = async (ability: BatchRowWord): Promise<BatchOrRun> => {
    const { t } = vscode.l10n;
    const context = presentation();
    const connection = store.scope;
    return await pickListed<BatchOrRun>({
      title: t('Batches'),
      placeholder: t('Select a batch'),
      none: () => (store.isUnsupported ? t("This service doesn't support batches") : t('No matches')),
      list: store,
      choices: () =>
        store.leaves().flatMap(row => {
          const shown = presentRun({ ...row, isOnly: true }, context);
          const ids = row.run.submissions.flatMap(({ batchId }) => batchId ?? []);
          return shown.abilities.split(' ').includes(ability) ? [toChoice(shown, ids.join(', '), toReference(row))] : [];
        }),
      read: () => (store.isListed ? loadMore() : refresh()),
      mayBeUnlisted: ability === 'batch',
      ...(connection === undefined ? {} : { byId: batchId => ({ connection, batchId }) }),
    });
  };
  /** Returns the batch or run of an argument. If the argument is not an item of this view, lets the user select one. */
  const choose = async (target: Target | undefined): Promise<BatchOrRun> => {
    if (typeof target !== 'object' || !('batchId' in target)) {
      return await pick('batch');
    }
    // Menus pass tree items, which have more fields than a reference.
    const { connection, batchId, runId }: BatchOrRun = target;
    return { connection, batchId, ...(runId !== undefined && { runId }) };
  };
  const chooseToEnd = async (target: Target | undefined, ability: BatchRowWord): Promise<Run> => {
    refuseUntrusted('change');
    const { findPart } = await import('./chooseRun');
    return await findPart(registry, typeof target === 'object' ? target : await pick(ability), vscode.l10n.t);
  };
  const idsOf = ({ batchId, runId }: BatchOrRun): readonly string[] => {
    const run = runId === undefined ? undefined : store.run(runId);
    return run === undefined ? [batchId] : batchesOf(run).map(({ id }) => id);
  };
  return {
    pick,
    'managedAgents.batches.loadMore': loadMore,
    'managedAgents.batch.open': async (target?: BatchReference) => {
      const chosen = await choose(target);
      await (await details.get()).showPage(chosen);
    },
    'managedAgents.batch.cancel': async (target?: BatchReference | RunReference) => {
      const part = await chooseToEnd(target, 'cancelable');
      await (await import('./endRun')).cancelRun(deps, part);
    },
    refresh: async () => {
      refuseUntrusted('look');
      await vscode.window.withProgress({ location: { viewId: 'managedAgents.batches' } }, () => refresh());
    },
    showJson: async (target?: Target) => {
      const chosen = await choose(target);
      await (await details.get()).openJson(chosen);
    },
    copyId: async (target?: Target) => await copyIds(idsOf(await choose(target))),
    copyLink: async (target?: Target) => {
      const chosen = await choose(target);
      const links = idsOf(chosen).map(id => ({ kind: 'batch', id }) as const);
      await (await loadLinkCopying()).copyLinks(connections, chosen.connection, links);
    },
    delete: async (target?: Target) => {
      const part = await chooseToEnd(target, 'deletable');
      await (await import('./endRun')).deleteRun(deps, part);
    },
  };
}
