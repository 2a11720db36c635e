import type * as vscode from 'vscode';
import { readEstimateSettings } from '../../../common/estimateSettings';
import type { Connections } from '../../connection';
import type { SubmissionRegistry } from '../../ledger';
import type { BatchTreeItem, GroupTreeItem } from '../batchesTreeDataProvider';
import type { BatchOrGroup } from '../batchCommands';
import type { BatchContext } from '../batchPresentation';
import type { BatchStore } from '../batchStore';
import { BatchDocuments } from './batchDocuments';
import { BatchPages } from './batchPages';
import { createBatchTexts } from './batchTexts';

export interface BatchDetailsDependencies {
  readonly connections: Connections;
  readonly registry: Pick<SubmissionRegistry, 'findByBatch' | 'all'>;
  readonly store: BatchStore;
  readonly presentation: () => BatchContext;
  /** Fired for a document whose text may be another one. */
  readonly changed: vscode.EventEmitter<vscode.Uri>;
}

/** All that is told of one batch or group: its hover, its page, and its JSON. */
export interface BatchDetails extends vscode.Disposable {
  hover(item: BatchTreeItem | GroupTreeItem): string;
  openPage(reference: BatchOrGroup): Promise<void>;
  openJson(reference: BatchOrGroup): Promise<void>;
  /** The text of a document of the scheme `managed-agents-batch`. */
  content(uri: vscode.Uri): Promise<string>;
  /** Shows a page in the panel that a reloaded window brought back. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  /** Draws what is open again. */
  refresh(): void;
}

/** The details of batches; everything in them is loaded when one of them is first asked for. */
export function createBatchDetails({ connections, registry, store, presentation, changed }: BatchDetailsDependencies): BatchDetails {
  const texts = createBatchTexts(connections, registry, store, presentation, readEstimateSettings);
  const pages = new BatchPages(texts);
  const documents = new BatchDocuments(texts, changed);
  return {
    hover: texts.hover,
    openPage: reference => pages.show(reference),
    openJson: reference => documents.open(reference),
    content: uri => documents.content(uri),
    restore: (panel, state) => pages.restore(panel, state),
    refresh: () => {
      pages.refresh();
      documents.refresh();
    },
    dispose: () => pages.dispose(),
  };
}
