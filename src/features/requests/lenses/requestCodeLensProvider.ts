import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { lensTitle } from '../../../common/text/lensTitle';
import { describeSince } from '../../../common/text/presentation';
import { views } from '../../../contributions';
import { reviewCount } from '../../../jsonl/results/resultsReport';
import { describeFacts } from '../../../jsonl/results/resultsSummary';
import { toProblemCount } from '../../../shared/text';
import type { Connections } from '../../connection';
import { toPendingTitle } from '../answers/answerHover';
import { toReference } from '../answers/answerRuns';
import type { DocumentAnswers } from '../answers/documentAnswers';
import type { LineAnswer } from '../answers/lineAnswer';
import { countProblems } from '../checking/problemsPresentation';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { requestFileSelector } from '../documents/requestFile';
import { toCreateTitle, toReviewCount } from './lensPresentation';
import type { RestingCursors } from './restingCursors';

const topOfFile = new vscode.Range(0, 0, 0, 0);
/** How many things the row of a file tells where it is shared; with those of the request they fit an editor of 600 pixels. */
const mostBrief = 2;

/**
 * Lenses of request files: one row at the top for the file, and one for the request at the cursor. No other line has any, so a line costs
 * one row, and no size of the file costs more.
 */
export class RequestCodeLensProvider implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly documents: RequestDocuments,
    private readonly connections: Connections,
    private readonly answers: DocumentAnswers,
    private readonly cursors: RestingCursors,
  ) {
    const refresh = () => this.changed.fire();
    this.subscriptions = combine(
      vscode.languages.registerCodeLensProvider(requestFileSelector, this),
      documents.onDidOpen(refresh),
      documents.onDidChange(refresh),
      documents.onDidClose(refresh),
      answers.onDidChange(refresh),
      connections.onDidChange(refresh),
      connections.served.onDidChange(refresh),
      onDidChangeSettings(['managedAgents.editor.codeLens', 'managedAgents.editor.problems', 'managedAgents.editor.answers'], refresh),
      cursors.onDidChange(refresh),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const file = this.documents.get(document);
    if (file === undefined || !readSetting('managedAgents.editor.codeLens', document)) {
      return [];
    }
    const { version } = document;
    const lines = this.cursors.lines(document).filter(line => isRequest(file, line));
    const answers = readSetting('managedAgents.editor.answers', document) ? await this.answers.look(file, lines) : undefined;
    // The request of the first line shares the row of the file, which would be cut in a small window.
    const isShared = lines.includes(0);
    const hasNews = this.answers.shown(file) !== undefined || this.answers.pending(file).length > 0;
    const isBrief = isShared && (hasNews || this.told(file, false).length > 1);
    return [
      ...this.fileLenses(file, isShared, isBrief),
      ...lines.flatMap(line => lineLenses(document.uri, { line, version, isBrief: isBrief && line === 0 }, answers?.get(line))),
    ];
  }

  /** What the file is and has become, as far as it matters now; all else that one can do with it is behind the last. */
  private fileLenses(file: OpenRequestFile, isShared: boolean, isBrief: boolean): vscode.CodeLens[] {
    const { t } = vscode.l10n;
    const { uri } = file.document;
    const { totals } = file.requests;
    const create =
      totals === undefined || isBrief
        ? t('Create Batch')
        : toCreateTitle(totals.requests, isShared ? undefined : totals.bodyBytes, t, vscode.env.language);
    const commands: vscode.Command[] = [
      ...(this.hasNoBatches ? [] : [commandLink('managedAgents.batch.create', lensTitle('cloud-upload', create), uri)]),
      ...this.told(file, isBrief),
      { ...commandLink('managedAgents.fileActions.choose', t('More...'), uri), tooltip: t('All that can be done with this file') },
    ];
    return commands.map(command => new vscode.CodeLens(topOfFile, command));
  }

  /** How things are with the file; where there is little room the first two, and its problems, which the editor shows, last. */
  private told(file: OpenRequestFile, isBrief: boolean): readonly vscode.Command[] {
    const connection = this.connectionCommands();
    const problems = problemCommands(file);
    const results = this.resultCommands(file, isBrief);
    const outcome = [...this.pendingCommands(file, isBrief && results.length > 0), ...results];
    return isBrief ? [...connection, ...outcome, ...problems].slice(0, mostBrief) : [...connection, ...problems, ...outcome];
  }

  private connectionCommands(): readonly vscode.Command[] {
    const { t } = vscode.l10n;
    if (this.connections.current !== undefined && !this.hasNoBatches) {
      return [];
    }
    const title = lensTitle('plug', this.hasNoBatches ? t('This service has no batches') : t('No connection'));
    return [{ ...commandLink('managedAgents.connection.switch', title), tooltip: t('Choose the connection of this window') }];
  }

  private get hasNoBatches(): boolean {
    const { current, served } = this.connections;
    return current !== undefined && served.has(current, 'batches') === false;
  }

  /** What was sent last, as long as it has no results on this machine. */
  private pendingCommands(file: OpenRequestFile, isBrief: boolean): readonly vscode.Command[] {
    const { t } = vscode.l10n;
    const [pending] = this.answers.pending(file);
    if (pending === undefined) {
      return [];
    }
    const { batch, batchId, connection, group } = pending;
    if (batch?.processing_status === 'ended' && batchId !== undefined && group === undefined) {
      const fetch = commandLink('managedAgents.batch.fetchResults', lensTitle('cloud-download', t('Fetch Results')), {
        connection,
        batchId,
      });
      return [{ ...fetch, tooltip: t('The batch has ended. Fetch its results.') }];
    }
    const words = toPendingTitle(pending, isBrief, { translate: t, locale: vscode.env.language, now: Date.now() });
    return [{ title: lensTitle('watch', words), command: `${views.batches}.focus`, tooltip: t('Show the Batches view') }];
  }

  /** What the results come to, and what one does about those that need a look unless that is under way. */
  private resultCommands(file: OpenRequestFile, isBrief: boolean): readonly vscode.Command[] {
    const { t } = vscode.l10n;
    const { language } = vscode.env;
    const { uri } = file.document;
    const shown = this.answers.shown(file);
    if (shown === undefined) {
      return [];
    }
    const { report } = shown.results;
    const [run] = shown.runs;
    const since = describeSince(run?.startedAt, { translate: t, locale: language, now: Date.now() });
    const toReview = reviewCount(report);
    const facts = describeFacts(report, { translate: t, locale: language });
    const outcome = toReview > 0 && isBrief ? toReviewCount(toReview, t, language) : facts;
    const title = lensTitle('comment-discussion', shown.isChosen === true ? t('Run of {0}: {1}', since, outcome) : outcome);
    const tooltip = t('Show the results as a table: {0}', facts);
    const isRetryNext = toReview > 0 && this.answers.pending(file).length === 0;
    return [
      {
        ...commandLink('managedAgents.results.show', title, toReference(shown), undefined, toReview > 0 ? 'attention=any' : undefined),
        tooltip,
      },
      ...(isRetryNext ? [commandLink('managedAgents.retry.plan', lensTitle('redo', t('Send Again...')), uri)] : []),
    ];
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.changed.dispose();
  }
}

