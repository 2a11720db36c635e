import * as vscode from 'vscode';
import type { PresentationContext } from '../../../common/text/presentation';
import type { Submission, SubmissionRegistry } from '../../ledger';
import { baseName } from '../sourceNames';
import { toStepsPage } from './stepsPage';

const scheme = 'managed-agents-steps';

/** Read-only pages of the history of submissions, refreshed at every change. */
export class StepsDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor(private readonly registry: Pick<SubmissionRegistry, 'find' | 'onDidChange'>) {
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      registry.onDidChange(({ id }) => this.refresh(id)),
      this.changed,
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const submission = this.registry.find(uri.query);
    const context: PresentationContext = { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
    return submission === undefined ? vscode.l10n.t('This run is no longer on this machine.') : toStepsPage(submission, context);
  }

  /** Shows the page of a submission in VS Code's Markdown preview. */
  async open({ id, source }: Submission): Promise<void> {
    const name = baseName(source).replace(/[^\p{L}\p{N}_. ()-]/gu, '_');
    const uri = vscode.Uri.from({ scheme, path: `/${name}.md`, query: id });
    this.changed.fire(uri);
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private refresh(id: string): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === scheme && uri.query === id) {
        this.changed.fire(uri);
      }
    }
  }
}
