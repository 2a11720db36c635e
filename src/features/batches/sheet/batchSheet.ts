import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { isCancellation } from '../../../common/cancellation';
import { readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import { needsConversion } from '../../../jsonl/scanning/looksLikeBatch';
import type { FromWebview } from '../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { readFirstLines } from '../../requests';
import type { ChosenRequests } from '../submitting/chosenRequests';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { nameOf } from '../submitting/createBatchTarget';
import { chooseDestination, currentDestination, type Destination, describeSwitch } from './destination';
import { toOutgoing } from './outgoing';
import { toPastOutput } from './pastOutput';
import { placeOfSheet } from './placeOfSheet';
import { discardContent, type PreparedContent, prepareContent } from './preparedContent';
import { readPrices } from './presentation/estimateMoney';
import { isToConvert, type SheetFacts, sendability, shareOf } from './presentation/sheetFacts';
import { toSheetView } from './presentation/toSheetView';
import type { Sending } from './sending';
import { runAct } from './sheetActs';
import { SheetPanel } from './sheetPanel';
import { type Checked, findChanges, findRepeats, statesOf } from './sheetTruth';
import { SurveyRun } from './surveyRun';
import { watchForSheet } from './watchForSheet';

export interface BatchSheetOptions extends CreateBatchDependencies {
  readonly target: vscode.Uri;
  readonly mode: 'create' | 'estimate';
  /** With this only these of its requests are sent. */
  readonly chosen: ChosenRequests | undefined;
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
  private mode: 'create' | 'estimate';
  private panel: SheetPanel | undefined;
  private subscriptions: vscode.Disposable | undefined;
  private checked: Checked | undefined;
  private checking: AbortController | undefined;
  private readonly survey: SurveyRun;
  private repeats: readonly Submission[] = [];
  private changes: readonly string[] = [];
  private notice: string | undefined;
  private isSending = false;
  private sending: Sending | undefined;
  /** Of a group, the part and its state that the sheet tells of. */
  private shownTurn: string | undefined;
  private revision = 0;

  constructor(private readonly options: BatchSheetOptions) {
    this.mode = options.mode;
    this.fileName = nameOf(options.target);
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
      await this.check(this.mode);
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
  async reveal(mode: 'create' | 'estimate'): Promise<void> {
    if (this.isSending) {
      void showInformation(vscode.l10n.t('A batch is being created from {0} already.', toLabel(this.fileName, 80)));
      this.panel?.reveal();
      return;
    }
    this.panel?.reveal();
    await this.refreshChanges();
    if ((mode === 'create' && this.mode === 'estimate') || this.changes.length > 0) {
      await this.checkAgain(mode === 'create' ? 'create' : this.mode);
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
    }
    if (this.checked !== undefined && !this.isSending) {
      discardContent(this.options.registry, this.checked.content);
    }
    this.options.onDispose();
  }

  /** Checks the file for where a batch of it goes; without a destination that is asked for when it is not known. */
  private async check(mode: 'create' | 'estimate', known?: Destination): Promise<void> {
    const { registry, connections, jobs, target, chosen } = this.options;
    this.checking?.abort();
    const mine = new AbortController();
    this.checking = mine;
    const signal = AbortSignal.any([mine.signal, this.lifetime.signal]);
    let content: PreparedContent | undefined;
    try {
      this.draw();
      const destination = known ?? (mode === 'create' ? await chooseDestination(connections) : currentDestination(connections));
      await registry.load();
      content = await prepareContent(registry, target);
      signal.throwIfAborted();
      this.open();
      const { path } = content;
      const rules = this.options.rules.options(target);
      const terms = { limits: destination.limits, rules };
      const report = await jobs.checkFile(path, terms, { signal, onProgress: progress => this.panel?.progress(shareOf(progress)) });
      const isForeign = needsConversion(await readFirstLines(path));
      signal.throwIfAborted();
      const before = this.checked;
      const outgoing = toOutgoing(jobs, report, destination.limits, chosen);
      this.checked = { content, report, outgoing, isForeign, destination, severities: JSON.stringify(rules.severities) };
      content = undefined;
      this.mode = mode;
      if (before !== undefined) {
        discardContent(registry, before.content);
      }
      this.repeats = await this.findRepeats();
      this.notice = undefined;
      this.changes = await this.findChanges();
      this.revision++;
      const { name } = this.survey.state;
      if (before?.report.sha256 !== report.sha256 || (name !== 'done' && name !== 'stopped')) {
        this.safely(this.runSurvey());
      }
    } finally {
      if (content !== undefined) {
        discardContent(registry, content);
      }
      if (this.checking === mine) {
        this.checking = undefined;
        this.draw();
      }
    }
  }

  /** Checks again; what goes wrong is told in the sheet. */
  private async checkAgain(mode = this.mode, known?: Destination): Promise<void> {
    try {
      await this.check(mode, known);
    } catch (error) {
      if (!this.lifetime.signal.aborted && this.checking === undefined) {
        await this.refreshChanges();
        if (!isCancellation(error)) {
          this.changes = [toLabel(describeError(error), 500)];
          this.draw();
        }
      }
    }
  }

  /** Not awaited where the user goes on meanwhile. What was surveyed may have changed in between. */
  private async runSurvey(): Promise<void> {
    const { checked } = this;
    const isWorthIt = checked !== undefined && checked.report.requestCount > 0 && !isToConvert(this.facts(), checked.report);
    await this.survey.start(isWorthIt ? checked.content.path : undefined);
    await this.refreshChanges();
  }

  private async act(message: Exclude<FromWebview, { type: 'ready' }>): Promise<void> {
    switch (message.type) {
      case 'create':
        return await this.create(message.revision);
      case 'close':
        return this.dispose();
      case 'checkAgain':
        return await this.checkAgain();
      case 'stopSending':
        return this.sending?.cancel();
      case 'stopEstimate':
        return this.survey.stop();
      case 'startEstimate':
        return await this.runSurvey();
      default: {
        const { checked, repeats } = this;
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

  /** Sends what the sheet of this revision shows, once; not when anything of it is no longer true. */
  private async create(revision: number): Promise<void> {
    const { checked, options } = this;
    if (this.isSending || this.checking !== undefined || revision !== this.revision || this.mode !== 'create' || checked === undefined) {
      return;
    }
    const { content, report, destination, outgoing } = checked;
    const { connection } = destination;
    const isRefused = sendability(report, outgoing) === 'no' || isToConvert(this.facts(), report);
    if (connection === undefined || isRefused || this.changes.length > 0) {
      return;
    }
    this.isSending = true;
    this.draw();
    let begun: Sending | undefined;
    let outcome: Awaited<Sending['outcome']> | undefined;
    try {
      begun = (await this.isStillTrue()) ? await this.send(checked, connection.name) : undefined;
      outcome = await begun?.outcome;
    } catch (error) {
      this.changes = [toLabel(describeError(error), 500)];
    }
    this.isSending = false;
    this.sending = undefined;
    if (outcome === undefined && !this.lifetime.signal.aborted) {
      this.draw();
      return;
    }
    this.dispose();
    // The sheet may have been closed meanwhile.
    discardContent(options.registry, content);
    if (outcome !== undefined) {
      const { showSent } = await import('../groups/showSent');
      await showSent(options, options.target, outcome);
    }
  }

  private async send(checked: Checked, connection: string): Promise<Sending | undefined> {
    const { beginSending } = await import('./beginSending');
    const sending = await beginSending(this.options, checked, {
      connection,
      repeats: this.repeats,
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

  /** Looks once more at everything that the sheet tells, at the last moment; what is another now is shown. */
  private async isStillTrue(): Promise<boolean> {
    this.changes = await this.findChanges();
    const repeats = await this.findRepeats();
    if (statesOf(repeats) !== statesOf(this.repeats)) {
      this.repeats = repeats;
      this.revision++;
      this.notice = vscode.l10n.t('Nothing was sent: something else is known of this content now. Look at it first.');
      return false;
    }
    return this.changes.length === 0;
  }

  private findRepeats(): Promise<readonly Submission[]> {
    return findRepeats(this.options, this.checked);
  }

  private findChanges(): Promise<readonly string[]> {
    return findChanges(this.options, this.checked, this.mode);
  }

  private async refreshChanges(): Promise<void> {
    const { checked } = this;
    const changes = await this.findChanges();
    if (checked === this.checked && !this.isSending && changes.join() !== this.changes.join()) {
      this.changes = changes;
      this.draw();
    }
  }

  private async refreshRepeats(): Promise<void> {
    const repeats = await this.findRepeats();
    if (!this.isSending && statesOf(repeats) !== statesOf(this.repeats)) {
      this.repeats = repeats;
      this.revision++;
      this.draw();
    }
  }

  private open(): void {
    if (this.panel !== undefined) {
      return;
    }
    const { target, log, otherColumn } = this.options;
    const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const isFileShown = shown instanceof vscode.TabInputText && shown.uri.toString() === target.toString();
    const place = placeOfSheet({ isFileShown, groups: vscode.window.tabGroups.all.length, otherSheet: otherColumn() });
    this.panel = new SheetPanel({
      title: this.title,
      column: place === 'beside' ? vscode.ViewColumn.Beside : place === 'active' ? vscode.ViewColumn.Active : place,
      extension: this.options.extension,
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
    return this.mode === 'create' ? vscode.l10n.t('Create Batch - {0}', name) : vscode.l10n.t('Estimate - {0}', name);
  }

  /** What changes under the sheet it says at once; what was saved is checked again. */
  private watch(): vscode.Disposable {
    const { target, connections, registry } = this.options;
    return watchForSheet({
      ...{ target, connections, registry },
      onChange: () => this.safely(this.refreshChanges()),
      onSave: () => {
        const { checked, mode } = this;
        if (!this.isSending && checked !== undefined) {
          // A save is no answer to where it goes now, and no moment to ask for a key.
          const isSwitched = describeSwitch(checked.destination, connections, mode === 'create') !== undefined;
          this.safely(isSwitched ? this.refreshChanges() : this.checkAgain(mode, checked.destination));
        }
      },
      onPrices: () => this.draw(),
      onMinimum: () => this.safely(this.runSurvey()),
      onSubmission: ({ sha256 }) => {
        if (sha256 === this.checked?.report.sha256 && !this.isSending) {
          this.safely(this.refreshRepeats());
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
    const { checked, revision, mode, fileName, repeats, changes, notice, isSending } = this;
    const destination = checked?.destination ?? currentDestination(this.options.connections);
    const { connection, host, limits } = destination;
    const { chosen, registry } = this.options;
    return {
      ...{ revision, mode, fileName, repeats, changes, notice, isSending, limits },
      isForeign: checked?.isForeign ?? false,
      sending: this.sending?.state,
      outgoing: checked?.outgoing,
      chosen: chosen && { description: chosen.description, ...(chosen.note && { note: chosen.note.text }) },
      past: toPastOutput(registry.all(), connection?.name),
      survey: this.survey.state,
      fromEditor: checked?.content.fromEditor ?? false,
      connection: connection && { name: connection.name, host },
      report: checked?.report,
      isChecking: this.checking !== undefined,
      prices: readPrices(readSetting('managedAgents.estimate.prices')),
      currency: readSetting('managedAgents.estimate.currency'),
      minimumCachedTokens: readSetting('managedAgents.estimate.minimumCachedTokens'),
    };
  }
}
