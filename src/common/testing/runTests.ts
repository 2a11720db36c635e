import * as vscode from 'vscode';
import { toAbortSignal } from '../cancellation';

/** What a run of tests is: which, of what controller, and what ends it. */
export interface TestsToRun {
  readonly controller: vscode.TestController;
  readonly request: vscode.TestRunRequest;
  readonly token: vscode.CancellationToken;
  /** Aborts when the window ends. */
  readonly lifetime: AbortSignal;
}

/** Does `judge` as one run of the Testing view, which ends with it. What it throws once the user has cancelled is not told. */
export async function runTests(
  { controller, request, token, lifetime }: TestsToRun,
  judge: (run: vscode.TestRun, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const run = controller.createTestRun(request);
  const cancel = toAbortSignal(token);
  const signal = AbortSignal.any([cancel.signal, lifetime]);
  try {
    await judge(run, signal);
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  } finally {
    run.end();
    cancel.dispose();
  }
}

/** The tests that a request names, or all; what it excludes by itself is left out. */
export function testsOf({ controller, request }: Pick<TestsToRun, 'controller' | 'request'>): readonly vscode.TestItem[] {
  const asked = request.include ?? [...controller.items].map(([, item]) => item);
  return asked.filter(item => request.exclude?.includes(item) !== true);
}

/** Why a test failed, with what was expected beside what came where both are known, at its place. */
export function toTestMessage(
  text: string,
  compared: { readonly expected: string; readonly actual: string } | undefined,
  location: vscode.Location | undefined,
): vscode.TestMessage {
  const message = compared === undefined ? new vscode.TestMessage(text) : vscode.TestMessage.diff(text, compared.expected, compared.actual);
  if (location !== undefined) {
    message.location = location;
  }
  return message;
}
