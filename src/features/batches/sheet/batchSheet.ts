import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import type { FromWebview, SheetWish } from '../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../shared/text';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { nameOf } from '../submitting/createBatchTarget';
import { askUserProfile } from './askUserProfile';
import { confirmMany } from './confirmMany';
import { currentDestination } from './destination';
import { gatherFacts } from './gatherFacts';
import type { Outgoing } from './outgoing';
import { isReady, isToConvert, type SheetFacts } from './presentation/sheetFacts';
import { toSheetView } from './presentation/toSheetView';
import type { Sending } from './sending';
import { runAct } from './sheetActs';
import { SheetKnowledge } from './sheetKnowledge';
import { SheetPanel } from './sheetPanel';
import type { Checked } from './sheetTruth';
import { SurveyRun } from './surveyRun';
import { watchForSheet } from './watchForSheet';

export interface BatchSheetOptions extends CreateBatchDependencies {
  readonly target: vscode.Uri;
  readonly wish: SheetWish | undefined;
  /** False if only a check was wanted: nothing is asked about the connection then. */
  readonly isToSend: boolean;
  /** Panel that a reloaded window restored. */
  readonly brought: vscode.WebviewPanel | undefined;
  /** Column of another sheet that is open. */
  readonly otherColumn: () => vscode.ViewColumn | undefined;
  /** Shows the sheet of a file, and lets a batch be created from there. */
  readonly showSheet: (file: vscode.Uri) => Promise<void>;
  readonly onDispose: () => void;
  /** An act of the user that failed. */
  readonly onError: (error: unknown) => void;
}

/**
 * The sheet of one file: checks and surveys the file, keeps its view up to date, and sends the shown requests once when the user says so.
 * Deletes its prepared copies when it is disposed.
 */
export class BatchSheet implements vscode.Disposable {
  private readonly lifetime = new AbortController();
  private readonly fileName: string;
  private readonly knowledge: SheetKnowledge;
  private readonly survey: SurveyRun;
  private panel: SheetPanel | undefined;
  private subscriptions: vscode.Disposable | undefined;
  private isSending = false;
  private sending: Sending | undefined;
  /** Key of the last survey. */
  private surveyed: string | undefined;
  /** Part of a group and its state that is shown. */
  private shownTurn: string | undefined;

  constructor(private readonly options: BatchSheetOptions) {
    const { target, wish } = options;
    this.fileName = nameOf(target);
    this.knowledge = new SheetKnowledge(
      {
        ...{ target, wish, deps: options },
        lifetime: this.lifetime.signal,
        isSending: () => this.isSending,
        onReady: () => this.open(),
        onChange: () => this.draw(),
        onProgress: share => this.panel?.progress(share),
        onPrepared: () => {
          const { name } = this.survey.state;
          if (surveyKeyOf(this.knowledge.outgoing) !== this.surveyed || (name !== 'done' && name !== 'stopped')) {
            this.safely(this.runSurvey());
          }
        },
      },
      options.isToSend,
    );
    this.survey = new SurveyRun({
      jobs: options.jobs,
      lifetime: this.lifetime.signal,
      onChange: () => this.draw(),
      onProgress: share => this.panel?.progress(share),
    });
  }