function isRequest({ requests }: OpenRequestFile, line: number): boolean {
  const kind = requests.checker?.lineInfo(line)?.kind;
  return kind === 'request' || kind === 'params';
}

function problemCommands({ document, requests: { totals } }: OpenRequestFile): readonly vscode.Command[] {
  const { t } = vscode.l10n;
  if (totals === undefined) {
    return [{ title: t('Checking…'), command: '' }];
  }
  if (!readSetting('managedAgents.editor.problems', document) || countProblems(totals.problemCounts) === 0) {
    return [];
  }
  const icon = totals.problemCounts.error > 0 ? 'error' : 'warning';
  return [
    {
      title: lensTitle(icon, toProblemCount(totals.problemCounts, t, vscode.env.language)),
      tooltip: t('Show the problems of this file in the Problems view'),
      command: 'workbench.panel.markers.view.focus',
    },
  ];
}

/** What can be done with one request and its answer. */
function lineLenses(
  uri: vscode.Uri,
  { line, version, isBrief }: { readonly line: number; readonly version: number; readonly isBrief: boolean },
  answer: LineAnswer | undefined,
): vscode.CodeLens[] {
  const { t } = vscode.l10n;
  const commands: vscode.Command[] = [
    {
      ...commandLink('managedAgents.request.run', lensTitle('play', isBrief ? t('Run') : t('Run This Request')), uri, line, version),
      tooltip: t('Send this request alone and show its answer'),
    },
    {
      ...commandLink('managedAgents.request.edit', lensTitle('edit', t('Edit')), uri, line, version),
      tooltip: t('Edit this request as a JSON document; saving writes it back into its line'),
    },
  ];
  if (answer?.entry !== undefined) {
    commands.push(
      {
        ...commandLink('managedAgents.answer.open', lensTitle('comment', t('Open Answer')), uri, line, version),
        tooltip: t('Open the whole answer'),
      },
      // In the first line stands already what leads to the results.
      ...(line === 0
        ? []
        : [commandLink('managedAgents.answer.showInResults', lensTitle('table', t('Show in Results')), uri, line, version)]),
    );
  } else if (answer?.isMissing === true) {
    commands.push(commandLink('managedAgents.results.show', lensTitle('table', t('Show Results')), uri));
  }
  return commands.map(command => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command));
}
