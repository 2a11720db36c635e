import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { Debounce } from '../../../common/documents/documentChecks';
import { isShown, onDidChangeShown } from '../../../common/documents/tabs';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import { OffsetMap } from '../../../jsonl/pretty/offsetMap';
import { toLine } from '../../../jsonl/pretty/prettyLine';
import { toDiagnostic } from '../checking/requestDiagnostics';
import { requestScheme } from '../documents/requestUri';
import type { EditingDependencies } from '../editingDependencies';

const settleMs = 250;

/** Problems that VS Code's JSON service finds in every JSON document. For requests, its schema only completes and explains. */
const jsonRules: ReadonlySet<string> = new Set(['json-syntax', 'duplicate-key']);

interface Found {
  readonly all: readonly vscode.Diagnostic[];
  shown: readonly vscode.Diagnostic[];
}

/** Shows the problems of single request documents, without those that VS Code's JSON service already shows. */
export class LensProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('managedAgentsRequest');
  private readonly found = new Map<string, Found>();
  private readonly debounce = new Debounce();
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly deps: EditingDependencies,
    /** Returns the source of a document, whose settings apply. */
    private readonly sourceOf: (uri: vscode.Uri) => vscode.Uri | undefined,
  ) {
    const checkAll = () => {
      for (const document of vscode.workspace.textDocuments) {
        this.later(document, 0);
      }
    };
    this.subscriptions = combine(
      this.collection,
      this.debounce,
      vscode.workspace.onDidOpenTextDocument(document => this.later(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.later(document, settleMs)),
      vscode.workspace.onDidCloseTextDocument(document => this.forget(document)),
      onDidChangeShown(() => {
        for (const document of vscode.workspace.textDocuments) {
          if (document.uri.scheme === requestScheme && isShown(document.uri) !== this.found.has(document.uri.toString())) {
            this.later(document, 0);
          }
        }
      }),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) {
          this.show(uri);
        }
      }),
      onDidChangeSettings(['managedAgents.editor.problems'], checkAll),
      deps.rules.onDidChange(checkAll),
    );
    checkAll();
  }

  private later(document: vscode.TextDocument, ms: number): void {
    if (document.uri.scheme === requestScheme) {
      this.debounce.run(document.uri.toString(), ms, () => this.check(document));
    }
  }

  private check(document: vscode.TextDocument): void {
    if (document.isClosed || !isShown(document.uri)) {
      this.forget(document);
      return;
    }
    const all = readSetting('managedAgents.editor.problems', this.sourceOf(document.uri)) ? this.problemsOf(document) : [];
    this.found.set(document.uri.toString(), { all, shown: [] });
    this.collection.delete(document.uri);
    this.show(document.uri);
  }

  private problemsOf(document: vscode.TextDocument): vscode.Diagnostic[] {
    const text = document.getText();
    const result = toLine(text, '');
    // The JSON service reports an unclosed string.
    const line = 'line' in result ? result.line : '';
    const { problems } = checkRequestLine(line, 0, this.deps.rules.options(this.sourceOf(document.uri)));
    const map = problems.length === 0 ? undefined : OffsetMap.between(line, text);
    return problems.flatMap(problem => {
      if (map === undefined) {
        return [];
      }
      const start = map.map(problem.start);
      const end = problem.end > problem.start ? map.map(problem.end - 1) + 1 : start;
      const diagnostic = toDiagnostic(problem, document.uri);
      diagnostic.range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      return [diagnostic];
    });
  }

  private show(uri: vscode.Uri): void {
    const found = uri.scheme === requestScheme ? this.found.get(uri.toString()) : undefined;
    if (found === undefined || found.all.length === 0) {
      return;
    }
    const others = vscode.languages.getDiagnostics(uri).filter(other => !found.all.some(({ source }) => source === other.source));
    const shown = found.all.filter(diagnostic => !isReportedByOther(diagnostic, others));
    if (shown.length !== found.shown.length || shown.some((diagnostic, index) => diagnostic !== found.shown[index])) {
      found.shown = shown;
      this.collection.set(uri, shown);
    }
  }

  private forget({ uri }: vscode.TextDocument): void {
    this.debounce.cancel(uri.toString());
    if (this.found.delete(uri.toString())) {
      this.collection.delete(uri);
    }
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

/**
 * Returns whether another diagnostic of at least this severity reports the same problem: at the same range, or for broken syntax, which
 * each parser reports elsewhere, anywhere.
 */
function isReportedByOther({ code, range, severity }: vscode.Diagnostic, others: readonly vscode.Diagnostic[]): boolean {
  const rule = String(typeof code === 'object' ? code.value : code);
  return (
    jsonRules.has(rule) &&
    others.some(other => other.severity <= severity && (rule === 'json-syntax' || other.range.intersection(range) !== undefined))
  );
}
