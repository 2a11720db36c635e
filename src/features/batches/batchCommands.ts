import * as vscode from 'vscode';
import { pickListed, toChoice } from '../../common/asking/pickListed';
import { copyIds } from '../../common/copyIds';
import type { Lazy } from '../../common/lazy';
import { pageAfter } from '../../common/lists/pagedList';
import type { RowPresentation } from '../../common/text/presentation';
import type { BatchReference, BatchRowWord, RunReference } from '../../contributions';
import { reach, refuseUntrusted } from '../connection';
import type { Run } from '../ledger';
import { loadLinkCopying } from '../links';
import type { BatchContext } from './batchPresentation';
import type { BatchStore } from './batchStore';
import type { BatchDetails } from './details/batchTexts';
import type { EndDependencies } from './endRun';
import { presentOther, presentRun } from './runPresentation';
import { type BatchOrRun, batchesOf, toReference } from './runRow';

export interface BatchCommandDependencies extends EndDependencies {
  readonly store: BatchStore;
  readonly details: Lazy<BatchDetails>;
  readonly presentation: () => BatchContext;
}

type Target = BatchReference | RunReference | string;

/** Creates the commands for batches, and the batch handlers of shared commands such as `copyId` and `delete`. */
export function createBatchCommands(deps: BatchCommandDependencies) {
  const { details } = deps;
  const chooseOne = (target: Target | undefined) => choose(deps, batchIn(target), 'batch');
  return {
    'managedAgents.batches.loadMore': () => loadMore(deps),
    'managedAgents.batch.open': async (target?: BatchReference) => {
      const chosen = await chooseOne(target);
      await (await details.get()).showPage(chosen);
    },
    'managedAgents.batch.cancel': async (target?: BatchReference | RunReference) => {
      const part = await chooseToEnd(deps, target, 'cancelable');
      await (await import('./endRun')).cancelRun(deps, part);
    },
    refresh: async () => {
      refuseUntrusted('look');
      await vscode.window.withProgress({ location: { viewId: 'managedAgents.batches' } }, () => deps.refresh());
    },
    showJson: async (target?: Target) => {
      const chosen = await chooseOne(target);
      await (await details.get()).openJson(chosen);
    },
    copyId: async (target?: Target) => {
      const chosen = await chooseOne(target);
      await copyIds(idsOf(deps, chosen));
    },
    copyLink: async (target?: Target) => {
      const chosen = await chooseOne(target);
      const links = idsOf(deps, chosen).map(id => ({ kind: 'batch', id }) as const);
      await (await loadLinkCopying()).copyLinks(deps.connections, chosen.connection, links);
    },
    delete: async (target?: Target) => {
      const part = await chooseToEnd(deps, typeof target === 'string' ? undefined : target, 'deletable');
      await (await import('./endRun')).deleteRun(deps, part);
    },
  };
}

/** Returns the batch or run of an argument, or `undefined` if the argument only names a kind of item. */
function batchIn(target: Target | undefined): BatchOrRun | undefined {
  return typeof target === 'object' && 'batchId' in target ? target : undefined;
}

/** Returns the batch or run of a command: its argument, or one with `ability` that the user selects. The user can also enter a batch ID. */
export async function choose(
  { connections, store, presentation, refresh }: Pick<BatchCommandDependencies, 'connections' | 'store' | 'presentation' | 'refresh'>,
  target: BatchOrRun | undefined,
  ability: BatchRowWord,
): Promise<BatchOrRun> {
  if (target !== undefined) {
    // Menus pass tree items, which have more fields than a reference.
    const { connection, batchId, runId } = target;
    return { connection, batchId, ...(runId !== undefined && { runId }) };
  }
  const context = presentation();
  const fits = ({ abilities }: RowPresentation) => abilities.split(' ').includes(ability);
  const connection = store.scope;
  return await pickListed<BatchOrRun>({
    title: vscode.l10n.t('Batches'),
    placeholder: vscode.l10n.t('Select a batch'),
    none: () => (store.isUnsupported ? vscode.l10n.t("This service doesn't support batches") : vscode.l10n.t('No matches')),
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
    read: () => (store.isListed ? loadMore({ connections, store }) : refresh()),
    mayBeUnlisted: ability === 'batch',
    ...(connection === undefined ? {} : { byId: batchId => ({ connection, batchId }) }),
  });
}

async function chooseToEnd(
  deps: BatchCommandDependencies,
  target: BatchReference | RunReference | undefined,
  ability: BatchRowWord,
): Promise<Run> {
  refuseUntrusted('change');
  const { findPart } = await import('./chooseRun');
  return await findPart(deps.registry, target ?? (await choose(deps, target, ability)), vscode.l10n.t);
}

function idsOf({ store }: BatchCommandDependencies, { batchId, runId }: BatchOrRun): readonly string[] {
  const run = runId === undefined ? undefined : store.run(runId);
  return run === undefined ? [batchId] : batchesOf(run).map(({ id }) => id);
}

async function loadMore({ connections, store }: Pick<BatchCommandDependencies, 'connections' | 'store'>): Promise<void> {
  const { current } = connections;
  if (current === undefined || store.scope !== current.name) {
    return;
  }
  await vscode.window.withProgress({ location: { viewId: 'managedAgents.batches' } }, async () => {
    const { client } = await reach(connections, current, 'look');
    await store.loadMore(cursor => client.batches.list({ limit: pageAfter(store.items.length), cursor }));
  });
}
