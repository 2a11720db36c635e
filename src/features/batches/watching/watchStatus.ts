import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import { describeAge, describeDuration, describeSince, join } from '../../../common/text/presentation';
import { views } from '../../../contributions';
import { numberFormat } from '../../../shared/formats';
import type { Run, Submission, SubmissionRegistry } from '../../ledger';
import { type BatchContext, labelOfSource } from '../batchPresentation';
import { describeRun, isUnderWay } from '../runPresentation';
import { isPending, lacksGoodResults, partsOf, type RunSummary, summarize } from '../runRow';
import type { BatchWatcher } from './batchWatcher';

export interface WatchStatusOptions {
  readonly registry: SubmissionRegistry;
  readonly view: vscode.TreeView<unknown>;
  readonly watcher: Pick<BatchWatcher, 'isWatched' | 'listedFor'>;
  readonly presentation: () => BatchContext;
  readonly report: (error: unknown) => void;
  readonly onRunning: (isRunning: boolean) => void;
}

/** Status bar item, and badge and description of the view. */
export class WatchStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('managedAgents.batches', vscode.StatusBarAlignment.Left, 20);
  private isMarking = false;

  constructor(private readonly options: WatchStatusOptions) {
    this.item.name = vscode.l10n.t('Managed Agents Batches');
  }

  /** Updates the item, the badge and the description. Ends count as seen while the view is visible in a focused window. */
  draw(): void {
    const { registry, view, watcher, presentation } = this.options;
    const summary = summarize(registry.all(), submission => watcher.isWatched(submission));
    this.mark(summary);
    this.options.onRunning(summary.running.length > 0);
    view.badge = summary.unknown.length === 0 ? undefined : badgeOf(summary.unknown.length);
    const age = watcher.listedFor();
    view.description =
      age === undefined ? undefined : vscode.l10n.t('updated {0}', describeAge(new Date(Date.now() - age).toISOString(), presentation()));
    const status = presentStatus(summary, presentation());
    if (status === undefined || !readSetting('managedAgents.batches.statusBar')) {
      this.item.hide();
      return;
    }
    this.item.text = status.text;
    this.item.tooltip = status.tooltip.join('\n');
    this.item.accessibilityInformation = { label: status.spoken };
    this.item.backgroundColor = status.needsUser ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.command =
      status.resolve === undefined
        ? { command: `${views.batches}.focus`, title: vscode.l10n.t('Show Batches') }
        : commandLink('managedAgents.submission.resolve', vscode.l10n.t('Show Submission Log'), status.resolve);
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }

  private mark({ ended }: RunSummary): void {
    const { registry, view, report } = this.options;
    if (view.visible && vscode.window.state.focused && ended.length > 0 && !this.isMarking) {
      this.isMarking = true;
      void markSeen(registry, ...ended)
        .catch(report)
        .finally(() => {
          this.isMarking = false;
        });
    }
  }
}

/** Records that the user has seen the ends of runs. */
export async function markSeen(registry: SubmissionRegistry, ...runs: readonly Run[]): Promise<void> {
  for (const { id } of runs.flatMap(({ submissions }) => submissions)) {
    if (registry.find(id)?.isEndSeen === false) {
      await registry.update(id, { isEndSeen: true });
    }
  }
}

function badgeOf(count: number): vscode.ViewBadge {
  return { value: count, tooltip: vscode.l10n.t('Batches waiting for you: {0}', count) };
}

const maxLines = 12;

/**
 * Describes running batches, those that ended since the user saw the view, and those that need the user. `undefined` if there are none.
 * `tooltip` has a line for each run. `resolve` is the submission that needs the user, if there is nothing else to show.
 */
export function presentStatus({ running, ended, unknown }: RunSummary, context: BatchContext) {
  if (running.length + ended.length + unknown.length === 0) {
    return undefined;
  }
  const { translate, locale, now } = context;
  const [oldest] = running;
  const [onlyUnknown] = unknown;
  const elapsed = oldest === undefined ? '' : describeDuration(now - Date.parse(oldest.startedAt), locale);
  const hasFailures = ended.some(lacksGoodResults);
  const number = (value: number) => numberFormat(locale).format(value);
  const unknownText = unknown.length === 1 ? translate('1 batch needs you') : translate('{0} batches need you', number(unknown.length));
  const runningCount = countBatches(running, one => one.state === 'sending' || isPending(one));
  const endedCount = countBatches(ended, ({ batchId, deleted }) => batchId !== undefined && deleted !== true);
  const runningText = runningCount === 1 ? translate('1 batch running') : translate('{0} batches running', number(runningCount));
  const endedText = endedCount === 1 ? translate('1 batch ended') : translate('{0} batches ended', number(endedCount));
  const parts = [
    unknown.length > 0 ? `$(question) ${unknownText}` : '',
    running.length > 0 ? `$(sync~spin) ${runningText} · ${elapsed}` : '',
    ended.length > 0 ? `$(${hasFailures ? 'warning' : 'pass'}) ${endedText}` : '',
  ];
  const count = unknown.length + running.length + ended.length;
  const shown = [...unknown, ...running, ...ended].slice(0, maxLines);
  const lines = shown.map(one => lineOf(one, context));
  const more = count - maxLines;
  return {
    text: join('  ', ...parts),
    tooltip: more > 0 ? [...lines, translate('and {0} more', more)] : lines,
    spoken: join(
      ', ',
      unknown.length > 0 ? unknownText : '',
      running.length > 0 ? translate('Batches running: {0}, the oldest for {1}', number(runningCount), elapsed) : '',
      ended.length > 0 ? translate('Batches ended since your last visit: {0}', number(endedCount)) : '',
    ),
    needsUser: unknown.length > 0,
    resolve: onlyUnknown !== undefined && count === 1 ? { submissionId: onlyUnknown.id } : undefined,
  };
}

function countBatches(runs: readonly Run[], counts: (submission: Submission) => boolean): number {
  return runs.reduce((sum, { submissions }) => sum + submissions.filter(counts).length, 0);
}

function lineOf(one: Run | Submission, context: BatchContext): string {
  const name = labelOfSource(one.source, context, 60);
  const age = describeSince(one.startedAt, context);
  if (!('parts' in one)) {
    return `${name}: ${join(' · ', context.translate('response lost, a batch may exist'), age)}`;
  }
  const row = { run: one, parts: partsOf(one) };
  return `${name}: ${join(' · ', describeRun(row, context), isUnderWay(row) ? '' : age)}`;
}
