import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a tool of this project. Rejects with the tool's output if the tool finds a fault. */
async function runTool(tool: string, ...args: readonly string[]): Promise<void> {
  const isWindows = process.platform === 'win32';
  await promisify(execFile)(`node_modules/.bin/${tool}${isWindows ? '.cmd' : ''}`, args, { shell: isWindows, maxBuffer: 1 << 26 }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${tool} ${args.join(' ')} failed:\n${stdout}${stderr}`);
    },
  );
}

const tools = {
  'have no type errors': ['tsc', '-p', '.'],
  'have no type errors in webviews': ['tsc', '-p', 'src/webview'],
  'pass the linter and are formatted': ['biome', 'check', '--error-on-warnings', '--assist-enabled=false', '.'],
} as const;

describe('the sources @ci', () => {
  const running = new Map<string, Promise<void>>();

  // The tools start in a hook, because this file is loaded even in runs that skip its tests.
  before('start all at once, because each takes half a minute on one processor', () => {
    for (const [title, [tool, ...args]] of Object.entries(tools)) {
      const result = runTool(tool, ...args);
      result.catch(() => {});
      running.set(title, result);
    }
  });

  for (const title of Object.keys(tools)) {
    it(title, () => running.get(title) ?? assert.fail());
  }
});
