import * as vscode from 'vscode';
import { isCancellation, unlessCancelled } from '../../../common/cancellation';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { describeError } from '../../../common/text/describeError';
import { needsConversion } from '../../../jsonl/scanning/fileKind';
import { isAboutSession } from '../../../shared/session/asking/sessionRequest';
import type { SheetChoice, SheetWish } from '../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../shared/text';
import { noteRetryFile, type Submission, toSelection } from '../../ledger';
import { readFirstLines } from '../../requests';
import type { BatchDependencies } from '../batchDependencies';
import { chooseDestination, currentDestination, type Destination, describeSwitch } from '../destination';
import { repeatsOf } from '../submitting/repeatsOf';
import { type Choices, type ChoicesQuery, findChoices, isAfterTrial, stampOfRuns, usualTrialSize } from './choices';
import {
  type Checked,
  describeChange,
  discardContent,
  type Outgoing,
  type PreparedContent,
  prepareContent,
  prepareRetry,
  toOutgoing,
} from './preparedContent';
import { shareOf } from './presentation/sheetFacts';

export interface SheetKnowledgeOptions {
  readonly deps: BatchDependencies;
  readonly target: vscode.Uri;
  /** Initial selection. Defaults to the requests left after a trial, or all. */
  readonly wish: SheetWish | undefined;
  readonly lifetime: AbortSignal;
  /** Returns whether the sheet is sending. The model does not change while the sheet is sending. */
  readonly isSending: () => boolean;
  /** Called once the file was read, so that the sheet can be shown. */
  readonly onReady: () => void;
  readonly onChange: () => void;
  /** Called with the share of the file that is checked, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly onPrepared: () => void;
}

/** Model of a sheet: the checked file, the choices, the requests to send, and changes since the check. */
export class SheetKnowledge {
  checked: Checked | undefined;
  /** Choices based on earlier runs. `undefined` until they are found. */
  choices: Choices | undefined;
  /** Selected requests. `undefined` if the initial selection doesn't exist, so that the user has to choose. */
  choice: SheetChoice | undefined;
  trialSize: number | undefined;
  /** The requests to send. `undefined` until they are prepared, or if there are none. */
  outgoing: Outgoing | undefined;
  isToSend: boolean;
  repeats: readonly Submission[] = [];
  changes: readonly string[] = [];
  notice: string | undefined;
  /** Increases with every change that the user has to see before sending. */
  revision = 0;
  private working: AbortController | undefined;
  private runId: string | undefined;
  private hasChosen = false;

  constructor(
    private readonly options: SheetKnowledgeOptions,
    isToSend: boolean,
  ) {
    this.isToSend = isToSend;
    this.choice = options.wish?.choice;
    this.trialSize = options.wish?.size;
    this.runId = options.wish?.runId;
  }

  get isChecking(): boolean {
    return this.working !== undefined;
  }

  get wish(): SheetWish | undefined {
    const { choice, trialSize: size, runId } = this;
    return choice === undefined ? this.options.wish : { choice, size, runId };
  }

  /**
   * Checks the file for its destination. With `isToSend`, asks for a missing destination. Throws if the file is unreadable or the user
   * cancels.
   */
  async check(isToSend: boolean, known?: Destination): Promise<void> {
    const { deps, target } = this.options;
    const { registry, connections } = deps;
    await this.work(async signal => {
      let content: PreparedContent | undefined;
      try {
        const destination = known ?? (isToSend ? await chooseDestination(connections) : currentDestination(connections));
        await registry.load();
        content = await prepareContent(registry, target);
        signal.throwIfAborted();
        this.options.onReady();
        const checked = await this.checkContent(content, destination, signal);
        content = undefined;
        this.discard();
        this.checked = checked;
        this.isToSend = isToSend;
        this.choices = undefined;
      } finally {
        if (content !== undefined) {
          discardContent(registry, content);
        }
      }
      await this.prepare(signal);
    });
    await this.findChoices();
  }

  /** Checks again and shows errors in the sheet. */
  async checkAgain(isToSend = this.isToSend, known?: Destination): Promise<void> {
    await this.showingErrors(() => this.check(isToSend, known));
  }

  /** Checks the file again after it was saved. A save must not ask for a destination or a key. */
  async checkSaved(): Promise<void> {
    const { checked, isToSend } = this;
    if (this.options.isSending() || checked === undefined) {
      return;
    }
    const isSwitched = describeSwitch(checked.destination, this.options.deps.connections, isToSend) !== undefined;
    await (isSwitched ? this.refreshChanges() : this.checkAgain(isToSend, checked.destination));
  }

