// @ts-check
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { nodeOptions, threadEntryPoints } from '../../esbuild.mjs';
import { onExit } from '../helpers/onExit.mjs';

/** The threads that the sources under test start; tests find them by TEST_BUILD. */
const threads = /** @type {const} */ (['jsonlThread', 'emulatorThread']);

/**
 * What `--quick` leaves out, a quarter of the time of all these tests, unless `--only` asks for it. It starts processes that are killed or stand still, packs the
 * extension, or makes thousands of batches; what it is about has tests of its parts beside it.
 */
export const notQuick = [
  'contract/batches/budget',
  'contract/batches/crash',
  'contract/batches/torture',
  'contract/emulator/cli',
  'contract/package',
  'unit/features/ledger/stoppedWindow',
  'unit/project/lane',
].map(name => `${name}.test.ts`);

/** Mark of a file whose tests have a full count that only the long form runs: it imports `test/helpers/runs.ts`. */
const hasLongForm = / from '[./]+\/helpers\/runs'/;

/** Mark of a file that counts calls: that looks through all code that its process has loaded, so it gets one for itself. */
const countsCalls = / from '[./]+\/helpers\/workOf'/;

/**
 * @typedef {object} TaskOptions
 * @property {string} root the project
 * @property {string} kind
 * @property {string} only part of the path of the files to run
 * @property {string} grep
 * @property {boolean} isLong the long form, which leaves nothing out
 * @property {boolean} isRest takes only files whose long form holds more
 * @property {boolean} isQuick leaves out `notQuick`
 * @property {boolean} isBrief leaves out on the floor what hardly depends on the version of VS Code
 * @property {(line: string) => void} log
 */

/**
 * @typedef {object} TaskSet
 * @property {readonly import('./workers.mjs').Task[]} tasks
 * @property {() => void} remove what was built for them
 */

/**
 * The test files in a folder, in their order.
 * @param {string} folder
 * @param {Pick<TaskOptions, 'only' | 'isRest' | 'isQuick'>} options
 */
export function listTestFiles(folder, { only, isRest, isQuick }) {
  const isLeftOut = (/** @type {string} */ file) => isQuick && only === '' && notQuick.includes(`${path.basename(folder)}/${file}`);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll(path.sep, '/'))
    .filter(file => file.endsWith('.test.ts') && file.includes(only) && !isLeftOut(file))
    .filter(file => !isRest || hasLongForm.test(readFileSync(path.join(folder, file), 'utf8')))
    .sort();
}

/**
 * Builds the test files of a kind that needs plain Node, with the sources they import.
 * @param {TaskOptions} options
 * @returns {Promise<TaskSet>}
 */
export async function prepareNodeTasks({ root, kind, only, grep, isRest, isQuick }) {
  const folder = path.join(root, 'test', kind);
  const sources = listTestFiles(folder, { only, isRest, isQuick });
  const out = path.join(root, 'out', `test-${process.pid}-${kind}`);
  mkdirSync(out, { recursive: true });
  const remove = () => rmSync(out, { recursive: true, force: true });
  const forget = onExit(remove);
  const toBuilt = (/** @type {string} */ source) => path.join(kind, source.replace(/\.ts$/, ''));
  const fake = path.join(root, 'test/helpers/vscode.ts');
  await build({
    ...nodeOptions,
    alias: { ...nodeOptions.alias, ...(kind === 'unit' && { vscode: fake }) },
    absWorkingDir: root,
    entryPoints: [
      { in: 'test/runner/laneEntry.ts', out: 'laneEntry' },
      ...sources.map(source => ({ in: path.join('test', kind, source), out: toBuilt(source) })),
    ],
    outdir: out,
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  // Whole, as they are shipped: tests start hundreds of them, and each would gather its packages file by file.
  await build({
    ...nodeOptions,
    absWorkingDir: root,
    entryPoints: threads.map(name => ({ in: threadEntryPoints[name], out: name })),
    outdir: out,
    sourcemap: false,
    logLevel: 'warning',
  });
  const start = { entry: path.join(out, 'laneEntry.js'), env: { TEST_BUILD: out } };
  return {
    tasks: sources.map(name => ({
      kind,
      name,
      // A browser waits for nothing.
      waits: kind !== 'webview',
      run: (worker, print) => {
        const file = path.join(out, `${toBuilt(name)}.js`);
        const lane = countsCalls.test(readFileSync(path.join(folder, name), 'utf8')) ? `${kind} ${name}` : kind;
        return worker.runFile(lane, start, { name, file, grep, listsTests: only !== '', env: {} }, print);
      },
    })),
    remove: () => {
      forget();
      remove();
    },
  };
}
