import * as vscode from 'vscode';
import type { BatchOrGroup } from './batchCommands';

const scheme = 'managed-agents-batch';

/** Where the texts come from, of a batch or a group; asks the service for a batch that is not known yet. */
export interface BatchContent {
  page(reference: BatchOrGroup): Promise<string>;
  json(reference: BatchOrGroup): Promise<string>;
}

/** Read-only documents of a batch or a group: its page in Markdown and the object, or the objects, as the service answered. */
export class BatchDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  constructor(private readonly content: BatchContent) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const reference = parse(uri);
    try {
      return uri.path.endsWith('.json') ? await this.content.json(reference) : await this.content.page(reference);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return vscode.l10n.t('This batch could not be retrieved: {0}', reason);
    }
  }

  /** Shows the page in VS Code's Markdown preview. */
  async openPage(reference: BatchOrGroup): Promise<void> {
    const uri = toUri(reference, '.md');
    this.changed.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  /** Shows the object as JSON. */
  async openJson(reference: BatchOrGroup): Promise<void> {
    const uri = toUri(reference, '.json');
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  /** Renders again whatever of these is open, unless the service would have to be asked for it. */
  refresh(isKnown: (reference: BatchOrGroup) => boolean): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === scheme && isKnown(parse(uri))) {
        this.changed.fire(uri);
      }
    }
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

function toUri({ connection, batchId, runId }: BatchOrGroup, extension: string): vscode.Uri {
  const name = (runId === undefined ? batchId : `group-${runId.slice(0, 8)}`).replaceAll('/', '_');
  return vscode.Uri.from({ scheme, path: `/${name}${extension}`, query: JSON.stringify([connection, batchId, runId]) });
}

function parse(uri: vscode.Uri): BatchOrGroup {
  try {
    const [connection, batchId, runId] = JSON.parse(uri.query) as unknown[];
    return { connection: String(connection), batchId: String(batchId), ...(typeof runId === 'string' && { runId }) };
  } catch {
    return { connection: '', batchId: '' };
  }
}
