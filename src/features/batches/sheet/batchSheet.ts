import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import type { FromWebview, SheetMode } from '../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../shared/text';
import type { ChosenRequests } from '../submitting/chosenRequests';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { nameOf } from '../submitting/createBatchTarget';
import { askUserProfile } from './askUserProfile';
import { confirmMany } from './confirmMany';
import { currentDestination } from './destination';
import { gatherFacts } from './gatherFacts';
import { toSheetState } from './keptRequests';
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
  readonly mode: SheetMode;
  /** With this only these of its requests are sent. */
  readonly chosen: ChosenRequests | undefined;
  /** What a reloaded window brought back. */
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
 * The sheet of one file: checks it, surveys it, keeps what it shows true, and sends what it shows once when the user says so.
 * What was prepared to be sent is discarded with it.
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
  /** Of a group, the part and its state that the sheet tells of. */
  private shownTurn: string | undefined;

  constructor(private readonly options: BatchSheetOptions) {
    this.fileName = nameOf(options.target);
    this.knowledge = new SheetKnowledge({
      ...options,
      lifetime: this.lifetime.signal,
      isSending: () => this.isSending,
      onReady: () => this.open(),
      onChange: () => this.draw(),
      onProgress: share => this.panel?.progress(share),
      onChecked: isOther => {
        const { name } = this.survey.state;
        if (isOther || (name !== 'done' && name !== 'stopped')) {
          this.safely(this.runSurvey());
        }
      },
    });
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
      const { brought, mode, connections } = this.options;
      // A reload is no moment to ask for a connection or a key.
      await this.knowledge.check(mode, brought && currentDestination(connections));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Whether there is anything to bring to the front: until then the user is asked where a batch goes. */
  get isShown(): boolean {
    return this.panel !== undefined;
  }

  /** Whether it is about these requests, or about the whole file. */
  isAbout(chosen: ChosenRequests | undefined): boolean {
    const { chosen: mine } = this.options;
    if (this.isSending || mine === chosen) {
      return true;
    }
    const isSame = mine?.sha256 === chosen?.sha256 && JSON.stringify(mine?.compared) === JSON.stringify(chosen?.compared);
    return isSame && mine?.lines.join() === chosen?.lines.join();
  }

  /** Brings the sheet to the front, checked again where it is no longer true. */
  async reveal(mode: SheetMode): Promise<void> {
    if (this.isSending) {
      void showInformation(vscode.l10n.t('A batch is being created from {0} already.', toLabel(this.fileName, 80)));
      this.panel?.reveal();
      return;
    }
    this.panel?.reveal();
    const { knowledge } = this;
    await knowledge.refreshChanges();
    if ((mode === 'create' && knowledge.mode === 'estimate') || knowledge.changes.length > 0) {
      await knowledge.checkAgain(mode === 'create' ? 'create' : knowledge.mode);
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

  /** Not awaited where the user goes on meanwhile. What was surveyed may have changed in between. */
  private async runSurvey(): Promise<void> {
    const { checked } = this.knowledge;
    const isWorthIt = checked !== undefined && checked.report.requestCount > 0 && !isToConvert(this.facts(), checked.report);
    await this.survey.start(isWorthIt ? checked.content.path : undefined, checked?.outgoing.selected?.lines);
    await this.knowledge.refreshChanges();
  }

  private async act(message: Exclude<FromWebview, { type: 'ready' }>): Promise<void> {
    switch (message.type) {
      case 'create':
        return await this.create(message.revision);
      case 'close':
        return this.dispose();
      case 'checkAgain':
        return await this.knowledge.checkAgain();
      case 'stopSending':
        return this.sending?.cancel();
      case 'stopEstimate':
        return this.survey.stop();
      case 'startEstimate':
        return await this.runSurvey();
      case 'setUserProfile':
        return await this.setUserProfile();
      default: {
        const { checked, repeats } = this.knowledge;
        const { state } = this.survey;
        if (checked !== undefined) {
          await runAct(message, {
            ...{ ...this.options, ...checked, repeats, creating: this.options, sheetColumn: this.column, lifetime: this.lifetime.signal },
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
    const { checked } = knowledge;
    const connection = checked?.destination.connection;
    const isAsShown = () => revision === knowledge.revision && isReady(this.facts());
    if (!isAsShown() || !(await confirmMany(this.facts())) || !isAsShown() || checked === undefined || connection === undefined) {
      return;
    }
    this.isSending = true;
    this.draw();
    let begun: Sending | undefined;
    let outcome: Awaited<Sending['outcome']> | undefined;
    try {
      begun = (await knowledge.isStillTrue()) ? await this.send(checked, connection.name) : undefined;
      outcome = await begun?.outcome;
    } catch (error) {
      knowledge.fail(error);
    }
    this.isSending = false;
    this.sending = undefined;
    if (outcome === undefined && !this.lifetime.signal.aborted) {
      this.draw();
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

  private async send(checked: Checked, connection: string): Promise<Sending | undefined> {
    const { beginSending } = await import('./beginSending');
    const sending = await beginSending(this.options, checked, {
      connection,
      repeats: this.knowledge.repeats,
      survey: this.survey.state,
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
    const { target, log, otherColumn, brought, chosen, extension } = this.options;
    this.panel = new SheetPanel({
      ...{ target, extension, brought },
      title: this.title,
      otherColumn: otherColumn(),
      state: toSheetState(target, this.knowledge.mode, chosen, Date.now()),
      onMessage: message => {
        this.act(message).catch(error => this.options.onError(error));
      },
      onClose: () => this.dispose(),
      warn: message => log.warn(message),
    });
    this.subscriptions = this.watch();
    this.draw();
  }

  /** Where it is shown. */
  get column(): vscode.ViewColumn | undefined {
    return this.panel?.column;
  }

  private get title(): string {
    const name = toLabel(this.fileName, 60);
    return this.knowledge.mode === 'create' ? vscode.l10n.t('Create Batch - {0}', name) : vscode.l10n.t('Estimate - {0}', name);
  }

  /** What changes under the sheet it says at once; what was saved is checked again. */
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
      onSubmission: ({ sha256 }) => {
        if (sha256 === knowledge.checked?.report.sha256 && !this.isSending) {
          this.safely(knowledge.refreshRepeats());
        }
      },
    });
  }

  /** For what nobody waits for. */
  private safely(work: Promise<void>): void {
    work.catch(error => this.options.log.error('A sheet could not be brought up to date', error));
  }

  private draw(): void {
    if (this.panel === undefined || this.lifetime.signal.aborted) {
      return;
    }
    this.panel.setTitle(this.title);
    this.panel.show(toSheetView(this.facts(), { translate: vscode.l10n.t, locale: vscode.env.language }));
  }

  private facts(): SheetFacts {
    const { options, fileName, knowledge, survey, isSending, sending } = this;
    return gatherFacts(options, { fileName, knowledge, survey: survey.state, isSending, sending: sending?.state });
  }
}
