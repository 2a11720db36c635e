import * as vscode from 'vscode';
import { describeError } from '../../../common/text/describeError';
import { type BatchOrRun, parseReference } from '../runRow';
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
      return vscode.l10n.t("Couldn't read: {0}", describeError(error));
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

function toUri(reference: BatchOrRun): vscode.Uri {
  const { batchId, runId } = reference;
  const name = (runId === undefined ? batchId : `run-${runId.slice(0, 8)}`).replaceAll('/', '_');
  return vscode.Uri.from({ scheme, path: `/${name}.json`, query: JSON.stringify(reference) });
}

function parse({ query }: vscode.Uri): BatchOrRun {
  try {
    return parseReference(JSON.parse(query)) ?? nothing;
  } catch {
    return nothing;
  }
}

const nothing: BatchOrRun = { connection: '', batchId: '' };
