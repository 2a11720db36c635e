// @ts-check
import { readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { nodeOptions } from '../../esbuild.mjs';
import { onExit } from '../helpers/onExit.mjs';
import { runMocha } from '../helpers/runMocha.mjs';
import { chooseVsCode } from './chooseVsCode.mjs';
import { ensureChromium } from './chromium.mjs';
import { runInCodeServer, runInDesktop } from './runInHost.mjs';
import { canHaveRuntime, ensureRuntime } from './runtime.mjs';
import { stageExtension } from './stageExtension.mjs';

/** A file that takes longer hangs; a machine that is busy with other things may need more. */
const secondsPerFile = Number(process.env.HOST_FILE_SECONDS ?? 300);

/** @typedef {{ passed: number, failed: number }} Count */

/**
 * Runs the tests of `test/host`, each file in a VS Code of its own: those in `workbench/` drive the page from outside, the
 * others run inside the extension host. A file that crashes, hangs, or runs nothing counts as one failure.
 * @param {object} options
 * @param {string} options.root the project
 * @param {'host' | 'floor'} options.kind newest VS Code, or the oldest that is supported
 * @param {string} options.only part of the path of the files to run
 * @param {string} options.grep
 * @returns {Promise<Count>}
 */
export async function runHost({ root, kind, only, grep }) {
  const pair = kind === 'floor' ? 'floor' : 'newest';
  let sources = readdirSync(path.join(root, 'test/host'), { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll(path.sep, '/'))
    .filter(file => file.endsWith('.test.ts') && file.includes(only))
    // The runner and the start script are what they are on any VS Code.
    .filter(source => kind !== 'floor' || !['workbench/runner.test.ts', 'workbench/npmStart.test.ts'].includes(source))
    .sort();
  if (sources.length === 0) {
    return { passed: 0, failed: only === '' ? 1 : 0 };
  }
  const log = (/** @type {string} */ line) => console.log(line);
  const choice = await chooseVsCode(pair, log);
  log(`VS Code: ${choice.kind === 'desktop' ? choice.executable : 'code-server from npm'} (${choice.why})`);
  if (choice.kind === 'desktop' && !canHaveRuntime(pair) && sources.some(isDriver)) {
    log('The tests in test/host/workbench need code-server, which npm cannot bring to this machine: they are left out.');
    sources = sources.filter(source => !isDriver(source));
  }
  const needsPage = choice.kind === 'code-server' || sources.some(isDriver);
  const runtime = needsPage ? await ensureRuntime(pair, log) : undefined;
  const chromium = runtime === undefined ? undefined : await ensureChromium(runtime.node, log);
  if (runtime !== undefined && chromium !== undefined) {
    log(`code-server with VS Code ${runtime.vscode}, shown in ${chromium.executable} (${chromium.why})`);
  }

  const out = path.join(root, 'out', `host-${process.pid}`);
  const extension = path.join(out, 'extension');
  const screenshots = path.join(root, 'out/screenshots', kind === 'floor' ? 'floor' : '.');
  const forget = onExit(() => rmSync(out, { recursive: true, force: true }));
  try {
    await stageExtension(root, extension);
    const built = path.join(out, 'tests');
    await build({
      ...nodeOptions,
      entryPoints: ['test/host/hostEntry.ts', ...sources.map(file => `test/host/${file}`)],
      absWorkingDir: root,
      outdir: built,
      outbase: 'test/host',
      outExtension: { '.js': '.mjs' },
      packages: 'external',
      sourcemap: 'inline',
      logLevel: 'warning',
    });
    const count = { passed: 0, failed: 0 };
    const jobs = Number(process.env.HOST_JOBS ?? Math.min(4, os.availableParallelism()));
    await inParallel(jobs, sources, async source => {
      const printed = printer(jobs === 1);
      printed.print(`\n${source} [VS Code ${runtime?.vscode ?? ''}]\n`);
      const evidence = path.join(root, 'out/failures', `${kind}-${process.pid}`, source.replace(/\.test\.ts$/, ''));
      const file = path.join(built, source.replace(/\.ts$/, '.mjs'));
      const suite = {
        ...{ name: source, file, entry: path.join(built, 'hostEntry.mjs'), extension, screenshots, evidence, grep },
        ...{ seconds: secondsPerFile, print: printed.print },
      };
      /** @type {Count} */
      let result;
      if (choice.kind === 'desktop' && !isDriver(source)) {
        result = await runInDesktop(suite, choice.executable);
      } else if (runtime === undefined || chromium === undefined) {
        throw new Error('unreachable: a page was asked for and not prepared');
      } else if (isDriver(source)) {
        const context = { extension, entry: suite.entry, runtime, chromium, screenshots, evidence };
        result = await runMocha({
          ...{ name: source, files: [file], countFile: `${file}.count.json`, grep, timeout: 60_000, seconds: secondsPerFile },
          ...{ env: { FORCE_COLOR: '1', MANAGED_AGENTS_TEST_HOST: JSON.stringify(context) }, print: printed.print },
        });
      } else {
        result = await runInCodeServer(suite, runtime, chromium);
      }
      printed.flush();
      count.passed += result.passed;
      count.failed += result.failed;
    });
    return count;
  } finally {
    forget();
    rmSync(out, { recursive: true, force: true });
  }
}

/** @param {string} source */
function isDriver(source) {
  return source.startsWith('workbench/');
}

/**
 * @template T
 * @param {number} limit
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<void>} work
 */
async function inParallel(limit, items, work) {
  const left = [...items];
  await Promise.all(
    Array.from({ length: Math.max(1, limit) }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) {
        await work(item);
      }
    }),
  );
}

/**
 * Prints at once, or holds back what belongs together until it is whole.
 * @param {boolean} atOnce
 */
function printer(atOnce) {
  let held = '';
  return {
    print(/** @type {string} */ text) {
      if (atOnce) {
        process.stdout.write(text);
      } else {
        held += text;
      }
    },
    flush() {
      process.stdout.write(held);
      held = '';
    },
  };
}
