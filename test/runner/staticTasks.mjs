// @ts-check
import path from 'node:path';
import { startGroup } from '../helpers/processGroup.mjs';

/** What is checked without running anything: the tools by their names in `node_modules/.bin`, the longest first. */
const checks = {
  types: ['tsc', '-p', '.'],
  'types of webviews': ['tsc', '-p', 'src/webview'],
  // Together, so that each file is read once.
  'lint and format': ['biome', 'check', '--error-on-warnings', '--assist-enabled=false', '.'],
};

/**
 * Types, lint and format, each one task that passes or fails as a whole.
 * @param {import('./nodeTasks.mjs').TaskOptions} options
 * @returns {import('./nodeTasks.mjs').TaskSet}
 */
export function prepareStaticTasks({ root, kind, only }) {
  const tasks = Object.entries(checks)
    .filter(([name]) => name.includes(only))
    .map(([name, [tool = '', ...args]]) => ({
      kind,
      name,
      /**
       * @param {unknown} _worker
       * @param {(text: string) => void} print
       */
      async run(_worker, print) {
        const began = performance.now();
        const { code, output } = await runTool(root, path.join(root, 'node_modules/.bin', tool), args);
        const isGood = code === 0;
        if (!isGood) {
          print(output);
        }
        const failures = isGood ? [] : [`${tool} ${args.join(' ')} ended with ${code}`];
        const count = { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 };
        return new Map([[name, { ...count, failures, evidence: [], milliseconds: performance.now() - began, startup: 0 }]]);
      },
    }));
  return { tasks, remove: () => undefined };
}

/**
 * @param {string} cwd
 * @param {string} tool
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number | string | null, output: string }>}
 */
function runTool(cwd, tool, args) {
  return new Promise((resolve, reject) => {
    // A group: each tool is a program that a script of its package starts.
    const child = startGroup(tool, args, { cwd, shell: process.platform === 'win32' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}
