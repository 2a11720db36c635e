import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { readSetting } from '../../../common/settings';
import { describeAge } from '../../../common/text/presentation';
import { views } from '../../../contributions';
import type { Run, SubmissionRegistry } from '../../ledger';
import type { BatchContext } from '../batchPresentation';
import type { BatchWatcher } from './batchWatcher';
import { type RunSummary, summarize } from './runSummary';
import { presentStatus } from './statusPresentation';

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
