import { format } from 'node:util';
import { Runner } from './runner';

/**
 * What VS Code loads as its test module: runs built test files with mocha inside the extension host, one after another, and
 * tells the runner every line and every result over its own socket. VS Code's exit code says nothing reliable about a suite.
 */
export async function run(): Promise<void> {
  const runner = new Runner();
  showOnRunner(runner);
  const files = JSON.parse(process.env.MANAGED_AGENTS_TEST_FILES ?? '[]') as readonly { readonly name: string; readonly file: string }[];
  for (const { name, file } of files) {
    await runner.call('file', name);
    try {
      await runFile(runner, file);
    } catch (error) {
      console.error(error);
      await runner.call('failed', `it could not be loaded: ${toReason(error)}`);
    }
  }
  await runner.call('end');
  runner.close();
}

async function runFile(runner: Runner, file: string): Promise<void> {
  // Only now: mocha keeps the console it finds when it is loaded.
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', color: true, timeout: 30_000, slow: 2_000 });
  const grep = process.env.MANAGED_AGENTS_TEST_GREP;
  if (grep !== undefined && grep !== '') {
    mocha.grep(grep);
  }
  mocha.addFile(file);
  await mocha.loadFilesAsync();
  await new Promise<void>(resolve => {
    const run = mocha.run(() => resolve());
    run.on('pass', () => void runner.call('passed'));
    run.on('fail', (test, error) => void runner.call('failed', `${test.fullTitle()}: ${toReason(error)}`));
    run.on('pending', test => void runner.call('failed', `${test.fullTitle()}: pending`));
  });
}

/** The first line of what an error says. */
function toReason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

/** The extension host defines its console's methods with setters that do nothing. */
function showOnRunner(runner: Runner): void {
  for (const level of ['log', 'info', 'warn', 'error'] as const) {
    Object.defineProperty(console, level, {
      configurable: true,
      writable: true,
      value: (...args: unknown[]) => void runner.call('print', format(...args)),
    });
  }
}
