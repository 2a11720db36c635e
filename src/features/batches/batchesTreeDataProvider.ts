import * as vscode from 'vscode';
import { commandLink } from '../../common/commands';
import { ageStays, type PresentationContext, type RowPresentation } from '../../common/text/presentation';
import { loadMoreRow, NodeTree, type TreeRow } from '../../common/tree/nodeTree';
import type { BatchRow, BatchStore, FileRow } from './batchStore';
import { isUnknown, presentFile, presentOther, presentOthers, presentRun } from './runPresentation';
import { partsIn, type RunRow, toReference } from './runRow';

export type BatchesTree = NodeTree<BatchRow>;

export function createBatchesTree(
  store: BatchStore,
  context: () => PresentationContext,
  hover: (row: BatchRow) => Promise<string>,
): BatchesTree {
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
      // A file with a single run has one row for both. Parts that are sent again still belong to their run.
      return row.isOnly ? `file ${row.source}` : `run ${row.run.lead.group?.id ?? row.run.id}`;
    case 'other':
      return `batch ${row.batch.id}`;
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
    case 'other': {
      const target = { connection: row.connection, batchId: row.batch.id };
      const command = commandLink('managedAgents.batch.open', vscode.l10n.t('Open Batch'), target);
      return { ...presentOther(row.batch, context), target, command, until: now + ageStays(row.batch.created_at, now) };
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

/** Returns the click command of a row: shows the results, or else the batch, or else the submission log. */
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
