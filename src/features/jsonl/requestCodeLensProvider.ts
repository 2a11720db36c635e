import * as vscode from 'vscode';
import { commandLink } from '../../common/commands';
import { combine } from '../../common/disposables';
import { lensTitle } from '../../common/lensTitle';
import { onDidChangeSettings, readSetting } from '../../common/settings';
import { toLabel } from '../../common/text';
import type { Connections } from '../connection/connection';
import { toAnswerLine } from './answerPresentation';
import type { DocumentAnswers } from './documentAnswers';
import { areCovered, type LineSpan, toAnswersSummary, toCreateTitle, toLensLines } from './lensPresentation';
import { countProblems, toProblemCount } from './problemsPresentation';
import type { OpenRequestFile, RequestDocuments } from './requestDocuments';
import { requestFileSelector } from './requestFile';

// Scrolling and moving the cursor ask for new lenses at most this often.
const moveDelay = 120;
// Characters of a line behind which even a narrow editor shows some words.
const longLine = 60;

/**
 * Lenses of request files: what the file is and can become at the top, and Run at the request lines near the cursor and on
 * screen. The number of lenses built at once is bounded, whatever the size of the file.
 */
export class RequestCodeLensProvider implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly covered = new WeakMap<vscode.TextDocument, ReadonlySet<number>>();
  private readonly subscriptions: vscode.Disposable;
  private moveTimer: NodeJS.Timeout | undefined;
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly documents: RequestDocuments,
    private readonly connections: Connections,
    private readonly answers: DocumentAnswers,
  ) {
    const refresh = () => this.changed.fire();
    this.subscriptions = combine(
      vscode.languages.registerCodeLensProvider(requestFileSelector, this),
      documents.onDidOpen(refresh),
      documents.onDidChange(refresh),
      documents.onDidClose(refresh),
      answers.onDidChange(refresh),
      connections.onDidChange(refresh),
      onDidChangeSettings(['managedAgents.editor.codeLens', 'managedAgents.editor.problems', 'managedAgents.editor.answers'], refresh),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.follow(textEditor)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const file = this.documents.get(document);
    if (file === undefined || !readSetting('managedAgents.editor.codeLens', document)) {
      return [];
    }
    const lines = toLensLines(document.lineCount, spansOf(document));
    this.covered.set(document, new Set(lines));
    const lenses = [...this.topLenses(file), ...lines.flatMap(line => this.lineLens(file, line))];
    return [...lenses, ...(await this.answerLenses(file, lines))];
  }

  /** Answers stand behind their lines, where long lines hide them: those say it in a lens too. */
  private async answerLenses(file: OpenRequestFile, lines: readonly number[]): Promise<vscode.CodeLens[]> {
    const { document } = file;
    const { version } = document;
    if (!readSetting('managedAgents.editor.answers', document)) {
      return [];
    }
    const found = lines.flatMap(line => {
      const entry = document.lineAt(line).text.length > longLine ? this.answers.entryAt(file, line) : undefined;
      return entry === undefined ? [] : [{ line, entry }];
    });
    const previews = await this.answers.previews(
      file,
      found.map(({ entry }) => entry),
    );
    return found.map(({ line, entry }, index) => {
      const title = toAnswerLine(entry, previews[index] ?? '', vscode.l10n.t, vscode.env.language);
      return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
        ...commandLink('managedAgents.answer.open', escapeIcons(title), document.uri, line, version),
        tooltip: vscode.l10n.t('Open the whole answer'),
      });
    });
  }

  private topLenses(file: OpenRequestFile): vscode.CodeLens[] {
    const { t } = vscode.l10n;
    const { language } = vscode.env;
    const { uri } = file.document;
    const { totals } = file.requests;
    const top = new vscode.Range(0, 0, 0, 0);
    const create = totals === undefined ? t('Create Batch') : toCreateTitle(totals.requests, totals.bodyBytes, t, language);
    const lenses = [new vscode.CodeLens(top, commandLink('managedAgents.batch.create', lensTitle('cloud-upload', create), uri))];
    if (totals === undefined) {
      lenses.push(new vscode.CodeLens(top, { title: t('Checking…'), command: '' }));
    } else if (readSetting('managedAgents.editor.problems', file.document) && countProblems(totals.problemCounts) > 0) {
      const icon = totals.problemCounts.error > 0 ? 'error' : 'warning';
      const title = lensTitle(icon, toProblemCount(totals.problemCounts, t, language));
      lenses.push(
        new vscode.CodeLens(top, {
          title,
          tooltip: t('Show the problems of this file in the Problems view'),
          command: 'workbench.panel.markers.view.focus',
        }),
      );
    }
    const submission = this.answers.submissionOf(file);
    if (submission?.results !== undefined && submission.batchId !== undefined) {
      const title = lensTitle('comment-discussion', toAnswersSummary(submission.results.report, t, language));
      const target = { connection: submission.connection, batchId: submission.batchId };
      lenses.push(
        new vscode.CodeLens(top, {
          ...commandLink('managedAgents.batch.openResults', title, target),
          tooltip: t('Open the joined results of batch {0}', toLabel(submission.batchId)),
        }),
      );
    }
    const { current } = this.connections;
    const connection = current === undefined ? t('No connection') : escapeIcons(toLabel(current.name, 60));
    lenses.push(
      new vscode.CodeLens(top, {
        ...commandLink('managedAgents.connection.switch', lensTitle('plug', connection)),
        tooltip: t('Switch the connection of this window'),
      }),
    );
    return lenses;
  }

  private lineLens({ document, requests }: OpenRequestFile, line: number): vscode.CodeLens[] {
    const kind = requests.checker?.lineInfo(line)?.kind;
    if (kind !== 'request' && kind !== 'params') {
      return [];
    }
    const { uri, version } = document;
    const range = new vscode.Range(line, 0, line, 0);
    const run = lensTitle('play', vscode.l10n.t('Run This Request'));
    const edit = lensTitle('edit', vscode.l10n.t('Edit'));
    return [
      new vscode.CodeLens(range, commandLink('managedAgents.request.run', run, uri, line, version)),
      new vscode.CodeLens(range, {
        ...commandLink('managedAgents.request.edit', edit, uri, line, version),
        tooltip: vscode.l10n.t('Edit this request as a JSON document; saving writes it back into its line'),
      }),
    ];
  }

  private follow({ document }: vscode.TextEditor): void {
    const covered = this.covered.get(document);
    if (covered === undefined || areCovered(document.lineCount, spansOf(document), covered)) {
      return;
    }
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

/** A `$(name)` in words of others is no icon. */
function escapeIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/** What is visible or selected of a document, in all of its editors. */
function spansOf(document: vscode.TextDocument): readonly LineSpan[] {
  return vscode.window.visibleTextEditors
    .filter(editor => editor.document === document)
    .flatMap(editor => [
      ...editor.visibleRanges.map(range => ({ first: range.start.line, last: range.end.line })),
      ...editor.selections.map(selection => ({ first: selection.active.line, last: selection.active.line })),
    ]);
}
