import * as vscode from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import { commandLink } from '../../common/commands';
import type { PresentationContext, RowPresentation } from '../../common/presentation';
import { toLabel } from '../../common/text';
import { decorate, LoadMoreTreeItem, looksOf } from '../../common/treeItems';
import type { BatchReference, SubmissionReference } from '../../contributions';
import { presentBatch, presentSubmission } from './batchPresentation';
import type { BatchRow, BatchStore } from './batchStore';
import type { Submission } from './ledger/submission';

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
    this.command = commandLink('managedAgents.batch.open', vscode.l10n.t('Open Batch'), { connection, batchId: batch.id });
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
    if (submission.state === 'unknown') {
      this.command = commandLink('managedAgents.submission.resolve', vscode.l10n.t('Find Out What Happened'), {
        submissionId: submission.id,
      });
    }
  }
}

export type BatchesTreeItem = BatchTreeItem | SubmissionTreeItem | LoadMoreTreeItem;

/** The rows of a `BatchStore` as VS Code's tree. */
export class BatchesTreeDataProvider implements vscode.TreeDataProvider<BatchesTreeItem> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private drawn: string | undefined;

  constructor(
    private readonly store: BatchStore,
    private readonly context: () => PresentationContext,
    private readonly hoverOf: (item: BatchTreeItem) => Promise<string>,
  ) {}

  /** Has the rows drawn again when they look different. */
  refresh(): void {
    const looks = looksOf(this.getChildren());
    if (looks !== this.drawn) {
      this.drawn = looks;
      this.changed.fire();
    }
  }

  getTreeItem(item: BatchesTreeItem): vscode.TreeItem {
    return item;
  }

  getChildren(parent?: BatchesTreeItem): BatchesTreeItem[] {
    return parent === undefined ? this.store.rows().map(row => this.toItem(row)) : [];
  }

  getParent(): undefined {
    return undefined;
  }

  async resolveTreeItem(item: vscode.TreeItem, element: BatchesTreeItem): Promise<vscode.TreeItem> {
    if (element instanceof BatchTreeItem) {
      item.tooltip = new vscode.MarkdownString(await this.hoverOf(element));
    }
    return item;
  }

  /** The row of a batch, for revealing it. */
  find(reference: BatchReference): BatchTreeItem | undefined {
    return this.getChildren().find(
      (item): item is BatchTreeItem =>
        item instanceof BatchTreeItem && item.connection === reference.connection && item.batchId === reference.batchId,
    );
  }

  private toItem(row: BatchRow): BatchesTreeItem {
    switch (row.kind) {
      case 'batch':
        return new BatchTreeItem(row.connection, row.batch, row.submission, presentBatch(row.batch, row.submission, this.context()));
      case 'submission':
        return new SubmissionTreeItem(row.submission, presentSubmission(row.submission, this.context()));
      case 'more':
        return new LoadMoreTreeItem('more', row.problem, commandLink('managedAgents.batches.loadMore', vscode.l10n.t('Load More')));
    }
  }
}
