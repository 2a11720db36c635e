// Runs test suites and closes with one line, `N passed, N failed`:
//   node test/run.mjs unit contract [--only PART-OF-A-FILE-NAME] [--grep TEXT]
// Kinds: unit, contract and webview (which drives a Chromium) in plain Node, side by side; host in the newest VS Code; floor in the oldest one that is supported.
// With --brief the floor leaves out what hardly depends on the version of VS Code.
// With --prepare it only brings the VS Code of these kinds here, and counts nothing.
// Exit code 0 when everything passed, 1 otherwise.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { nodeOptions, threadEntryPoints } from '../esbuild.mjs';
import { onExit } from './helpers/onExit.mjs';
import { runMocha } from './helpers/runMocha.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { values, positionals: kinds } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, grep: { type: 'string' }, brief: { type: 'boolean' }, prepare: { type: 'boolean' } },
});

const threads = ['jsonlThread', 'emulatorThread'];

/**
 * Builds the test files of one kind, with the sources they import, and runs them in a mocha of their own. Without `print` it is
 * shown as it comes.
 */
async function runInNode(kind, print) {
  const files = readdirSync(path.join(root, 'test', kind), { recursive: true })
    .filter(file => file.endsWith('.test.ts') && file.includes(values.only ?? ''))
    .map(file => path.join('test', kind, file));
  if (files.length === 0) {
    return { passed: 0, failed: values.only === undefined ? 1 : 0 };
  }
  const out = path.join(root, 'out', `test-${process.pid}-${kind}`);
  const countFile = path.join(out, 'count.json');
  mkdirSync(out, { recursive: true });
  const forget = onExit(() => rmSync(out, { recursive: true, force: true }));
  try {
    await build({
      ...nodeOptions,
      // Beside the tests, the threads that the sources under test start: tests find them by TEST_BUILD.
      entryPoints: [
        ...files.map(file => ({ in: file, out: file.slice('test/'.length).replace(/\.ts$/, '') })),
        ...threads.map(name => ({ in: threadEntryPoints[name], out: name })),
      ],
      outdir: out,
      packages: 'external',
      sourcemap: 'inline',
      logLevel: 'warning',
    });
    return await runMocha({
      name: kind,
      files: files.map(file => path.join(out, file.slice('test/'.length).replace(/\.ts$/, '.js'))),
      countFile,
      grep: values.grep ?? '',
      timeout: 60_000,
      seconds: 900,
      // As with a file in VS Code: a browser on a busy machine loses an act now and then, and the run says so.
      retries: kind === 'webview' ? 1 : 0,
      env: { TEST_BUILD: out },
      print,
    });
  } finally {
    forget();
    rmSync(out, { recursive: true, force: true });
  }
}

/** Runs the tests that need a VS Code; one that cannot be had counts as one failure. */
async function runInVsCode(kind, prepared) {
  try {
    const { runHost } = await import('./host/runHost.mjs');
    return await runHost({ root, kind, only: values.only ?? '', grep: values.grep ?? '', isBrief: values.brief === true, prepared });
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  }
}

/** Brings the VS Code of a kind here. */
async function prepare(kind) {
  const { prepareVsCode } = await import('./host/prepare.mjs');
  return await prepareVsCode(kind === 'floor' ? 'floor' : 'newest', true, line => console.log(line));
}

/** Runs the kinds that need plain Node at the same time. The first is shown as it comes, the others when it is their turn. */
async function runAllInNode(kinds) {
  const runs = kinds.map((kind, index) => {
    let held = '';
    const print = index === 0 ? undefined : text => (held += text);
    const ended = runInNode(kind, print).catch(error => {
      console.error(error);
      return { passed: 0, failed: 1 };
    });
    return { kind, ended, held: () => held };
  });
  const counts = [];
  for (const { kind, ended, held } of runs) {
    console.log(`\n=== ${kind} tests`);
    counts.push(await ended);
    process.stdout.write(held());
  }
  return counts;
}

const isHost = kind => kind === 'host' || kind === 'floor';
if (values.prepare) {
  await Promise.all(kinds.filter(isHost).map(prepare));
  process.exit(0);
}
const isWhole = values.only === undefined;
// What is missing of VS Code arrives while other tests run.
const prepared = new Map(kinds.filter(kind => isHost(kind) && isWhole).map(kind => [kind, prepare(kind)]));
for (const failing of prepared.values()) {
  // It is told of when the tests are to run.
  failing.catch(() => undefined);
}
const counts = await runAllInNode(kinds.filter(kind => !isHost(kind)));
for (const kind of kinds.filter(isHost)) {
  console.log(`\n=== ${kind} tests`);
  counts.push(await runInVsCode(kind, prepared.get(kind)));
}
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
