import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { unlessCancelled } from '../../../common/cancellation';
import { combine } from '../../../common/disposables';
import { fileNameOf } from '../../../common/files/fileNameOf';
import type { RequestBudget } from '../../../common/lists/requestBudget';
import { PanelHost } from '../../../common/panels/panelHost';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import type { FileSurvey } from '../../../jsonl/survey/fileSurvey';
import { fromWebviewSchema } from '../../../shared/sheet/fromSheetSchema';
import type { FromWebview, SheetState, SheetWish, ToWebview } from '../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../shared/text';
import type { BatchDependencies } from '../batchDependencies';
import { clientOf, currentDestination } from '../destination';
import type { RunOutcome } from '../groups/sendRun';
import { showSent } from '../groups/showSent';
import type { OverLimit } from '../spendLimit';
import { collectFacts } from './collectFacts';
import { type CountedSample, countSample } from './countSample';
import { LatestWork } from './latestWork';
import { type HistoryQuery, historyStamp, readTokenHistory, type TokenHistory } from './prediction';
import type { Checked, Outgoing } from './preparedContent';
import { isLimitShown, isReady, isToConvert, limitOf, predictionOf, type SheetFacts, shareOf } from './presentation/sheetFacts';
import { toSheetView } from './presentation/toSheetView';
import { confirmBatchCount, Sending, toRunRequest } from './sending';
import { runAct } from './sheetActs';
import { SheetKnowledge } from './sheetKnowledge';
import { sheetViewType } from './whenNoSheet';

export interface BatchSheetOptions extends BatchDependencies {
  readonly target: vscode.Uri;
  readonly wish: SheetWish | undefined;
  /** False to only check the file. The user is then not asked for a connection. */
  readonly isToSend: boolean;
  readonly brought: vscode.WebviewPanel | undefined;
  readonly countBudget: (connection: string) => RequestBudget;
  readonly freeColumn: () => vscode.ViewColumn;
  readonly onDispose: () => void;
}

/**
 * The sheet of one file. Checks and surveys the file, keeps its view up to date, and sends the shown requests once the user decides to.
 * Deletes its prepared copies when it is disposed.
 */
export class BatchSheet implements vscode.Disposable {
  private readonly lifetime = new AbortController();
  readonly closed = new Promise<void>(resolve => this.lifetime.signal.addEventListener('abort', () => resolve()));
  private readonly fileName: string;
  private readonly knowledge: SheetKnowledge;
  private readonly survey: LatestWork<{ readonly survey: FileSurvey }>;
  private host: PanelHost<FromWebview, ToWebview> | undefined;
  private readonly count: LatestWork<CountedSample>;
  /** Name of the connection whose service counted the tokens. */
  private connection: string | undefined;
  private past: TokenHistory = new Map();
  private pastStamp = '';
  /** Spending limit shown after the first press of the send button. */
  private shownLimit: OverLimit | undefined;
  private subscriptions: vscode.Disposable | undefined;
  private isSending = false;
  private sending: Sending | undefined;
  private surveyed: string | undefined;
  /** Part and state of sending that were last shown. */
  private shownTurn: string | undefined;

  constructor(private readonly options: BatchSheetOptions) {
    const { target, wish } = options;
    this.fileName = fileNameOf(target);
    const shown = {
      lifetime: this.lifetime.signal,
      onChange: () => this.draw(),
      onProgress: (share: number) => this.showProgress(share),
    };
    this.knowledge = new SheetKnowledge(
      {
        ...{ ...shown, target, wish, deps: options },
        isSending: () => this.isSending,
        onReady: () => this.open(),
        onPrepared: () => {
          const { name } = this.survey.state;
          const connection = this.knowledge.checked?.destination.connection?.name;
          if (connection !== this.connection) {
            this.connection = connection;
            this.count.reset();
          }
          if (surveyKeyOf(this.knowledge.outgoing) !== this.surveyed || (name !== 'done' && name !== 'stopped')) {
            this.count.reset();
            this.safely(this.runSurvey());
          }
          this.safely(this.refreshPast());
        },
      },
      options.isToSend,
    );
    this.survey = new LatestWork(shown);
    this.count = new LatestWork(shown);
  }