  async choose({ choice, size, runId }: SheetWish): Promise<void> {
    if (this.options.isSending() || this.checked === undefined) {
      return;
    }
    if (runId !== undefined && runId !== this.runId) {
      this.runId = runId;
      this.choices = undefined;
    }
    this.choice = choice;
    this.trialSize = size ?? this.trialSize;
    await this.prepareAgain();
  }

  async prepareAgain(): Promise<void> {
    // A copy that is being sent must not be deleted.
    if (this.options.isSending()) {
      return;
    }
    await this.showingErrors(async () => {
      await this.work(signal => this.prepare(signal));
      await this.findChoices();
    });
  }

  /** Returns whether everything that the sheet shows still applies. Called right before sending. Shows any changes. */
  async isStillTrue(): Promise<boolean> {
    const { choices, choice, outgoing } = this;
    this.changes = await this.findChanges();
    const repeats = await this.findRepeats(outgoing);
    const isByRuns = choice !== 'all' && choice !== 'trial';
    if (statesOf(repeats) !== statesOf(this.repeats) || (isByRuns && choices?.stamp !== this.stamp())) {
      this.repeats = repeats;
      this.revision++;
      this.notice = vscode.l10n.t('Nothing was sent, because earlier runs have changed. Review the batch and send it again.');
      return false;
    }
    return this.changes.length === 0;
  }

  /** Records in the retried run that these requests were written from its results. */
  async noteRetry({ content, report, follows }: Outgoing): Promise<void> {
    if (follows?.purpose === 'retry') {
      const source = vscode.Uri.file(content.path).toString();
      await noteRetryFile(this.options.deps.registry, follows.runId, { source, sha256: report.sha256 });
    }
  }

  /** Replaces the changes with an error. Nothing can be sent until the file is checked again. */
  fail(error: unknown): void {
    this.changes = [toLabel(describeError(error), 500)];
  }

  async refreshChanges(): Promise<void> {
    const { checked } = this;
    const changes = await this.findChanges();
    if (checked === this.checked && !this.options.isSending() && changes.join() !== this.changes.join()) {
      this.changes = changes;
      this.options.onChange();
    }
  }

  async refreshRuns(): Promise<void> {
    if (this.options.isSending() || this.isChecking || this.checked === undefined) {
      return;
    }
    if (this.choices !== undefined && this.choices.stamp !== this.stamp()) {
      this.choices = undefined;
      await this.prepareAgain();
      return;
    }
    const { outgoing } = this;
    const repeats = await this.findRepeats(outgoing);
    if (outgoing === this.outgoing && !this.options.isSending() && statesOf(repeats) !== statesOf(this.repeats)) {
      this.repeats = repeats;
      this.revision++;
      this.options.onChange();
    }
  }

  discard(): void {
    const { registry } = this.options.deps;
    this.setOutgoing(undefined);
    if (this.checked !== undefined) {
      discardContent(registry, this.checked.content);
    }
  }

  private setOutgoing(outgoing: Outgoing | undefined): void {
    const before = this.outgoing;
    this.outgoing = outgoing;
    if (before !== undefined && before.content !== this.checked?.content) {
      discardContent(this.options.deps.registry, before.content);
    }
  }

  /** Cancels the running work and starts `run`. */
  private async work(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.working?.abort();
    const controller = new AbortController();
    this.working = controller;
    this.options.onChange();
    try {
      await run(AbortSignal.any([controller.signal, this.options.lifetime]));
    } finally {
      if (this.working === controller) {
        this.working = undefined;
        this.options.onChange();
      }
    }
  }

