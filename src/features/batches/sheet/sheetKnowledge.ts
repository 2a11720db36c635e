import * as vscode from 'vscode';
import { isCancellation } from '../../../common/cancellation';
import { describeError } from '../../../common/text/describeError';
import { needsConversion } from '../../../jsonl/scanning/looksLikeBatch';
import type { SheetMode } from '../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { readFirstLines } from '../../requests';
import type { ChosenRequests } from '../submitting/chosenRequests';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { chooseDestination, currentDestination, type Destination, describeSwitch } from './destination';
import { toOutgoing } from './outgoing';
import { discardContent, type PreparedContent, prepareContent } from './preparedContent';
import { shareOf } from './presentation/sheetFacts';
import { type Checked, findChanges, findRepeats, statesOf } from './sheetTruth';

export interface SheetKnowledgeOptions extends Pick<CreateBatchDependencies, 'registry' | 'connections' | 'rules' | 'jobs'> {
  readonly target: vscode.Uri;
  readonly mode: SheetMode;
  /** With this only these of its requests are sent. */
  readonly chosen: ChosenRequests | undefined;
  /** Aborted when the sheet is closed. */
  readonly lifetime: AbortSignal;
  /** Whether it is being sent: what is shown stays as it is then. */
  readonly isSending: () => boolean;
  /** The file could be read: there is something to show. */
  readonly onReady: () => void;
  /** Something of it is another now. */
  readonly onChange: () => void;
  /** `share` of the file, 0 to 1, that is checked. */
  readonly onProgress: (share: number) => void;
  /** The file was checked; `isOther` when its content is not the one of before. */
  readonly onChecked: (isOther: boolean) => void;
}

/** What a sheet knows of what would be sent: the file as it was checked, what was sent of it before, and what has changed since. */
export class SheetKnowledge {
  checked: Checked | undefined;
  mode: SheetMode;
  /** Submissions of the same. */
  repeats: readonly Submission[] = [];
  /** Sentences: what is no longer as it was checked. */
  changes: readonly string[] = [];
  notice: string | undefined;
  /** Grows with everything that a person has to look at before it is sent. */
  revision = 0;
  private checking: AbortController | undefined;

  constructor(private readonly options: SheetKnowledgeOptions) {
    this.mode = options.mode;
  }

  get isChecking(): boolean {
    return this.checking !== undefined;
  }

  /**
   * Checks the file for where a batch of it goes; without a destination that is asked for when it is not known. Throws when the file
   * cannot be read, or the user turned back.
   */
  async check(mode: SheetMode, known?: Destination): Promise<void> {
    const { registry, connections, target, lifetime } = this.options;
    this.checking?.abort();
    const mine = new AbortController();
    this.checking = mine;
    const signal = AbortSignal.any([mine.signal, lifetime]);
    let content: PreparedContent | undefined;
    try {
      this.options.onChange();
      const destination = known ?? (mode === 'create' ? await chooseDestination(connections) : currentDestination(connections));
      await registry.load();
      content = await prepareContent(registry, target);
      signal.throwIfAborted();
      this.options.onReady();
      const checked = await this.checkContent(content, destination, signal);
      content = undefined;
      await this.accept(checked, mode);
    } finally {
      if (content !== undefined) {
        discardContent(registry, content);
      }
      if (this.checking === mine) {
        this.checking = undefined;
        this.options.onChange();
      }
    }
  }

  /** Checks again; what goes wrong is told in the sheet. */
  async checkAgain(mode = this.mode, known?: Destination): Promise<void> {
    try {
      await this.check(mode, known);
    } catch (error) {
      if (!this.options.lifetime.aborted && this.checking === undefined) {
        await this.refreshChanges();
        if (!isCancellation(error)) {
          this.fail(error);
          this.options.onChange();
        }
      }
    }
  }

  /** After the file was saved. A save is no answer to where it goes now, and no moment to ask for a key. */
  async checkSaved(): Promise<void> {
    const { checked, mode } = this;
    if (this.options.isSending() || checked === undefined) {
      return;
    }
    const isSwitched = describeSwitch(checked.destination, this.options.connections, mode === 'create') !== undefined;
    await (isSwitched ? this.refreshChanges() : this.checkAgain(mode, checked.destination));
  }

  /** Looks once more at everything that the sheet tells, at the last moment; what is another now is shown. */
  async isStillTrue(): Promise<boolean> {
    this.changes = await this.findChanges();
    const repeats = await findRepeats(this.options, this.checked);
    if (statesOf(repeats) !== statesOf(this.repeats)) {
      this.repeats = repeats;
      this.revision++;
      this.notice = vscode.l10n.t('Nothing was sent: what is known of this content has changed. Look at it first.');
      return false;
    }
    return this.changes.length === 0;
  }

  /** Says what went wrong in place of what has changed; nothing is sent until the file was checked again. */
  fail(error: unknown): void {
    this.changes = [toLabel(describeError(error), 500)];
  }

  /** The file, the connection or the rules may be others now. */
  async refreshChanges(): Promise<void> {
    const { checked } = this;
    const changes = await this.findChanges();
    if (checked === this.checked && !this.options.isSending() && changes.join() !== this.changes.join()) {
      this.changes = changes;
      this.options.onChange();
    }
  }

  /** Something else may be known of what was sent before. */
  async refreshRepeats(): Promise<void> {
    const repeats = await findRepeats(this.options, this.checked);
    if (!this.options.isSending() && statesOf(repeats) !== statesOf(this.repeats)) {
      this.repeats = repeats;
      this.revision++;
      this.options.onChange();
    }
  }

  /** Gives up what was prepared to be sent. */
  discard(): void {
    if (this.checked !== undefined) {
      discardContent(this.options.registry, this.checked.content);
    }
  }

  private async checkContent(content: PreparedContent, destination: Destination, signal: AbortSignal): Promise<Checked> {
    const { jobs, target, chosen, onProgress } = this.options;
    const { path } = content;
    const rules = this.options.rules.options(target);
    const terms = { limits: destination.limits, rules };
    const report = await jobs.checkFile(path, terms, { signal, onProgress: progress => onProgress(shareOf(progress)) });
    const isForeign = needsConversion(await readFirstLines(path));
    signal.throwIfAborted();
    const outgoing = toOutgoing(jobs, report, destination.limits, chosen);
    return { content, report, outgoing, isForeign, destination, severities: JSON.stringify(rules.severities) };
  }

  private async accept(checked: Checked, mode: SheetMode): Promise<void> {
    const before = this.checked;
    this.checked = checked;
    this.mode = mode;
    if (before !== undefined) {
      discardContent(this.options.registry, before.content);
    }
    this.repeats = await findRepeats(this.options, this.checked);
    this.notice = undefined;
    this.changes = await this.findChanges();
    this.revision++;
    this.options.onChecked(before?.report.sha256 !== checked.report.sha256);
  }

  private findChanges(): Promise<readonly string[]> {
    return findChanges(this.options, this.checked, this.mode);
  }
}
