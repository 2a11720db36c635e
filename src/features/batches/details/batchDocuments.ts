import * as vscode from 'vscode';
import { describeError } from '../../../common/text/describeError';
import type { BatchOrRun } from '../runRow';
import type { BatchTexts } from './batchTexts';

const scheme = 'managed-agents-batch';

/** Read-only documents with the service's JSON of a batch, or of the batches of a run. */
export class BatchDocuments {
  constructor(
    private readonly texts: Pick<BatchTexts, 'json' | 'isKnown'>,
    private readonly changed: vscode.EventEmitter<vscode.Uri>,
  ) {}

  /** Returns the text of a document. Retrieves a batch that is not known yet. */
  async content(uri: vscode.Uri): Promise<string> {
    const reference = parse(uri);
    try {
      return await this.texts.json(reference);
    } catch (error) {
      return vscode.l10n.t('This batch could not be retrieved: {0}', describeError(error));
    }
  }

  /** Opens the JSON of a batch or run. */
  async open(reference: BatchOrRun): Promise<void> {
    const uri = toUri(reference);
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  /** Refreshes open documents, except those that would need a request to the service. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === scheme && this.texts.isKnown(parse(uri))) {
        this.changed.fire(uri);
      }
    }
  }
}

function toUri({ connection, batchId, runId }: BatchOrRun): vscode.Uri {
  const name = (runId === undefined ? batchId : `run-${runId.slice(0, 8)}`).replaceAll('/', '_');
  return vscode.Uri.from({ scheme, path: `/${name}.json`, query: JSON.stringify([connection, batchId, runId]) });
}

function parse(uri: vscode.Uri): BatchOrRun {
  try {
    const [connection, batchId, runId] = JSON.parse(uri.query) as unknown[];
    return { connection: String(connection), batchId: String(batchId), ...(typeof runId === 'string' && { runId }) };
  } catch {
    return { connection: '', batchId: '' };
  }
}