  private async showingErrors(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!this.options.lifetime.aborted && this.working === undefined) {
        await this.refreshChanges();
        if (!isCancellation(error)) {
          this.fail(error);
          this.options.onChange();
        }
      }
    }
  }

  private async checkContent(content: PreparedContent, destination: Destination, signal: AbortSignal): Promise<Checked> {
    const { deps, target, onProgress } = this.options;
    const rules = deps.rules.options(target);
    const terms = { limits: destination.limits, rules };
    const report = await deps.jobs.checkFile(content.path, terms, { signal, onProgress: progress => onProgress(shareOf(progress)) });
    const lines = await readFirstLines(content.path);
    signal.throwIfAborted();
    const kind = { isForeign: needsConversion(lines), isAboutSessions: isAboutSession(lines[0] ?? '') };
    return { content, report, ...kind, destination, severities: JSON.stringify(rules.severities) };
  }

  private async prepare(signal: AbortSignal): Promise<void> {
    const { deps } = this.options;
    if (!this.hasChosen) {
      this.hasChosen = true;
      this.choice ??= isAfterTrial(deps.registry, this.query()) ? 'rest' : 'all';
    }
    if (this.choice !== 'all' && this.choice !== 'trial') {
      this.choices ??= await findChoices(deps, this.query(), signal);
      signal.throwIfAborted();
      this.choice = this.available();
    }
    const outgoing = await this.prepareChosen(signal);
    if (signal.aborted && outgoing !== undefined && outgoing.content !== this.checked?.content) {
      discardContent(deps.registry, outgoing.content);
    }
    signal.throwIfAborted();
    this.setOutgoing(outgoing);
    this.repeats = await this.findRepeats(outgoing);
    this.notice = undefined;
    this.changes = await this.findChanges();
    this.revision++;
    this.options.onPrepared();
  }

  /** Returns the choice if its requests exist. Otherwise returns `rest` if a trial left requests, or `undefined`. */
  private available(): SheetChoice | undefined {
    const { choice, choices } = this;
    const isThere = choice === 'all' || choice === 'trial' || (choice !== undefined && choices?.[choice] !== undefined);
    return isThere ? choice : choices?.rest && 'rest';
  }

  private async prepareChosen(signal: AbortSignal): Promise<Outgoing | undefined> {
    const { choices, choice, checked } = this;
    const { deps, target } = this.options;
    const { jobs } = deps;
    if (checked === undefined || choice === undefined) {
      return undefined;
    }
    const { content, report, destination } = checked;
    const whole = { content, report, limits: destination.limits };
    switch (choice) {
      case 'all':
        return toOutgoing(jobs, whole);
      case 'trial': {
        const count = Math.max(1, Math.min(this.trialSize ?? usualTrialSize(report.requestCount), report.requestCount));
        const { lines, sha256 } = await jobs.run('drawLines', { path: content.path, seed: fileNameOf(target), count }, { signal });
        demandSame(sha256, report);
        return toOutgoing(jobs, { ...whole, chosen: { purpose: 'canary', lines } });
      }
      case 'retry': {
        const terms = { limits: destination.limits, rules: deps.rules.options(target) };
        return choices?.retry && choices.retry.choice.count > 0
          ? await prepareRetry(deps, choices.retry, target.toString(), terms, { signal })
          : undefined;
      }
      default: {
        const found = choices?.[choice];
        if (found === undefined) {
          return undefined;
        }
        demandSame(found.sha256, report);
        const follows = choices?.follows && { ...choices.follows, purpose: choice };
        return toOutgoing(jobs, { ...whole, chosen: { purpose: choice, lines: found.lines }, follows });
      }
    }
  }

  /** Finds the choices. Does not delay sending. */
  private async findChoices(): Promise<void> {
    const { checked, options } = this;
    if (this.choices !== undefined || checked === undefined || this.isChecking) {
      return;
    }
    const choices = await unlessCancelled(undefined, () => findChoices(options.deps, this.query(), options.lifetime));
    if (choices !== undefined && checked === this.checked && this.choices === undefined) {
      this.choices = choices;
      options.onChange();
    }
  }

  private query(): ChoicesQuery {
    const { checked, runId } = this;
    const { connection, origin = '' } = checked?.destination ?? {};
    return {
      source: this.options.target.toString(),
      path: checked?.content.path ?? '',
      service: { connection: connection?.name ?? '', origin },
      runId,
    };
  }

  private stamp(): string {
    return stampOfRuns(this.options.deps.registry, this.query());
  }

  /** Describes the changes since the file was checked, in sentences. */
  private async findChanges(): Promise<readonly string[]> {
    const { checked, isToSend } = this;
    const { target, deps } = this.options;
    if (checked === undefined) {
      return [];
    }
    const isSame = JSON.stringify(deps.rules.options(target).severities) === checked.severities;
    const changes = [
      await describeChange(checked.content, target),
      describeSwitch(checked.destination, deps.connections, isToSend),
      isSame ? undefined : vscode.l10n.t('The severities of rules have changed.'),
    ];
    return changes.filter(change => change !== undefined);
  }

  /** Returns the earlier submissions of the same requests. */
  private async findRepeats(outgoing: Outgoing | undefined): Promise<readonly Submission[]> {
    const { registry } = this.options.deps;
    const { connection, origin = '' } = this.checked?.destination ?? {};
    if (outgoing === undefined || connection === undefined) {
      return [];
    }
    await registry.reload();
    const { selected, purpose, follows, report } = outgoing;
    const selection = selected && toSelection({ purpose, lines: selected.lines });
    return repeatsOf({ sha256: report.sha256, connection: connection.name, origin, selection, follows }, registry.all());
  }
}

/** Returns a key that changes if the submissions or their states change. */
function statesOf(repeats: readonly Submission[]): string {
  return repeats.map(({ id, state }) => `${id} ${state}`).join();
}

function demandSame(sha256: string, report: { readonly sha256: string }): void {
  if (sha256 !== report.sha256) {
    throw new Error(vscode.l10n.t('The file has changed since it was checked.'));
  }
}
