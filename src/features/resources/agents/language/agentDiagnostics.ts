import * as vscode from 'vscode';
import { combine } from '../../../../common/disposables';
import { createDiagnostic, toRange } from '../../../../common/documents/documentChecks';
import { Throttle } from '../../../../common/lists/throttle';
import { onDidChangeSettings, readSetting } from '../../../../common/settings';
import { parseResourceUri } from '../../documents/resourceUri';
import { findProblems, groupsOf } from './agentProblems';
import { readReferences } from './agentReferences';
import { type KnownNames, incompleteCacheDuration, noNames, type ServiceNames } from './serviceNames';

/** Maximum length of an agent document, in characters. Larger documents are ignored. */
const maxCharacters = 2_000_000;

/** Reports problems in visible, editable agent documents: at once those of the text itself, and later names that the service lacks. */
export class AgentDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('managedAgents.agent');
  private readonly checking = new Throttle(() => this.checkAll());
  private readonly rounds = new Map<string, object>();
  private readonly subscriptions: vscode.Disposable;

  /** `connectionOf` returns the connection against which a document is checked. */
  constructor(
    private readonly names: ServiceNames,
    private readonly documents: vscode.DocumentSelector,
    private readonly connectionOf: (document: vscode.TextDocument) => string | undefined,
  ) {
    const soon = () => this.checkSoon();
    this.subscriptions = combine(
      this.collection,
      this.checking,
      vscode.window.onDidChangeVisibleTextEditors(soon),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.isOurs(document) && this.checkSoon()),
      onDidChangeSettings(['managedAgents.editor.problems'], soon),
    );
    this.checkSoon();
  }

  checkSoon(): void {
    this.checking.ask();
  }

  dispose(): void {
    this.rounds.clear();
    this.subscriptions.dispose();
  }

  private checkAll(): void {
    const visible = new Map(
      vscode.window.visibleTextEditors
        .filter(({ document }) => this.isOurs(document) && readSetting('managedAgents.editor.problems', document.uri))
        .map(({ document }) => [document.uri.toString(), document]),
    );
    for (const key of [...this.rounds.keys()].filter(one => !visible.has(one))) {
      this.rounds.delete(key);
      this.collection.delete(vscode.Uri.parse(key));
    }
    for (const [key, document] of visible) {
      void this.check(key, document);
    }
  }

  private async check(key: string, document: vscode.TextDocument): Promise<void> {
    const round = {};
    this.rounds.set(key, round);
    const { version } = document;
    const read = readReferences(document.getText());
    const connection = this.connectionOf(document);
    const isCurrent = () => this.rounds.get(key) === round && document.version === version;
    const find = (known: KnownNames) => findProblems(read, known, connection ?? '', vscode.l10n.t);
    const known = () => (connection === undefined ? noNames : this.names.known(connection));
    this.show(document, find(known()));
    if (connection === undefined) {
      return;
    }
    await this.names.refresh(connection, groupsOf(read));
    const lacking = isCurrent() ? find(known()).flatMap(problem => problem.lacking ?? []) : [];
    // Reads lists again that lack a name: it may have been created since they were read.
    await this.names.refresh(connection, lacking, incompleteCacheDuration);
    if (isCurrent()) {
      this.show(document, find(known()));
    }
  }

  private show(document: vscode.TextDocument, problems: ReturnType<typeof findProblems>): void {
    this.collection.set(
      document.uri,
      problems.map(problem => createDiagnostic(toRange(document, problem), problem.message, vscode.DiagnosticSeverity.Warning)),
    );
  }

  /** Returns whether a document is an editable agent: problems of an old version can't be fixed. */
  private isOurs(document: vscode.TextDocument): boolean {
    const location = parseResourceUri(document.uri);
    return (
      vscode.languages.match(this.documents, document) > 0 &&
      !(location?.view === 'edit' && location.reference.kind === 'agentVersion') &&
      document.getText().length <= maxCharacters
    );
  }
}
