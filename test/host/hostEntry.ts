import { format } from 'node:util';
import { connectToRunner } from './channel.mjs';

/** One test that ran inside the extension host. */
export interface InsideTest {
  readonly title: string;
  /** Missing if the test passed. */
  readonly error?: { readonly message: string; readonly stack: string };
}

/** Maximum duration of a test, in milliseconds. Detects hangs and never measures the machine's speed. */
const timeout = 360_000;

/**
 * The test module that VS Code loads. Runs the built test files in `MANAGED_AGENTS_TEST_FILES` with mocha, one after another, and reports
 * each test over a socket, because VS Code's exit code is unreliable.
 */
export async function run(): Promise<void> {
  const runner = connectToRunner();
  showOnRunner(runner);
  const report = (test: InsideTest) => void runner.call('test', test);
  try {
    await runMocha(JSON.parse(process.env.MANAGED_AGENTS_TEST_FILES ?? '[]') as readonly string[], report);
  } catch (error) {
    report({ title: 'the test files can be loaded', error: toPlain(error) });
  }
  await runner.call('end');
  runner.close();
}

async function runMocha(files: readonly string[], report: (test: InsideTest) => void): Promise<void> {
  // Loaded late: mocha has to find the console that `showOnRunner` installs.
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ reporter: class {} as never, timeout, forbidPending: true, grep: process.env.MANAGED_AGENTS_TEST_GREP });
  for (const file of files) {
    mocha.addFile(file);
  }
  await mocha.loadFilesAsync();
  await new Promise<void>(resolve => {
    const running = mocha.run(() => resolve());
    running.on('pass', test => report({ title: test.fullTitle() }));
    running.on('fail', (test, error) => report({ title: test.fullTitle(), error: toPlain(error) }));
  });
}

function toPlain(error: unknown): { message: string; stack: string } {
  return error instanceof Error ? { message: error.message, stack: error.stack ?? '' } : { message: String(error), stack: '' };
}

/** The extension host defines the methods of its console with setters that do nothing. */
function showOnRunner(runner: ReturnType<typeof connectToRunner>): void {
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    Object.defineProperty(console, level, {
      configurable: true,
      writable: true,
      value: (...args: unknown[]) => void runner.call('print', format(...args)),
    });
  }
}
