import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a tool of this project. Rejects with what it printed if it finds anything. */
async function runTool(tool: string, ...args: readonly string[]): Promise<void> {
  const isWindows = process.platform === 'win32';
  await promisify(execFile)(`node_modules/.bin/${tool}${isWindows ? '.cmd' : ''}`, args, { shell: isWindows, maxBuffer: 1 << 26 }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${tool} ${args.join(' ')} failed:\n${stdout}${stderr}`);
    },
  );
}

describe('the sources @ci', () => {
  // Runs all at once, because each takes half a minute on one processor.
  const tools = {
    'have no type errors': runTool('tsc', '-p', '.'),
    'have no type errors in webviews': runTool('tsc', '-p', 'src/webview'),
    'pass the linter and are formatted': runTool('biome', 'check', '--error-on-warnings', '--assist-enabled=false', '.'),
  };
  for (const [title, running] of Object.entries(tools)) {
    running.catch(() => {});
    it(title, () => running);
  }
});
