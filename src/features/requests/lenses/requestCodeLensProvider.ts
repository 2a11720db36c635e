import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';
import { views } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import type { Connections } from '../../connection';
import { toPendingTitle } from '../answers/answerHover';
import { toAnswerLine } from '../answers/answerPresentation';
import type { DocumentAnswers } from '../answers/documentAnswers';
import { failingKindOf } from '../answers/failingAnswers';
import { countProblems, toProblemCount } from '../checking/problemsPresentation';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { requestFileSelector } from '../documents/requestFile';
import { areCovered, countNeedingLook, toAnswersSummary, toCreateTitle, toLensLines, toOutcome } from './lensPresentation';
import { spansOf } from './spansOf';

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

  /**
   * Answers stand behind their lines, where long lines hide them: those say it in a lens too. What needs a look says so in a lens
   * wherever it stands, with what can be done about it.
   */
  private async answerLenses(file: OpenRequestFile, lines: readonly number[]): Promise<vscode.CodeLens[]> {
    const { document } = file;
    const { version } = document;
    if (!readSetting('managedAgents.editor.answers', document)) {
      return [];
    }
    const isLong = new Set(lines.filter(line => document.lineAt(line).text.length > longLine));
    const answers = await this.answers.look(file, lines);
    const found = [...(answers ?? [])].filter(
      ([line, { entry, isMissing }]) => isMissing || (entry !== undefined && (isLong.has(line) || failingKindOf(entry) !== undefined)),
    );
    const entries = found.flatMap(([, { entry }]) => entry ?? []);
    const previews = await this.answers.previews(file, entries);
    const words = new Map(entries.map(({ row }, index) => [row, previews[index] ?? '']));
    return found.flatMap(([line, answer]) => {
      const { entry } = answer;
      const title = toAnswerLine(answer, words.get(entry?.row ?? -1) ?? '', vscode.l10n.t, vscode.env.language);
      const at = new vscode.Range(line, 0, line, 0);
      if (entry === undefined) {
        return [new vscode.CodeLens(at, commandLink('managedAgents.results.show', escapeIcons(title), document.uri))];
      }
      const open = new vscode.CodeLens(at, {
        ...commandLink('managedAgents.answer.open', escapeIcons(title), document.uri, line, version),
        tooltip: vscode.l10n.t('Open the whole answer'),
      });
      if (failingKindOf(entry) === undefined) {
        return [open];
      }
      const show = lensTitle('table', vscode.l10n.t('Show in Results'));
      return [open, new vscode.CodeLens(at, commandLink('managedAgents.answer.showInResults', show, document.uri, line, version))];
    });
  }

  /** What the results of a file come to, and where they lead. */
  private resultLenses(file: OpenRequestFile): vscode.CodeLens[] {
    const { t } = vscode.l10n;
    const { language } = vscode.env;
    const { uri } = file.document;
    const top = new vscode.Range(0, 0, 0, 0);
    const lenses: vscode.CodeLens[] = [];
    const shown = this.answers.shown(file);
    if (shown !== undefined) {
      const { report } = shown.results;
      const title = lensTitle('comment-discussion', toOutcome(report, t, language));
      const tooltip = t('Show the results as a table: {0}', toAnswersSummary(report, t, language));
      lenses.push(
        new vscode.CodeLens(top, {
          ...commandLink('managedAgents.results.show', title, uri, undefined, countNeedingLook(report) > 0 ? 'attention=any' : undefined),
          tooltip,
        }),
      );
      if (countNeedingLook(report) > 0) {
        lenses.push(
          new vscode.CodeLens(top, commandLink('managedAgents.answer.nextFailed', lensTitle('arrow-down', t('Next Failed')))),
          new vscode.CodeLens(top, commandLink('managedAgents.retry.plan', lensTitle('redo', t('Plan Retry')), uri)),
        );
      }
    }
    const [pending] = this.answers.pending(file);
    if (pending !== undefined) {
      const title = lensTitle('watch', toPendingTitle(pending, { translate: t, locale: language, now: Date.now() }));
      const { batch, batchId, connection, group } = pending;
      const isFetchable = batch?.processing_status === 'ended' && batchId !== undefined && group === undefined;
      lenses.push(
        new vscode.CodeLens(
          top,
          isFetchable
            ? { ...commandLink('managedAgents.batch.fetchResults', title, { connection, batchId }), tooltip: t('Fetch the results') }
            : { title, command: `${views.batches}.focus`, tooltip: t('Show the Batches view') },
        ),
      );
    }
    return lenses;
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
    lenses.push(...this.resultLenses(file));
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
