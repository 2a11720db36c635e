// Runs test suites and closes with one line, `N passed, N failed`:
//   node test/run.mjs unit contract [--only PART-OF-A-FILE-NAME] [--grep TEXT]
// Kinds: unit and contract in plain Node; host in the newest VS Code; floor in the oldest one that is supported.
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
const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' }, grep: { type: 'string' } } });

const threads = ['jsonlThread', 'emulatorThread'];

/** Builds the test files of one kind, with the sources they import, and runs them in a mocha of their own. */
async function runInNode(kind) {
  const files = readdirSync(path.join(root, 'test', kind), { recursive: true })
    .filter(file => file.endsWith('.test.ts') && file.includes(values.only ?? ''))
    .map(file => path.join('test', kind, file));
  if (files.length === 0) {
    return { passed: 0, failed: values.only === undefined ? 1 : 0 };
  }
  const out = path.join(root, 'out', `test-${process.pid}`);
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
      timeout: 10_000,
      seconds: 300,
      env: { TEST_BUILD: out },
    });
  } finally {
    forget();
    rmSync(out, { recursive: true, force: true });
  }
}

/** Runs the tests that need a VS Code; one that cannot be had counts as one failure. */
async function runInVsCode(kind) {
  try {
    const { runHost } = await import('./host/runHost.mjs');
    return await runHost({ root, kind, only: values.only ?? '', grep: values.grep ?? '' });
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  }
}

let passed = 0;
let failed = 0;
for (const kind of positionals) {
  console.log(`\n=== ${kind} tests`);
  const count = kind === 'host' || kind === 'floor' ? await runInVsCode(kind) : await runInNode(kind);
  passed += count.passed;
  failed += count.failed;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
