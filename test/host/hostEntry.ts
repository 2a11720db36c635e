import { format } from 'node:util';
import { runMochaFile, toReason } from '../runner/mochaFile';
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
      await runMochaFile(
        { file, grep: process.env.MANAGED_AGENTS_TEST_GREP ?? '', listsTests: true },
        {
          print: line => void runner.call('print', line),
          passed: () => void runner.call('passed'),
          failed: why => void runner.call('failed', why),
        },
      );
    } catch (error) {
      console.error(error);
      await runner.call('failed', `it could not be loaded: ${toReason(error)}`);
    }
  }
  await runner.call('end');
  runner.close();
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
