import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';
import { fileKindOf } from '../../../jsonl/scanning/fileKind';
import type { SubmissionRegistry } from '../../ledger';
import { firstLines, requestFileSelector } from '../documents/requestFile';
import type { RestingCursors } from '../lenses/restingCursors';
import { isJoinedResults } from './joinedSources';

// A burst of changes in the registry is one.
const moveDelay = 120;

/** Lenses of results: the table at the top, and of those that are known here at the cursor the way back to its request. */
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
    const isOurs = isJoinedResults(this.registry.all(), uri.fsPath);
    const isShown = isOurs || (uri.scheme === 'file' && fileKindOf([...firstLines(document)]) === 'results');
    if (!isShown || !readSetting('managedAgents.editor.codeLens', document)) {
      return [];
    }
    const { t } = vscode.l10n;
    const top = new vscode.Range(0, 0, 0, 0);
    const table = commandLink('managedAgents.results.show', lensTitle('table', t('Results Table')), uri);
    const title = lensTitle('go-to-file', t('Go to Request'));
    return [
      new vscode.CodeLens(top, table),
      ...(isOurs ? this.cursors.lines(document) : [])
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
