import * as vscode from 'vscode';
import { toAbortSignal } from './cancellation';

/** Tells how far long work is: words, and a share from 0 to 1 when it is known. */
export type Report = (message: string, share?: number) => void;

/**
 * Runs work under a progress notification with a Cancel button. The signal aborts when the user cancels or `lifetime` ends,
 * whichever comes first.
 */
export async function withProgress<T>(
  title: string,
  lifetime: AbortSignal,
  work: (signal: AbortSignal, report: Report) => Promise<T>,
): Promise<T> {
  return await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const user = toAbortSignal(token);
      let shown = 0;
      let words = '';
      try {
        return await work(AbortSignal.any([user.signal, lifetime]), (message, share) => {
          const percent = share === undefined ? shown : Math.floor(Math.min(share, 1) * 100);
          // Every report crosses to the window: only what a person can see is worth it.
          if (percent > shown || message !== words) {
            progress.report({ message, increment: Math.max(percent - shown, 0) });
            shown = Math.max(percent, shown);
            words = message;
          }
        });
      } finally {
        user.dispose();
      }
    },
  );
}
