// Runs test suites and closes with one line, `N passed, N failed`:
//   node test/run.mjs unit contract [--only PART-OF-A-FILE-NAME] [--grep TEXT]
// Kinds: unit and contract in plain Node; host in the newest VS Code; floor in the oldest one that is supported.
// Exit code 0 when everything passed, 1 otherwise.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { nodeOptions } from '../esbuild.mjs';

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
  try {
    await build({
      ...nodeOptions,
      // Beside the tests, the threads that the sources under test start: tests find them by TEST_BUILD.
      entryPoints: [
        ...files.map(file => ({ in: file, out: file.slice('test/'.length).replace(/\.ts$/, '') })),
        ...threads.map(name => ({ in: nodeOptions.entryPoints[name], out: name })),
      ],
      outdir: out,
      packages: 'external',
      sourcemap: 'inline',
      logLevel: 'warning',
    });
    const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
    const args = [
      '--enable-source-maps',
      mocha,
      '--reporter',
      path.join(root, 'test/helpers/countingReporter.mjs'),
      '--reporter-option',
      `output=${countFile}`,
    ];
    if (values.grep !== undefined) {
      args.push('--grep', values.grep);
    }
    args.push('--timeout', '10000', ...files.map(file => path.join(out, file.slice('test/'.length).replace(/\.ts$/, '.js'))));
    const code = await new Promise(resolve =>
      spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, TEST_BUILD: out } }).once('exit', resolve),
    );
    return readCount(countFile, code);
  } finally {
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

/** What a run counted; a run that ended badly without a failed test counts as one failure. */
function readCount(file, code) {
  let count = { passed: 0, failed: 0 };
  try {
    count = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.error(`The run ended with code ${code} and counted nothing.`);
    return { passed: 0, failed: 1 };
  }
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
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
