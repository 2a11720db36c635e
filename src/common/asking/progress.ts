import * as vscode from 'vscode';
import { toAbortSignal } from '../cancellation';
import { withoutLinks } from '../text/withoutLinks';

/** Tells how far long work is: words, and a share from 0 to 1 when it is known. */
export type Report = (message: string, share?: number) => void;

/** A job's progress in bytes as a report without words. */
export function toReport(report: Report): (progress: { readonly doneBytes: number; readonly totalBytes: number }) => void {
  return ({ doneBytes, totalBytes }) => report('', totalBytes === 0 ? 1 : doneBytes / totalBytes);
}

/** Milliseconds after which work is long enough to be shown. */
const showAfter = 300;

/**
 * Runs work and, when it takes longer than a moment, shows it as a progress notification with a Cancel button. The signal
 * aborts when the user cancels or `lifetime` ends, whichever comes first.
 */
export async function withProgress<T>(
  title: string,
  lifetime: AbortSignal,
  work: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T> {
  const user = new AbortController();
  const shown = new ShownProgress();
  const result = work(AbortSignal.any([user.signal, lifetime]), (message, share) => shown.report(message, share));
  let timer: NodeJS.Timeout | undefined;
  const isLong = await Promise.race([
    result.then(
      () => false,
      () => false,
    ),
    new Promise<boolean>(resolve => {
      timer = setTimeout(() => resolve(true), showAfter);
    }),
  ]);
  clearTimeout(timer);
  if (!isLong) {
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

/** The latest report, sent on only when a person can see the difference: every report crosses to the window. */
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
