import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';
import type { SubmissionRegistry } from '../../ledger';
import { requestFileSelector } from '../documents/requestFile';
import type { RestingCursors } from '../lenses/restingCursors';
import { isJoinedResults } from './joinedSources';

// A burst of changes in the registry is one.
const moveDelay = 120;

/** Lenses of joined results: the table at the top, and at the cursor the way back to its request. */
export class ResultsCodeLensProvider implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable;
  private moveTimer: NodeJS.Timeout | undefined;
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly registry: Pick<SubmissionRegistry, 'all' | 'onDidChange'>,
    private readonly cursors: RestingCursors,
  ) {
    const refresh = () => this.refreshSoon();
    this.subscriptions = combine(
      vscode.languages.registerCodeLensProvider(requestFileSelector, this),
      registry.onDidChange(refresh),
      onDidChangeSettings(['managedAgents.editor.codeLens'], refresh),
      cursors.onDidChange(refresh),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { uri } = document;
    if (!isJoinedResults(this.registry.all(), uri.fsPath) || !readSetting('managedAgents.editor.codeLens', document)) {
      return [];
    }
    const { t } = vscode.l10n;
    const top = new vscode.Range(0, 0, 0, 0);
    const table = commandLink('managedAgents.results.show', lensTitle('table', t('Results Table')), uri);
    const title = lensTitle('go-to-file', t('Go to Request'));
    return [
      new vscode.CodeLens(top, table),
      ...this.cursors
        .lines(document)
        .filter(line => document.lineAt(line).text.startsWith('{"custom_id":'))
        .map(
          line =>
            new vscode.CodeLens(new vscode.Range(line, 0, line, 0), commandLink('managedAgents.answer.goToRequest', title, uri, line)),
        ),
    ];
  }

  private refreshSoon(): void {
    this.moveTimer ??= setTimeout(() => {
      this.moveTimer = undefined;
      this.changed.fire();
    }, moveDelay);
  }

  dispose(): void {
    clearTimeout(this.moveTimer);
    this.subscriptions.dispose();
    this.changed.dispose();
  }
}
