// @ts-check
// Builds the tests and runs them with mocha, one line per file, and a last line `N passed, N failed`:
//   node test/run.mjs [KIND...] [--tier test|rest|nightly] [--only PART-OF-A-PATH] [--grep TEXT] [--floor]
// Kinds: unit, contract, webview (in a Chromium), host (in a VS Code). Default: all of them.
// Tiers are explained in .github/CONTRIBUTING.md; the default is `test`, or every test of the files that --only names.
// --floor runs on the oldest supported VS Code.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { buildInsideTests, buildNodeTests, buildThreads, listTests } from './build.mjs';
import { onExit } from './helpers/onExit.mjs';
import { FileReporter } from './reporter.mjs';
import { canHoldTests, toFloorPattern, toTierPattern } from './tiers.mjs';

/** Milliseconds after which a test counts as hung. Never a measure of the machine. */
const timeout = 360_000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string' },
    only: { type: 'string', default: '' },
    grep: { type: 'string' },
    floor: { type: 'boolean', default: false },
  },
});
const tier = /** @type {import('./tiers.mjs').Tier} */ (values.tier ?? (values.only === '' ? 'test' : 'nightly'));
const kinds = positionals.length > 0 ? positionals : ['unit', 'contract', 'webview', 'host'];
const pair = values.floor ? 'floor' : 'newest';
const out = path.join(root, 'out', `test-${process.pid}`);
// Mocha starts its workers with the options and the environment of this process. Room for short-lived objects saves a tenth of the time.
process.execArgv.push('--enable-source-maps', '--max-semi-space-size=64');
Object.assign(process.env, { TEST_BUILD: out, TEST_VSCODE: pair });
if (tier === 'nightly' && values.only === '') {
  process.env.TEST_LONG = 'yes';
}

/** Test files in the order in which they start: files that need a VS Code last, because it may have to be downloaded first. */
function chooseFiles() {
  const folders = kinds.flatMap(kind => (kind === 'host' ? ['host/workbench'] : [kind]));
  const files = folders.flatMap(folder => listTests(root, folder));
  const all = kinds.includes('host') ? [...files, 'host/features.test.ts'] : files;
  const read = (/** @type {string} */ file) => readFileSync(path.join(root, 'test', file), 'utf8');
  return all.filter(file => file.includes(values.only) && canHoldTests(tier, read(file)));
}

/** @param {readonly string[]} files */
async function buildAll(files) {
  const { buildActor } = await import('./host/actor/buildActor.mjs');
  const { stageExtension } = await import('./host/stageExtension.mjs');
  const isHost = files.some(file => file.startsWith('host/'));
  await Promise.all([
    buildNodeTests(root, files, out),
    buildThreads(root, out),
    ...(isHost
      ? [
          stageExtension(root, path.join(out, 'extension')),
          buildActor(root, path.join(out, 'actor')),
          buildInsideTests(root, path.join(out, 'inside')),
        ]
      : []),
  ]);
}

/**
 * Runs built test files, a few at a time, and returns the number of failures.
 * @param {readonly string[]} files
 */
async function run(files) {
  const mocha = new Mocha({
    ...{ parallel: true, jobs: Number(process.env.TEST_JOBS ?? os.availableParallelism() + 1), timeout, forbidPending: true },
    ...{ reporter: FileReporter, grep: values.grep ?? (values.floor ? toFloorPattern(tier) : toTierPattern(tier)) },
    // A file that runs no test at all has lost its tests.
    reporterOptions: { expected: tier === 'nightly' && values.grep === undefined && !values.floor ? files : [] },
  });
  for (const file of files) {
    mocha.addFile(path.join(out, file.replace(/\.ts$/, '.js')));
  }
  return await new Promise(resolve => mocha.run(resolve));
}

process.chdir(root);
mkdirSync(out, { recursive: true });
onExit(() => rmSync(out, { recursive: true, force: true }));
const files = chooseFiles();
await buildAll(files);
const failures = await run(files);
process.exit(failures === 0 && files.length > 0 ? 0 : 1);