  /** Checks the file and shows the sheet. Throws when it cannot be read, or the user turned back: there is no sheet then. */
  async start(): Promise<void> {
    try {
      const { brought, isToSend, connections } = this.options;
      // A reload is no moment to ask for a connection or a key.
      await this.knowledge.check(isToSend, brought && currentDestination(connections));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** False while the user is still asked for a connection. */
  get isShown(): boolean {
    return this.panel !== undefined;
  }

  /** Brings the sheet to the front, checked again where it is no longer true. */
  async reveal(wish: SheetWish | undefined, isToSend: boolean): Promise<void> {
    this.panel?.reveal();
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
    this.panel?.dispose();
    if (this.isSending) {
      this.sending?.showElsewhere(this.fileName);
    } else {
      this.knowledge.discard();
    }
    this.options.onDispose();
  }

  /** Surveys the requests to send. */
  private async runSurvey(): Promise<void> {
    const { checked, outgoing } = this.knowledge;
    const isWorthIt =
      checked !== undefined && outgoing !== undefined && outgoing.requestCount > 0 && !isToConvert(this.facts(), checked.report);
    this.surveyed = surveyKeyOf(outgoing);
    await this.survey.start(isWorthIt ? outgoing.content.path : undefined, outgoing?.selected?.lines);
    await this.knowledge.refreshChanges();
  }

  private async act(message: Exclude<FromWebview, { type: 'ready' }>): Promise<void> {
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
      case 'setUserProfile':
        return await this.setUserProfile();
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

  /** Asks for the user profile, and checks the file again, because a request may contradict the profile. */
  private async setUserProfile(): Promise<void> {
    const { connections } = this.options;
    const { connection } = this.knowledge.checked?.destination ?? currentDestination(connections);
    if (connection !== undefined) {
      await askUserProfile(connections, connection);
      await this.knowledge.checkAgain();
    }
  }

  /** Sends what the sheet of this revision shows, once; not when anything of it is no longer true. */
  private async create(revision: number): Promise<void> {
    const { options, knowledge } = this;
    const { checked, outgoing } = knowledge;
    const connection = checked?.destination.connection;
    const isAsShown = () => revision === knowledge.revision && isReady(this.facts());
    const isWanted = isAsShown() && (await confirmMany(this.facts())) && isAsShown();
    if (!isWanted || checked === undefined || outgoing === undefined || connection === undefined) {
      return;
    }
    this.isSending = true;
    this.draw();
    let begun: Sending | undefined;
    let outcome: Awaited<Sending['outcome']> | undefined;
    try {
      begun = (await knowledge.isStillTrue()) ? await this.send(checked, outgoing, connection.name) : undefined;
      outcome = await begun?.outcome;
    } catch (error) {
      knowledge.fail(error);
    }
    this.isSending = false;
    this.sending = undefined;
    if (outcome === undefined && !this.lifetime.signal.aborted) {
      this.draw();
      this.safely(knowledge.refreshRuns());
      return;
    }
    this.dispose();
    // The sheet may have been closed meanwhile.
    knowledge.discard();
    if (outcome !== undefined) {
      const { showSent } = await import('../groups/showSent');
      await showSent(options, options.target, outcome);
    }
  }

  private async send(checked: Checked, outgoing: Outgoing, connection: string): Promise<Sending | undefined> {
    const { beginSending } = await import('./sending');
    await this.knowledge.noteRetry(outgoing);
    const sending = await beginSending(this.options, checked, outgoing, {
      ...{ connection, target: this.options.target, repeats: this.knowledge.repeats, survey: this.survey.state },
      isClosed: () => this.lifetime.signal.aborted,
      onProgress: () => this.showSent(),
    });
    if (sending !== undefined) {
      this.survey.stop();
      this.sending = sending;
      this.draw();
    }
    return sending;
  }

  private showSent(): void {
    const { share = 0, part } = this.sending?.state ?? {};
    const turn = part && `${part.index} ${part.isWaiting}`;
    if (share < 1 && turn === this.shownTurn) {
      this.panel?.progress(share);
    } else {
      this.shownTurn = turn;
      this.draw();
    }
  }

  private open(): void {
    if (this.panel !== undefined) {
      return;
    }
    const { target, log, otherColumn, brought, extension } = this.options;
    this.panel = new SheetPanel({
      ...{ target, extension, brought },
      title: vscode.l10n.t('Create Batch - {0}', toLabel(this.fileName, 60)),
      otherColumn: otherColumn(),
      state: { target: target.toString(), shownAt: Date.now(), wish: this.knowledge.wish },
      onMessage: message => {
        this.act(message).catch(error => this.options.onError(error));
      },
      onClose: () => this.dispose(),
      warn: message => log.warn(message),
    });
    this.subscriptions = this.watch();
    this.draw();
  }

  /** Column of the panel. */
  get column(): vscode.ViewColumn | undefined {
    return this.panel?.column;
  }

  /** Shows changes at once, and checks a saved file again. */
  private watch(): vscode.Disposable {
    const { knowledge } = this;
    const { target, connections, registry } = this.options;
    return watchForSheet({
      ...{ target, connections, registry },
      onChange: () => this.safely(knowledge.refreshChanges()),
      onSave: () => this.safely(knowledge.checkSaved()),
      onServed: () => this.draw(),
      onPrices: () => this.draw(),
      onMinimum: () => this.safely(this.runSurvey()),
      onSubmission: ({ source, sha256, follows }) => {
        if (source === target.toString() || sha256 === knowledge.outgoing?.report.sha256 || follows !== undefined) {
          this.safely(knowledge.refreshRuns());
        }
      },
    });
  }

  /** Logs the failure of work that nobody awaits. */
  private safely(work: Promise<void>): void {
    work.catch(error => this.options.log.error('A sheet could not be brought up to date', error));
  }

  private draw(): void {
    if (this.panel === undefined || this.lifetime.signal.aborted) {
      return;
    }
    this.panel.show(toSheetView(this.facts(), { translate: vscode.l10n.t, locale: vscode.env.language }));
  }

  private facts(): SheetFacts {
    const { options, fileName, knowledge, survey, isSending, sending } = this;
    return gatherFacts(options, { fileName, knowledge, survey: survey.state, isSending, sending: sending?.state });
  }
}

function surveyKeyOf(outgoing: Outgoing | undefined): string | undefined {
  return outgoing && `${outgoing.report.sha256} ${outgoing.selected?.lines.join() ?? ''}`;
}