  /** Checks the file and shows the sheet. Throws if the file can't be read or the user cancels. No sheet is shown then. */
  async start(): Promise<void> {
    try {
      const { brought, isToSend, connections } = this.options;
      // Reloading a window must not ask for a connection or a key.
      await this.knowledge.check(isToSend, brought && currentDestination(connections));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** False while the user is being asked for a connection. */
  get isShown(): boolean {
    return this.host !== undefined;
  }

  /** Reveals the sheet. Checks the file again if something relevant has changed. */
  async reveal(wish: SheetWish | undefined, isToSend: boolean): Promise<void> {
    this.host?.panel.reveal();
    if (this.isSending) {
      void showInformation(vscode.l10n.t('A batch is already being created from {0}.', toLabel(this.fileName, 80)));
      return;
    }
    const { knowledge } = this;
    await knowledge.refreshChanges();
    if ((isToSend && !knowledge.isToSend) || knowledge.changes.length > 0) {
      await knowledge.checkAgain(isToSend || knowledge.isToSend);
    }
    if (wish !== undefined) {
      await knowledge.choose(wish);
    }
  }

  dispose(): void {
    if (this.lifetime.signal.aborted) {
      return;
    }
    this.lifetime.abort();
    this.subscriptions?.dispose();
    this.host?.dispose();
    if (this.isSending) {
      this.sending?.showElsewhere(this.fileName);
    } else {
      this.knowledge.discard();
    }
    this.options.onDispose();
  }

  private async runSurvey(): Promise<void> {
    const { checked, outgoing } = this.knowledge;
    this.surveyed = surveyKeyOf(outgoing);
    if (checked === undefined || outgoing === undefined || outgoing.requestCount === 0 || isToConvert(this.facts(), checked.report)) {
      this.survey.reset();
    } else {
      const options = { minimumCachedTokens: readSetting('managedAgents.estimate.minimumCachedTokens'), lines: outgoing.selected?.lines };
      const source = { path: outgoing.content.path, options };
      await this.survey.start(async (signal, onShare) => ({
        survey: await this.options.jobs.run('surveyFile', source, { signal, onProgress: progress => onShare(shareOf(progress)) }),
      }));
    }
    await this.knowledge.refreshChanges();
  }

  private async act(message: Exclude<FromWebview, { readonly type: 'ready' }>): Promise<void> {
    const { knowledge } = this;
    switch (message.type) {
      case 'create':
        return await this.create(message.revision);
      case 'close':
        return this.dispose();
      case 'checkAgain':
        return await knowledge.checkAgain();
      case 'leadOn':
        return await knowledge.checkAgain(true);
      case 'choose':
        return await knowledge.choose(message);
      case 'stopSending':
        return this.sending?.cancel();
      case 'stopEstimate':
        return this.survey.stop();
      case 'startEstimate':
        return await this.runSurvey();
      case 'countSample':
        return await this.countSample();
      case 'stopCount':
        return this.count.reset();
      default: {
        const { state } = this.survey;
        if (knowledge.checked !== undefined) {
          await runAct(message, {
            ...{ ...this.options, ...knowledge.checked, knowledge, sheetColumn: this.column, lifetime: this.lifetime.signal },
            survey: state.name === 'done' ? state.survey : undefined,
          });
        }
      }
    }
  }

  /** Asks the destination service to count the tokens of a sample of the requests. */
  private async countSample(): Promise<void> {
    const { connections, jobs, countBudget } = this.options;
    const { checked, outgoing } = this.knowledge;
    const { connection } = checked?.destination ?? {};
    if (checked === undefined || outgoing === undefined || connection === undefined || this.count.state.name === 'running') {
      return;
    }
    const client = await clientOf(checked.destination, connections);
    if (client !== undefined && outgoing === this.knowledge.outgoing) {
      const address = { name: connection.name, baseUrl: client.baseUrl };
      const content = {
        ...{ jobs, client, path: outgoing.content.path, lines: outgoing.selected?.lines, sha256: outgoing.report.sha256 },
        budget: countBudget(connection.name),
        onServed: (isServed: boolean) => connections.served.note(address, 'tokenCounts', isServed),
      };
      await this.count.start((signal, onShare) => countSample(content, signal, onShare));
    }
  }

  private async refreshPast(): Promise<void> {
    const { registry, target } = this.options;
    const query: HistoryQuery = { source: target.toString(), connection: this.knowledge.checked?.destination.connection?.name };
    const stamp = historyStamp(registry, query);
    if (stamp !== this.pastStamp) {
      this.pastStamp = stamp;
      const past = await unlessCancelled(undefined, () => readTokenHistory(this.options, query, this.lifetime.signal));
      if (past !== undefined && stamp === this.pastStamp) {
        this.past = past;
        this.draw();
      }
    }
  }

  /** Sends the requests that the sheet shows at `revision`, exactly once. Sends nothing if the sheet has changed since. */
  private async create(revision: number): Promise<void> {
    const { options, knowledge } = this;
    const { checked, outgoing } = knowledge;
    const connection = checked?.destination.connection;
    const facts = this.facts();
    const exceeded = limitOf(facts);
    if (revision === knowledge.revision && isReady(facts) && exceeded !== undefined && !isLimitShown(exceeded, facts)) {
      this.shownLimit = exceeded;
      // Rejects a second press until the view with the limit is shown.
      knowledge.revision++;
      this.draw();
      return;
    }
    const isAsShown = () => revision === knowledge.revision && isReady(this.facts());
    const isWanted = isAsShown() && (await confirmBatchCount(this.facts())) && isAsShown();
    if (!isWanted || checked === undefined || outgoing === undefined || connection === undefined) {
      return;
    }
    this.isSending = true;
    this.draw();
    const outcome = await this.send(checked, outgoing, connection.name).catch((error: unknown) => {
      knowledge.fail(error);
      return undefined;
    });
    this.isSending = false;
    this.sending = undefined;
    if (outcome === undefined && !this.lifetime.signal.aborted) {
      this.draw();
      this.safely(knowledge.refreshRuns());
      return;
    }
    this.dispose();
    // If the sheet was closed while sending, its copies still exist.
    knowledge.discard();
    if (outcome !== undefined) {
      await showSent(options, options.target, outcome);
    }
  }

  /** Sends the requests. Sends nothing if the sheet was closed meanwhile or is out of date. */
  private async send({ destination }: Checked, outgoing: Outgoing, connection: string): Promise<RunOutcome | undefined> {
    const { options, knowledge } = this;
    if (!(await knowledge.isStillTrue())) {
      return undefined;
    }
    await knowledge.noteRetry(outgoing);
    const client = await clientOf(destination, options.connections);
    if (client === undefined || this.lifetime.signal.aborted) {
      return undefined;
    }
    const target = { source: options.target.toString(), connection, client };
    const request = toRunRequest(outgoing, target, knowledge.repeats, predictionOf(this.facts()));
    this.sending = new Sending(options, request, outgoing.selected?.lines, () => this.showSent());
    this.survey.stop();
    this.draw();
    return await this.sending.outcome;
  }

  private showSent(): void {
    const { share = 0, index = 0, isWaiting = false } = this.sending?.state ?? {};
    const turn = `${index} ${isWaiting}`;
    if (share < 1 && turn === this.shownTurn) {
      this.showProgress(share);
    } else {
      this.shownTurn = turn;
      this.draw();
    }
  }

  private open(): void {
    if (this.host !== undefined) {
      return;
    }
    const { target, log, freeColumn, brought, extension } = this.options;
    const state: SheetState = { target: target.toString(), shownAt: Date.now(), wish: this.knowledge.wish };
    this.host = new PanelHost<FromWebview, ToWebview>({
      ...{ extension, log, state, viewType: sheetViewType, bundle: 'sheet', hasFind: true, schema: fromWebviewSchema },
      panel: brought,
      title: brought?.title ?? vscode.l10n.t('Create Batch - {0}', toLabel(this.fileName, 60)),
      column: freeColumn(),
      onReady: () => {
        if (this.host?.panel.active === true) {
          // An earlier notification would cover the button that sends, and stays while the mouse is on it. A hidden notification remains in
          // the notification list.
          void vscode.commands.executeCommand('notifications.hideToasts');
        }
        this.draw();
      },
      onMessage: message => this.act(message),
      onDispose: () => this.dispose(),
    });
    this.subscriptions = this.watch();
    this.draw();
  }

  get column(): vscode.ViewColumn | undefined {
    return this.host?.column;
  }

  private showProgress(share: number): void {
    void this.host?.post({ type: 'progress', share });
  }

  private watch(): vscode.Disposable {
    const { knowledge } = this;
    const { target, connections, registry } = this.options;
    const isTarget = ({ uri }: { readonly uri: vscode.Uri }) => uri.toString() === target.toString();
    const onChange = () => this.safely(knowledge.refreshChanges());
    return combine(
      ...(target.scheme === 'file' ? [watchFile(target, onChange)] : []),
      vscode.workspace.onDidChangeTextDocument(({ document }) => isTarget(document) && onChange()),
      vscode.workspace.onDidCloseTextDocument(document => isTarget(document) && onChange()),
      vscode.workspace.onDidSaveTextDocument(document => isTarget(document) && this.safely(knowledge.checkSaved())),
      connections.onDidChange(onChange),
      connections.served.onDidChange(() => this.draw()),
      onDidChangeSettings(['managedAgents.rules'], onChange),
      onDidChangeSettings(['managedAgents.estimate.prices', 'managedAgents.estimate.currency', 'managedAgents.spend.limit'], () =>
        this.draw(),
      ),
      onDidChangeSettings(['managedAgents.estimate.minimumCachedTokens'], () => this.safely(this.runSurvey())),
      registry.onDidChange(({ source, sha256, follows }) => {
        this.safely(this.refreshPast());
        if (source === target.toString() || sha256 === knowledge.outgoing?.report.sha256 || follows !== undefined) {
          this.safely(knowledge.refreshRuns());
        }
      }),
    );
  }

  /** Logs the failure of work that nobody awaits. */
  private safely(work: Promise<void>): void {
    work.catch(error => this.options.log.error('A sheet could not be updated', error));
  }

  private draw(): void {
    if (this.host !== undefined && !this.lifetime.signal.aborted) {
      const view = toSheetView(this.facts(), { translate: vscode.l10n.t, locale: vscode.env.language });
      void this.host.post({ type: 'view', view });
    }
  }

  private facts(): SheetFacts {
    const { options, fileName, knowledge, survey, isSending, sending, past, count, shownLimit } = this;
    const states = { survey: survey.state, count: count.state, sending: sending?.state };
    return collectFacts(options, knowledge, { ...states, fileName, isSending, past, shownLimit });
  }
}

function watchFile(file: vscode.Uri, listener: () => void): vscode.Disposable {
  const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(file, '..'), fileNameOf(file).replace(/[[\]{}*?]/g, '?'));
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  return combine(watcher, watcher.onDidChange(listener), watcher.onDidCreate(listener), watcher.onDidDelete(listener));
}

function surveyKeyOf(outgoing: Outgoing | undefined): string | undefined {
  return outgoing && `${outgoing.report.sha256} ${outgoing.selected?.lines.join() ?? ''}`;
}
