import * as vscode from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import { commandLink } from '../../common/commands';
import { KeptRows, type MadeRow } from '../../common/lists/keptRows';
import { decorate, fewRows, LoadMoreTreeItem, lookOf, redrawn } from '../../common/lists/treeItems';
import { ageStays, join, type RowPresentation } from '../../common/text/presentation';
import type { BatchReference, RunReference, SubmissionReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import type { Submission } from '../ledger';
import { type BatchContext, describeAct, presentBatch, presentSubmission } from './batchPresentation';
import type { BatchRow, BatchStore } from './batchStore';
import { presentGroup, presentPart } from './groups/groupPresentation';
import type { GroupPartRow, GroupRow } from './groups/groupRow';

/** A row of the view. As a command's argument it names its batch. */
export class BatchTreeItem extends vscode.TreeItem implements BatchReference {
  constructor(
    readonly connection: string,
    readonly batch: MessageBatch,
    readonly submission: Submission | undefined,
    row: RowPresentation,
  ) {
    super(row.label);
    decorate(this, row);
    this.id = `${connection}\n${batch.id}`;
    this.command = toMainCommand(row, vscode.l10n.t('Open Batch'), { connection, batchId: batch.id });
  }

  get batchId(): string {
    return this.batch.id;
  }
}

/** A submission that has no batch, or none that is known. */
export class SubmissionTreeItem extends vscode.TreeItem implements SubmissionReference {
  readonly submissionId: string;

  constructor(submission: Submission, row: RowPresentation) {
    super(row.label);
    decorate(this, row);
    this.submissionId = submission.id;
    this.id = `submission\n${submission.id}`;
    this.tooltip = submission.problem === undefined ? row.spoken : toLabel(submission.problem, 1000);
    if (submission.state === 'unknown' || submission.state === 'failed') {
      this.command = commandLink('managedAgents.submission.resolve', vscode.l10n.t('Find Out What Happened'), {
        submissionId: submission.id,
      });
    }
  }
}

/** A group. As a command's argument it names its run, and its first batch. */
export class GroupTreeItem extends vscode.TreeItem implements RunReference, BatchReference {
  readonly runId: string;
  readonly connection: string;
  readonly batchId: string;

  constructor(
    readonly group: GroupRow,
    row: RowPresentation,
  ) {
    super(row.label, vscode.TreeItemCollapsibleState.Collapsed);
    decorate(this, row);
    const { lead } = group.run;
    this.runId = group.run.id;
    this.connection = group.connection;
    this.batchId = lead.batchId ?? '';
    // Parts that are sent again are still of the same group.
    this.id = `group\n${lead.group?.id ?? lead.id}`;
    this.command = toMainCommand(row, vscode.l10n.t('Open Group'), openArgument(this));
  }
}

/** A part of a group that has no batch and none on its way. */
export class UnsentTreeItem extends vscode.TreeItem {
  constructor(group: GroupRow, index: number, row: RowPresentation) {
    super(row.label);
    decorate(this, row);
    this.id = `unsent\n${group.run.id}\n${index}`;
    this.tooltip = row.spoken;
  }
}

export type BatchesTreeItem = BatchTreeItem | SubmissionTreeItem | GroupTreeItem | UnsentTreeItem | LoadMoreTreeItem;

/** What a click does: it leads to the results once they were fetched, to the details before. */
function toMainCommand({ abilities }: RowPresentation, title: string, target: BatchReference): vscode.Command {
  return /\bshowable\b/.test(abilities)
    ? commandLink('managedAgents.results.show', vscode.l10n.t('Show Results Table'), target)
    : commandLink('managedAgents.batch.open', title, target);
}

function openArgument({ runId, connection, batchId }: RunReference & BatchReference): RunReference & BatchReference {
  return { runId, connection, batchId };
}

/** The rows of a `BatchStore` as VS Code's tree. Only what looks different is drawn again. */
export class BatchesTreeDataProvider implements vscode.TreeDataProvider<BatchesTreeItem> {
  private readonly changed = new vscode.EventEmitter<BatchesTreeItem[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly roots = new KeptRows<BatchRow, BatchesTreeItem>(
    keyOfRow,
    (row, before) => this.make(row, before),
    () => this.context().now,
  );
  /** What was drawn below groups. */
  private readonly parts = new WeakMap<BatchesTreeItem, readonly BatchesTreeItem[]>();

  constructor(
    private readonly store: BatchStore,
    private readonly context: () => BatchContext,
    private readonly hoverOf: (item: BatchTreeItem | GroupTreeItem) => Promise<string>,
  ) {}

  /** Has the rows drawn again that look different; all of them where there are others than before, or very many look different. */
  refresh(): void {
    const { wasSame, changed } = this.roots.take(this.store.rows(), this.context().nameOf);
    if (!wasSame || changed.length > fewRows) {
      this.changed.fire(undefined);
    } else if (changed.length > 0) {
      this.changed.fire([...changed]);
    }
  }

  getTreeItem(item: BatchesTreeItem): vscode.TreeItem {
    return item;
  }

  getChildren(parent?: BatchesTreeItem): BatchesTreeItem[] {
    if (parent === undefined) {
      this.roots.take(this.store.rows(), this.context().nameOf);
      return [...this.roots.items];
    }
    return [...(this.parts.get(parent) ?? [])];
  }

  getParent(item: BatchesTreeItem): BatchesTreeItem | undefined {
    return this.roots.items.find(parent => this.parts.get(parent)?.some(({ id }) => id === item.id));
  }

  async resolveTreeItem(item: vscode.TreeItem, element: BatchesTreeItem): Promise<vscode.TreeItem> {
    if (element instanceof BatchTreeItem || element instanceof GroupTreeItem) {
      item.tooltip = new vscode.MarkdownString(await this.hoverOf(element));
    }
    return item;
  }

  /** What stands for a row now: what stood for it before, as it looks by now. */
  private make(row: BatchRow, before: BatchesTreeItem | undefined): MadeRow<BatchesTreeItem> {
    const item = redrawn(before, this.toItem(row));
    const below = row.kind === 'group' ? row.parts.map(part => this.toPartItem(row, part)) : [];
    const drawn = new Map(this.parts.get(item)?.map(part => [part.id, part]));
    const parts = below.map(part => redrawn(drawn.get(part.id), part));
    this.parts.set(item, parts);
    const { now } = this.context();
    return { item, look: [item, ...parts].map(lookOf).join('\n'), until: now + staysFor(row, now) };
  }

  private toItem(row: BatchRow): BatchesTreeItem {
    switch (row.kind) {
      case 'batch': {
        const shown = presentBatch(row.batch, row.submission, this.context());
        return new BatchTreeItem(row.connection, row.batch, row.submission, this.withStanding(shown, row.standing, row.submission));
      }
      case 'group':
        return new GroupTreeItem(row, this.withStanding(presentGroup(row, this.context()), row.standing, undefined));
      case 'submission':
        return new SubmissionTreeItem(row.submission, presentSubmission(row.submission, this.context()));
      case 'more':
        return new LoadMoreTreeItem('more', row.problem, commandLink('managedAgents.batches.loadMore', vscode.l10n.t('Load More')));
    }
  }

  private withStanding(row: RowPresentation, standing: string, submission: Submission | undefined): RowPresentation {
    const abilities = join(' ', row.abilities, standing);
    const act = describeAct(abilities, submission, this.context());
    return { ...row, abilities, description: join(' · ', act, row.description), spoken: join(', ', row.spoken, act) };
  }

  private toPartItem(group: GroupRow, part: GroupPartRow): BatchesTreeItem {
    const shown = presentPart(part, this.context());
    switch (part.kind) {
      case 'batch':
        return new BatchTreeItem(group.connection, part.batch, part.submission, shown);
      case 'submission':
        return new SubmissionTreeItem(part.submission, shown);
      case 'deleted':
      case 'unsent':
        return new UnsentTreeItem(group, part.index, shown);
    }
  }
}

function keyOfRow(row: BatchRow): string {
  switch (row.kind) {
    case 'batch':
      return `batch\n${row.batch.id}`;
    case 'group':
      return `group\n${row.run.lead.group?.id ?? row.run.id}`;
    case 'submission':
      return `submission\n${row.submission.id}`;
    case 'more':
      return 'more';
  }
}

/** Milliseconds for which a row says the same of the time. */
function staysFor(row: BatchRow, now: number): number {
  switch (row.kind) {
    case 'batch':
      return Math.min(ageStays(row.batch.created_at, now), ageStays(row.submission?.startedAt, now));
    case 'group':
      return Math.min(
        ...row.run.submissions.flatMap(({ startedAt, batch }) => [startedAt, batch?.created_at].map(at => ageStays(at, now))),
      );
    case 'submission':
      // What is looked for says more than its age.
      return 0;
    case 'more':
      return Number.POSITIVE_INFINITY;
  }
}
