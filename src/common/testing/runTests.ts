import * as vscode from 'vscode';
import { withToken } from '../cancellation';

/** A test run: its controller, the requested tests, and its cancellation. */
interface TestsToRun {
  readonly controller: vscode.TestController;
  readonly request: vscode.TestRunRequest;
  readonly token: vscode.CancellationToken;
  /** Aborts when the window closes. */
  readonly lifetime: AbortSignal;
}

/** Runs `judge` as a test run of the Testing view. The run ends when `judge` settles. Errors after a cancellation are ignored. */
export async function runTests(
  { controller, request, token, lifetime }: TestsToRun,
  judge: (run: vscode.TestRun, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const run = controller.createTestRun(request);
  try {
    await withToken(token, signal => judge(run, signal), lifetime);
  } catch (error) {
    if (!(error instanceof vscode.CancellationError)) {
      throw error;
    }
  } finally {
    run.end();
  }
}

/** Returns the requested tests, or all tests, without the excluded tests. */
export function testsOf({ controller, request }: Pick<TestsToRun, 'controller' | 'request'>): readonly vscode.TestItem[] {
  const asked = request.include ?? [...controller.items].map(([, item]) => item);
  return asked.filter(item => request.exclude?.includes(item) !== true);
}

/** Returns the message of a failed test at its location, with a diff of the expected and the actual value if both are known. */
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
