import * as vscode from 'vscode';
import { settlesWithin } from '../settlesWithin';
import { withoutLinks } from '../text/withoutLinks';

/** Reports the progress of long work: a message, and the share of work done, from 0 to 1, if known. */
export type Report = (message: string, share?: number) => void;

/** Converts the byte progress of a job to a report without a message. */
export function toReport(report: Report): (progress: { readonly doneBytes: number; readonly totalBytes: number }) => void {
  return ({ doneBytes, totalBytes }) => report('', totalBytes === 0 ? 1 : doneBytes / totalBytes);
}

/** Delay before progress is shown, in milliseconds. */
const showAfter = 300;

/** Runs work, with a notification if it takes a while. The signal aborts if the user cancels or `lifetime` aborts. */
export async function withProgress<T>(
  title: string,
  lifetime: AbortSignal,
  work: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T> {
  const user = new AbortController();
  let progress: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  let latest = { words: '', percent: 0 };
  let shown = latest;
  /** Sends the latest report to the window if a person can see the difference. */
  const send = () => {
    if (progress !== undefined && (latest.words !== shown.words || latest.percent > shown.percent)) {
      progress.report({ message: withoutLinks(latest.words), increment: latest.percent - shown.percent });
      shown = latest;
    }
  };
  const result = work(AbortSignal.any([user.signal, lifetime]), (words, share = 0) => {
    latest = { words, percent: Math.max(latest.percent, Math.floor(Math.min(share, 1) * 100)) };
    send();
  });
  const settled = result.catch(() => undefined);
  if (await settlesWithin(settled, showAfter)) {
    return await result;
  }
  return await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
    async (shownProgress, token) => {
      const cancelling = token.onCancellationRequested(() => user.abort());
      progress = shownProgress;
      send();
      try {
        return await result;
      } finally {
        cancelling.dispose();
      }
    },
  );
}
