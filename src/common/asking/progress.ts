import * as vscode from 'vscode';
import { toAbortSignal } from '../cancellation';
import { settlesWithin } from '../settlesWithin';
import { withoutLinks } from '../text/withoutLinks';

/** Reports the progress of long work: a message, and a share from 0 to 1 if known. */
export type Report = (message: string, share?: number) => void;

/** Converts the byte progress of a job to a report without a message. */
export function toReport(report: Report): (progress: { readonly doneBytes: number; readonly totalBytes: number }) => void {
  return ({ doneBytes, totalBytes }) => report('', totalBytes === 0 ? 1 : doneBytes / totalBytes);
}

/** Delay before progress is shown, in milliseconds. */
const showAfter = 300;

/**
 * Runs work. If it takes a while, shows it as a progress notification with a Cancel button. The signal aborts when the user cancels or
 * `lifetime` aborts.
 */
export async function withProgress<T>(
  title: string,
  lifetime: AbortSignal,
  work: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T> {
  const user = new AbortController();
  const shown = new ShownProgress();
  const result = work(AbortSignal.any([user.signal, lifetime]), (message, share) => shown.report(message, share));
  const settled = result.catch(() => undefined);
  if (await settlesWithin(settled, showAfter)) {
    return await result;
  }
  return await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
    async (progress, token) => {
      const cancel = toAbortSignal(token);
      cancel.signal.addEventListener('abort', () => user.abort(), { once: true });
      shown.showIn(progress);
      try {
        return await result;
      } finally {
        cancel.dispose();
      }
    },
  );
}

/** Progress notification that sends a report to the window only if a person can see the difference. */
class ShownProgress {
  private words = '';
  private percent = 0;
  private shownWords = '';
  private shownPercent = 0;
  private progress: vscode.Progress<{ message?: string; increment?: number }> | undefined;

  showIn(progress: vscode.Progress<{ message?: string; increment?: number }>): void {
    this.progress = progress;
    this.send();
  }

  report(words: string, share: number | undefined): void {
    this.words = words;
    this.percent = share === undefined ? this.percent : Math.max(this.percent, Math.floor(Math.min(share, 1) * 100));
    this.send();
  }

  private send(): void {
    const { progress, words, percent } = this;
    if (progress !== undefined && (words !== this.shownWords || percent > this.shownPercent)) {
      progress.report({ message: withoutLinks(words), increment: percent - this.shownPercent });
      this.shownWords = words;
      this.shownPercent = percent;
    }
  }
}
