// @ts-check
// Builds the tests and runs them with mocha, one line per file, and a last line `N passed, N failed`:
//   node test/run.mjs [KIND...] [--tier test|rest|nightly] [--only PART-OF-A-PATH]... [--grep TEXT] [--floor]
// Kinds: unit, contract, webview (in a Chromium), host (in a VS Code). Default: all of them.
// Tiers are explained in .github/CONTRIBUTING.md; the default is `test`, or every test of the files that --only names.
// --floor runs on the oldest supported VS Code.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { buildInsideTests, buildNodeTests, buildThreads, buildWebviews, listTests } from './build.mjs';
import { onExit } from './helpers/onExit.mjs';
import { buildActor } from './host/actor/buildActor.mjs';
import { stageExtension } from './host/stageExtension.mjs';
import { FileReporter } from './reporter.mjs';
import { canHoldTests, toFloorPattern, toTierPattern } from './tiers.mjs';

/** Time after which a test counts as hung, in milliseconds. Long enough for any machine. */
const timeout = 360_000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    grep: { type: 'string' },
    floor: { type: 'boolean', default: false },
  },
});
const tier = /** @type {import('./tiers.mjs').Tier} */ (values.tier ?? (values.only.length === 0 ? 'test' : 'nightly'));
const kinds = positionals.length > 0 ? positionals : ['unit', 'contract', 'webview', 'host'];
const pair = values.floor ? 'floor' : 'newest';
const out = path.join(root, 'out', `test-${process.pid}`);
// Mocha starts its workers with the options and the environment of this process. Larger space for short-lived objects saves a tenth of the
// time.
process.execArgv.push('--max-semi-space-size=64');
Object.assign(process.env, { TEST_BUILD: out, TEST_VSCODE: pair });
if (tier === 'nightly' && values.only.length === 0) {
  process.env.TEST_LONG = 'yes';
}

/** Pattern of the titles to run. Tests inside the extension host are the same on the oldest and the newest VS Code. */
const grep = values.grep ?? (values.floor ? toFloorPattern(tier) : toTierPattern(tier)).source;
process.env.TEST_GREP = values.grep ?? toTierPattern(tier).source;

const parts = values.only.map(part => part.replaceAll(path.sep, '/'));

/**
 * Returns the chosen test files of a folder, relative to `test`.
 * @param {string} folder
 */
function choose(folder) {
  return listTests(root, folder).filter(
    file =>
      (parts.length === 0 || parts.some(part => `test/${file}`.includes(part))) &&
      canHoldTests(tier, readFileSync(path.join(root, 'test', file), 'utf8')),
  );
}

/**
 * Builds what the chosen tests need. Returns the files that run in plain Node, and the files that use a VS Code. The slowest file with a VS
 * Code comes first.
 */
async function buildAll() {
  const inNode = kinds.filter(kind => kind !== 'host').flatMap(choose);
  const inside = kinds.includes('host') ? choose('host/features') : [];
  const host = [...(inside.length > 0 ? ['host/features.test.ts'] : []), ...(kinds.includes('host') ? choose('host/workbench') : [])];
  await Promise.all([
    buildNodeTests(root, [...host, ...inNode], out),
    buildThreads(root, out),
    ...(kinds.includes('webview') ? [buildWebviews(root, out)] : []),
    buildInsideTests(root, inside, path.join(out, 'inside')),
    ...(host.length > 0 ? [stageExtension(root, path.join(out, 'extension')), buildActor(root, path.join(out, 'actor'))] : []),
  ]);
  return { inNode, host };
}

/**
 * Writes a file that runs built test files one after another in the same process, and so in one VS Code. Each test is still reported with
 * its own file.
 * @param {string} name
 * @param {readonly string[]} built
 */
function writeSequence(name, built) {
  const lines = [
    "const { parent: root } = describe('', () => {});",
    'root.suites.pop();',
    `for (const file of ${JSON.stringify(built)}) {`,
    '  const before = root.suites.length;',
    '  await import(file);',
    '  for (const suite of root.suites.slice(before)) suite.eachTest(test => Object.assign(test, { file }));',
    '}',
  ];
  writeFileSync(path.join(out, name), lines.join('\n'));
}

/**
 * Runs built test files, a few at a time, and returns the number of failures.
 * @param {Awaited<ReturnType<typeof buildAll>>} files
 */
async function run({ inNode, host }) {
  const mocha = new Mocha({
    ...{ parallel: true, jobs: Number(process.env.TEST_JOBS ?? os.availableParallelism() + 1), timeout, forbidPending: true },
    ...{ reporter: FileReporter, grep: new RegExp(`${grep}|runs to its end`) },
    // In a full run, a file without a test is an error.
    reporterOptions: { expected: tier === 'nightly' && values.grep === undefined && !values.floor ? [...host, ...inNode] : [] },
  });
  const built = (/** @type {string} */ file) => path.join(out, file.replace(/\.ts$/, '.js'));
  // Runs the few journeys of `npm test` in one process. Starting a VS Code for each process would take longer.
  const isShort = tier === 'test' && !values.floor && host.length > 0;
  if (isShort) {
    writeSequence('host.js', host.map(built));
  }
  const [first, ...others] = host;
  const ordered = isShort ? ['host.js', ...inNode] : [...(first === undefined ? [] : [first]), ...inNode, ...others];
  for (const file of ordered) {
    mocha.addFile(built(file));
  }
  return await new Promise(resolve => mocha.run(resolve));
}

process.chdir(root);
mkdirSync(out, { recursive: true });
onExit(() => rmSync(out, { recursive: true, force: true }));
const files = await buildAll();
if (files.host.length + files.inNode.length === 0) {
  console.error(`No test file matches ${values.only.join(', ')}.`);
}
const failures = await run(files);
process.exit(failures === 0 && files.host.length + files.inNode.length > 0 ? 0 : 1);
