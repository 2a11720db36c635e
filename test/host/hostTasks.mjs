// @ts-check
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { nodeOptions } from '../../esbuild.mjs';
import { onExit } from '../helpers/onExit.mjs';
import { buildActor } from './actor/buildActor.mjs';
import { chooseHostFiles, isDriver, waiting } from './hostFiles.mjs';
import { prepareVsCode } from './prepare.mjs';
import { runInCodeServer, runInDesktop } from './runInHost.mjs';
import { canHaveRuntime } from './runtime.mjs';
import { stageExtension } from './stageExtension.mjs';

/** @typedef {import('../runner/nodeTasks.mjs').TaskOptions} TaskOptions */
/** @typedef {import('../runner/nodeTasks.mjs').TaskSet} TaskSet */
/** @typedef {import('../runner/workers.mjs').Task} Task */

/**
 * The tests of `test/host`, built with the extension: those in `workbench/` drive the page from outside and share one VS Code per
 * worker; the others run inside one extension host, one after another. VS Code is brought here meanwhile.
 * @param {TaskOptions} options
 * @returns {Promise<TaskSet>}
 */
export async function prepareHostTasks({ root, kind, only, grep, isBrief, isLong, isRest, log }) {
  const folder = path.join(root, 'test/host');
  const pair = kind === 'floor' ? 'floor' : 'newest';
  const isLeftOut = (/** @type {string} */ source) => isDriver(source) && !canHaveRuntime(pair);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => file.replaceAll(path.sep, '/'));
  const all = chooseHostFiles(files, { kind, only, isBrief, isLong, isRest });
  if (all.some(isLeftOut)) {
    log('The tests in test/host/workbench need code-server, which npm cannot bring to this machine: they are left out.');
  }
  const sources = all.filter(source => !isLeftOut(source));
  const out = path.join(root, 'out', `${kind}-${process.pid}`);
  const remove = () => rmSync(out, { recursive: true, force: true });
  const forget = onExit(remove);
  const isDriven = sources.some(isDriver);
  const preparing = sources.length === 0 ? undefined : prepareVsCode(pair, isDriven, log);
  // It is told of by the first task that needs it.
  preparing?.catch(() => undefined);
  const places = {
    tests: path.join(out, 'tests'),
    extension: path.join(out, 'extension'),
    actor: path.join(out, 'actor'),
    // Pictures are taken only for those who look at them.
    screenshots: process.env.TEST_PICTURES === 'yes' ? path.join(root, 'out/screenshots', kind === 'floor' ? 'floor' : '.') : undefined,
    evidence: path.join(root, 'out/failures', `${kind}-${process.pid}`),
  };
  if (sources.length > 0) {
    await Promise.all([stageExtension(root, places.extension), buildTests(root, sources, places.tests), buildActor(root, places.actor)]);
  }
  const toBuilt = (/** @type {string} */ source) => path.join(places.tests, source.replace(/\.ts$/, '.mjs'));
  const size = (/** @type {string} */ source) => statSync(path.join(folder, source)).size;

  const inside = sources.filter(source => !isDriver(source));
  // The longest first, so that none is left over at the end.
  const drivers = sources.filter(isDriver).sort((a, b) => size(b) - size(a));
  /** @type {Task[]} */
  const tasks = drivers.map(name => ({
    kind,
    name,
    waits: waiting.includes(name),
    async run(worker, print) {
      const { page } = await prepared(preparing);
      if (page === undefined) {
        throw new Error('unreachable: what drives a page has one');
      }
      const context = {
        ...{ extension: places.extension, actor: places.actor, entry: toBuilt('hostEntry.ts'), ...page },
        ...{ screenshots: places.screenshots, evidence: path.join(places.evidence, name.replace(/\.test\.ts$/, '')) },
      };
      const start = { entry: toBuilt('laneEntry.ts'), env: { FORCE_COLOR: '1' } };
      const order = { name, file: toBuilt(name), grep, listsTests: true, env: { MANAGED_AGENTS_TEST_HOST: JSON.stringify(context) } };
      return await worker.runFile(kind, start, order, print);
    },
  }));
  if (inside.length > 0) {
    tasks.unshift({
      kind,
      name: 'inside the extension host',
      async run(worker, print) {
        await worker.rest();
        const { choice, page } = await prepared(preparing);
        const suite = {
          ...{ files: inside.map(name => ({ name, file: toBuilt(name) })), entry: toBuilt('hostEntry.ts') },
          ...{ extension: places.extension, screenshots: places.screenshots, evidence: path.join(places.evidence, 'inside'), grep, print },
        };
        if (choice.kind === 'desktop') {
          return await runInDesktop(suite, choice.executable);
        }
        if (page === undefined) {
          throw new Error('unreachable: a code-server was chosen and not prepared');
        }
        return await runInCodeServer(suite, page.runtime, page.chromium);
      },
    });
  }
  return {
    tasks,
    remove: () => {
      forget();
      remove();
    },
  };
}

/** @param {Promise<import('./prepare.mjs').Prepared> | undefined} preparing */
async function prepared(preparing) {
  if (preparing === undefined) {
    throw new Error('unreachable: what runs was prepared');
  }
  return await preparing;
}

/**
 * @param {string} root
 * @param {readonly string[]} sources
 * @param {string} folder
 */
async function buildTests(root, sources, folder) {
  await build({
    ...nodeOptions,
    entryPoints: ['test/host/hostEntry.ts', 'test/host/laneEntry.ts', ...sources.map(file => `test/host/${file}`)],
    absWorkingDir: root,
    outdir: folder,
    outbase: 'test/host',
    outExtension: { '.js': '.mjs' },
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}
