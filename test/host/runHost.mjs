// @ts-check
import { readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { nodeOptions } from '../../esbuild.mjs';
import { onExit } from '../helpers/onExit.mjs';
import { runMocha } from '../helpers/runMocha.mjs';
import { runUpToTwice, toAttemptsSummary } from './attempts.mjs';
import { prepareVsCode } from './prepare.mjs';
import { runInCodeServer, runInDesktop } from './runInHost.mjs';
import { stageExtension } from './stageExtension.mjs';

/** A file that takes longer hangs; a machine that is busy with other things may need more. */
const secondsPerFile = Number(process.env.HOST_FILE_SECONDS ?? 300);

/** What no VS Code can change: the runner, the start script, and the acts of a person that every other file is made of. */
const newestOnly = ['workbench/npmStart.test.ts', 'workbench/runner.test.ts', 'workbench/start.test.ts'];

/**
 * What a brief run drives on the oldest VS Code: each kind of thing that VS Code gives and that differs between its versions
 * (quick inputs, lenses, links, hovers, trees, webviews, dialogs, notifications, trust, reloads), and the main job from its
 * begin to its end. What other files do with the same things is our own code, which the newest VS Code runs whole.
 */
const briefOnFloor = ['agentJob', 'batches', 'connection', 'jsonl', 'mainJob'].map(name => `workbench/${name}.test.ts`);

/** @typedef {{ passed: number, failed: number }} Count */
/** @typedef {import('./attempts.mjs').FileOutcome} FileOutcome */
/** @typedef {import('./attempts.mjs').Outcome} Outcome */

/**
 * Runs the tests of `test/host`: those in `workbench/` drive the page from outside, each file in a VS Code of its own; the
 * others run inside one extension host, one after another. A file that crashes, hangs, or runs nothing counts as one failure.
 * A file that fails is run once more, in a VS Code of its own; the last attempt counts, and the first is told of.
 * @param {object} options
 * @param {string} options.root the project
 * @param {'host' | 'floor'} options.kind newest VS Code, or the oldest that is supported
 * @param {string} options.only part of the path of the files to run
 * @param {string} options.grep
 * @param {boolean} options.isBrief leaves out on the floor what hardly depends on the version
 * @param {Promise<import('./prepare.mjs').Prepared>} [options.prepared] VS Code, where it is being prepared already
 * @returns {Promise<Count>}
 */
export async function runHost({ root, kind, only, grep, isBrief, prepared }) {
  const pair = kind === 'floor' ? 'floor' : 'newest';
  const folder = path.join(root, 'test/host');
  let sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll(path.sep, '/'))
    .filter(file => file.endsWith('.test.ts') && file.includes(only))
    .filter(source => kind !== 'floor' || !newestOnly.includes(source))
    .filter(source => kind !== 'floor' || !isBrief || !isDriver(source) || briefOnFloor.includes(source))
    .sort();
  if (sources.length === 0) {
    return { passed: 0, failed: only === '' ? 1 : 0 };
  }
  const log = (/** @type {string} */ line) => console.log(line);
  const { choice, page } = await (prepared ?? prepareVsCode(pair, sources.some(isDriver), log));
  if (page === undefined && sources.some(isDriver)) {
    log('The tests in test/host/workbench need code-server, which npm cannot bring to this machine: they are left out.');
    sources = sources.filter(source => !isDriver(source));
  }

  const out = path.join(root, 'out', `host-${process.pid}`);
  const extension = path.join(out, 'extension');
  const screenshots = path.join(root, 'out/screenshots', kind === 'floor' ? 'floor' : '.');
  const evidences = path.join(root, 'out/failures', `${kind}-${process.pid}`);
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
    const toBuilt = (/** @type {string} */ source) => path.join(built, source.replace(/\.ts$/, '.mjs'));
    const entry = path.join(built, 'hostEntry.mjs');
    const shown = () => {
      if (page === undefined) {
        throw new Error('unreachable: a page is wanted and was not prepared');
      }
      return page;
    };

    /**
     * @param {readonly string[]} names
     * @param {string} evidence
     * @param {Print} print
     */
    async function runInside(names, evidence, print) {
      const suite = {
        ...{ files: names.map(name => ({ name, file: toBuilt(name) })), entry, extension, screenshots },
        ...{ evidence: path.join(evidences, evidence), grep, seconds: secondsPerFile, print },
      };
      return choice.kind === 'desktop'
        ? await runInDesktop(suite, choice.executable)
        : await runInCodeServer(suite, shown().runtime, shown().chromium);
    }

    /**
     * @param {string} name
     * @param {string} evidence
     * @param {Print} print
     */
    async function drive(name, evidence, print) {
      const pictures = kind === 'floor' ? {} : { screenshots };
      const context = { extension, entry, ...shown(), ...pictures, evidence: path.join(evidences, evidence) };
      const file = toBuilt(name);
      print(`\n${name}\n`);
      return await runMocha({
        ...{ name, files: [file], countFile: `${file}.count.json`, grep, timeout: 120_000, seconds: secondsPerFile },
        ...{ env: { FORCE_COLOR: '1', MANAGED_AGENTS_TEST_HOST: JSON.stringify(context) }, print },
      });
    }

    const inside = sources.filter(source => !isDriver(source));
    // The longest first, so that none is left over at the end.
    const drivers = sources.filter(isDriver).sort((a, b) => statSync(path.join(folder, b)).size - statSync(path.join(folder, a)).size);
    /** @type {FileOutcome[]} */
    const outcomes = [];
    /** @type {((print: Print) => Promise<void>)[]} */
    const tasks = drivers.map(name => async print => {
      outcomes.push(await runUpToTwice(name, attempt => drive(name, toEvidence(name, attempt), print)));
    });
    if (inside.length > 0) {
      tasks.unshift(async print => {
        const first = await runInside(inside, 'inside', print);
        for (const name of inside) {
          const again = async () => (await runInside([name], toEvidence(name, 2), print)).get(name) ?? nothing;
          outcomes.push(await runUpToTwice(name, again, first.get(name)));
        }
      });
    }
    const jobs = Number(process.env.HOST_JOBS ?? Math.min(4, os.availableParallelism()));
    await inParallel(jobs, tasks, async task => {
      const started = Date.now();
      const printed = printer(jobs === 1);
      await task(printed.print);
      printed.print(`  ${((Date.now() - started) / 1000).toFixed(0)} s\n`);
      printed.flush();
    });
    for (const line of toAttemptsSummary(outcomes)) {
      log(line);
    }
    return {
      passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
      failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    };
  } finally {
    forget();
    rmSync(out, { recursive: true, force: true });
  }
}

/** @typedef {(text: string) => void} Print */

/** @type {Outcome} */
const nothing = { passed: 0, failed: 1, failures: ['it ran no test'] };

/**
 * Name of the folder for what a failure leaves.
 * @param {string} source
 * @param {1 | 2} attempt
 */
function toEvidence(source, attempt) {
  return `${source.replace(/\.test\.ts$/, '')}${attempt === 1 ? '' : '-again'}`;
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
