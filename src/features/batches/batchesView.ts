import * as vscode from 'vscode';
import { commandLink } from '../../common/commands';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import type { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import { Lazy } from '../../common/lazy';
import { Throttle } from '../../common/lists/throttle';
import { describeError } from '../../common/text/describeError';
import { ageStays, type PresentationContext, type RowPresentation } from '../../common/text/presentation';
import { loadMoreRow, NodeTree, type TreeRow } from '../../common/tree/nodeTree';
import { followConnection } from '../connection';
import type { EmulatorHost } from '../emulator';
import { applyRenames, type SubmissionRegistry } from '../ledger';
import { createBatchCommands } from './batchCommands';
import type { BatchDependencies } from './batchDependencies';
import type { BatchContext } from './batchPresentation';
import { type BatchRow, BatchStore, type FileRow } from './batchStore';
import { isUnknown, presentFile, presentOthers, presentRun } from './runPresentation';
import { partsIn, type RunRow, toReference } from './runRow';
import { watchBatches } from './watching/watchBatches';

interface BatchesViewDependencies extends Pick<BatchDependencies, 'log' | 'connections' | 'jobs' | 'registry'> {
  readonly emulator: EmulatorHost;
  readonly documents: ReadonlyDocuments;
}

/** Minimum time between two updates, in milliseconds. */
const minPauseMs = 250;

/** Creates the content of `view`, keeps it up to date, and watches the batches of this machine. */
export function createBatchesView(deps: BatchesViewDependencies, view: vscode.TreeView<unknown>) {
  const { connections, registry, log, emulator, jobs, documents } = deps;
  const store = new BatchStore(registry);
  const presentation = (): BatchContext => ({
    ...{ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() },
    nameOf: store.nameOf,
  });
  const details = new Lazy(async () =>
    (await import('./details/batchTexts')).createBatchDetails({ connections, registry, store, presentation, documents }),
  );
  const tree = createBatchesTree(store, presentation, async row => (await details.get()).hover(row));
  const show = () => {
    const { t } = vscode.l10n;
    const problem = store.isUnsupported
      ? t("This service doesn't support batches")
      : t("Couldn't refresh: {0}", describeError(store.problem));
    view.message = store.state === 'filled' && store.problem !== undefined ? problem : undefined;
    setContextKey('managedAgents.batchesState', store.state);
    tree.refresh();
    details.current?.refresh();
  };
  const drawing = new Throttle(show, minPauseMs);
  let retry = () => {};
  const following = combine(
    drawing,
    store.onDidChange(() => drawing.ask()),
    followConnection(connections, { startOver: connection => store.reset(connection), look: () => retry() }),
    emulator.onDidChange(() => retry()),
  );
  // Created after `followConnection`, so that the first poll lists the batches of the current connection.
  const watching = watchBatches({
    ...{ log, connections, jobs, registry, store, view, presentation },
    isReachable: connection => !connection.isEmulator || emulator.running !== undefined,
    redraw: () => tree.refresh(),
  });
  retry = () => watching.retry();
  const refresh = () => watching.refresh();
  const lifetime = new AbortController();
  const subscriptions = combine(
    following,
    followLedger(registry, store, () => watching.poll()),
    vscode.workspace.onDidRenameFiles(event =>
      followRenames(registry, event).catch(error => log.error('The submissions of a renamed file could not be changed', error)),
    ),
    details,
    tree,
    { dispose: () => lifetime.abort() },
    watching,
  );
  return {
    tree,
    store,
    details,
    commands: createBatchCommands({
      ...{ log, connections, registry, store, details, presentation, refresh, jobs },
      lifetime: lifetime.signal,
    }),
    dispose: () => subscriptions.dispose(),
  };
}

/** Refreshes rows when submissions change. Calls `poll` after a new batch. */
function followLedger(registry: SubmissionRegistry, store: BatchStore, poll: () => void): vscode.Disposable {
  const created = new Set<string>();
  const updating = new Throttle(() => store.touch());
  const polling = new Throttle(poll);
  const following = registry.onDidChange(({ id, state }) => {
    updating.ask();
    if (state === 'created' && !created.has(id)) {
      created.add(id);
      polling.ask();
    }
  });
  return combine(following, updating, polling);
}

async function followRenames(registry: SubmissionRegistry, { files }: vscode.FileRenameEvent): Promise<void> {
  const uriOf = (uri: vscode.Uri) => uri.toString().replace(/\/$/, '');
  const moves = files.map(({ oldUri, newUri }) => ({
    from: uriOf(oldUri),
    to: uriOf(newUri),
    fromPath: oldUri.fsPath,
    toPath: newUri.fsPath,
  }));
  await applyRenames(registry, moves);
}

export function createBatchesTree(store: BatchStore, context: () => PresentationContext, hover: (row: BatchRow) => Promise<string>) {
  return new NodeTree<BatchRow>({
    roots: () => store.rows(),
    below: row => (row.kind === 'file' ? row.runs : row.kind === 'others' ? row.below : []),
    key: keyOf,
    render: row => render(row, context()),
    hover,
    now: () => context().now,
  });
}

function keyOf(row: BatchRow): string {
  switch (row.kind) {
    case 'file':
      return `file ${row.source}`;
    case 'run':
      // A file with a single run has one row, keyed by the file. The group ID stays the same when parts are sent again.
      return row.isOnly ? `file ${row.source}` : `run ${row.run.lead.group?.id ?? row.run.id}`;
    case 'others':
    case 'more':
      return row.kind;
  }
}

function render(row: BatchRow, context: PresentationContext): TreeRow {
  const { now } = context;
  switch (row.kind) {
    case 'file':
      return {
        ...presentFile(row, context),
        folding: 'collapsed',
        target: toFileTarget(row),
        until: Math.min(...row.runs.map(run => untilOf(run, now))),
      };
    case 'run': {
      const shown = presentRun(row, context);
      const target = toTarget(row);
      return { ...shown, target, ...toCommand(row, shown), until: untilOf(row, now) };
    }
    case 'others': {
      const shown = presentOthers(row, context);
      return { ...shown, folding: row.isAlone ? 'expanded' : 'collapsed', tooltip: shown.spoken };
    }
    case 'more':
      return loadMoreRow(row.problem, commandLink('managedAgents.batches.loadMore', vscode.l10n.t('Load More')));
  }
}

function toTarget(row: RunRow): object {
  const [open] = [...partsIn(row, 'unknown'), ...partsIn(row, 'failed', 'abandoned')];
  return {
    ...toReference(row),
    ...(open !== undefined && { submissionId: open.submission.id }),
    ...(row.isOnly && { source: row.source }),
  };
}

function toFileTarget({ runs, source }: FileRow): object {
  const [latest] = runs;
  const [unknown] = runs.flatMap(run => partsIn(run, 'unknown'));
  return { ...(latest && toTarget(latest)), ...(unknown && { submissionId: unknown.submission.id }), source };
}

/**
 * Returns the command for a click on a row. Shows the results if there are any. Otherwise shows the log of a submission without a batch, or
 * the batch.
 */
function toCommand(row: RunRow, { abilities }: RowPresentation): Pick<TreeRow, 'command'> {
  const words = abilities.split(' ');
  const [open] = partsIn(row, 'unknown', 'failed', 'abandoned');
  const reference = toReference(row);
  if (words.includes('showable')) {
    return { command: commandLink('managedAgents.results.show', vscode.l10n.t('Show Results'), reference) };
  }
  if (open !== undefined && row.parts.length === 1) {
    const submissionId = open.submission.id;
    return { command: commandLink('managedAgents.submission.resolve', vscode.l10n.t('Show Submission Log'), { submissionId }) };
  }
  return words.includes('batch') ? { command: commandLink('managedAgents.batch.open', vscode.l10n.t('Open Batch'), reference) } : {};
}

/** Returns the time until which the text of a row stays valid, in milliseconds since 1970. */
function untilOf(row: RunRow, now: number): number {
  // The search for an unknown batch can change the row at any time.
  return isUnknown(row) ? now : now + ageStays(row.run.startedAt, now);
}
