import * as vscode from 'vscode';

/** Thrown if the user cancelled. Such errors are not reported. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** Returns whether an error only means that the user cancelled or the window closed. */
export function isCancellation(error: unknown): boolean {
  if (error instanceof CancelledError || error instanceof vscode.CancellationError) {
    return true;
  }
  return error instanceof Error && (error.name === 'AbortError' || (error as { kind?: unknown }).kind === 'aborted');
}

/** Returns the result of `act`, or `before` if the user cancelled. */
export async function unlessCancelled<T>(before: T, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isCancellation(error)) {
      return before;
    }
    throw error;
  }
}

/** Returns an `AbortSignal` that follows a `CancellationToken`. Must be disposed when the work has ended. */
export function toAbortSignal(token: vscode.CancellationToken): { readonly signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  if (token.isCancellationRequested) {
    controller.abort();
  }
  const subscription = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => subscription.dispose() };
}

/** Runs work with a signal that aborts with `token` or `lifetime`. If the work fails after that, rejects with a `CancellationError`. */
export async function withToken<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
  lifetime = new AbortController().signal,
): Promise<T> {
  const caller = toAbortSignal(token);
  const signal = AbortSignal.any([caller.signal, lifetime]);
  try {
    return await work(signal);
  } catch (error) {
    throw signal.aborted ? new vscode.CancellationError() : error;
  } finally {
    caller.dispose();
  }
}
