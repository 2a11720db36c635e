import { format } from 'node:util';
import type { connectToRunner } from '../channel.mjs';

/** One test that ran inside the extension host. */
export interface InsideTest {
  readonly title: string;
  /** Error of a failed test. Missing if the test passed. */
  readonly error?: { readonly message: string; readonly stack: string };
}

/** Maximum duration of a test, in milliseconds. Only detects hangs, so it is long enough for any machine. */
const timeout = 360_000;

/** Runs built test files with mocha, one after another, and reports each test to the runner. */
export async function runInside(runner: ReturnType<typeof connectToRunner>, files: readonly string[], grep: string): Promise<void> {
  // The extension host defines the methods of its console with setters that do nothing.
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    const value = (...args: unknown[]) => void runner.call('print', format(...args));
    Object.defineProperty(console, level, { configurable: true, writable: true, value });
  }
  // Loads mocha only now, because it must use the changed console.
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ reporter: class {} as never, timeout, forbidPending: true, grep });
  for (const file of files) {
    mocha.addFile(file);
  }
  await mocha.loadFilesAsync();
  await new Promise<void>(resolve => {
    const running = mocha.run(() => resolve());
    running.on('pass', test => void runner.call('test', { title: test.fullTitle() }));
    running.on('fail', (test, { message, stack }) => void runner.call('test', { title: test.fullTitle(), error: { message, stack } }));
  });
}
