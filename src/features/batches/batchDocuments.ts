import * as vscode from 'vscode';
import type { BatchReference } from '../../contributions';

const scheme = 'managed-agents-batch';

/** Read-only documents of a batch: its page in Markdown and the object as the service answered it. */
export class BatchDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly content: {
      page(reference: BatchReference): string | undefined;
      json(reference: BatchReference): string | undefined;
    },
  ) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    const reference = parse(uri);
    const text = uri.path.endsWith('.json') ? this.content.json(reference) : this.content.page(reference);
    return text ?? vscode.l10n.t('This batch is not known in this window. Refresh the Batches view and open it again.');
  }

  /** Shows the page in VS Code's Markdown preview. */
  async openPage(reference: BatchReference): Promise<void> {
    const uri = toUri(reference, '.md');
    this.changed.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  /** Shows the object as JSON. */
  async openJson(reference: BatchReference): Promise<void> {
    const uri = toUri(reference, '.json');
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  /** Renders again whatever of these is open. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === scheme) {
        this.changed.fire(uri);
      }
    }
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

function toUri({ connection, batchId }: BatchReference, extension: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${batchId.replaceAll('/', '_')}${extension}`, query: JSON.stringify([connection, batchId]) });
}

function parse(uri: vscode.Uri): BatchReference {
  try {
    const [connection, batchId] = JSON.parse(uri.query) as unknown[];
    return { connection: String(connection), batchId: String(batchId) };
  } catch {
    return { connection: '', batchId: '' };
  }
}
