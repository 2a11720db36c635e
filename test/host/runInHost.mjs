// @ts-check
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { silence } from '../runner/lane.mjs';
import { createTally } from '../runner/tally.mjs';
import { openWindow } from './browserWindow.mjs';
import { openChannel } from './channel.mjs';
import { launchChromium } from './chromium.mjs';
import { calmSettings, keepLogs, quietSettings, startCodeServer } from './codeServer.mjs';
import { startDesktop } from './desktop.mjs';
import { WorkbenchPage } from './workbenchPage.mjs';

/**
 * @typedef {object} Suite
 * @property {readonly { readonly name: string, readonly file: string }[]} files test files as they are called and as they are built
 * @property {string} entry the built `hostEntry`
 * @property {string} extension folder of the built extension
 * @property {string} [screenshots] folder of pictures, where they are asked for
 * @property {string} evidence folder for what a failure leaves
 * @property {string} grep
 * @property {number} [silence] seconds in which it says something
 * @property {(text: string) => void} print
 */

/** @typedef {ReadonlyMap<string, import('../runner/tally.mjs').Outcome>} Outcomes by the name of the file */

/**
 * Runs test files one after another inside the extension host of one code-server shown in Chromium.
 * @param {Suite} suite
 * @param {import('./runtime.mjs').Runtime} runtime
 * @param {import('./chromium.mjs').Chromium} chromium
 * @returns {Promise<Outcomes>}
 */
export async function runInCodeServer(suite, runtime, chromium) {
  /** @type {WorkbenchPage | undefined} */
  let page;
  const tally = createTally({
    ...tallied(suite),
    onPage: (name, args) => {
      const method = page === undefined ? undefined : Reflect.get(page, name);
      if (typeof method !== 'function') {
        throw new Error(`The page has no ${name}.`);
      }
      return Reflect.apply(method, page, args);
    },
  });
  let pictures = 0;
  const channel = await openChannel(async (name, args) => {
    const answer = await tally.handle(name, args);
    if (name === 'failed') {
      await page?.page.screenshot({ path: path.join(suite.evidence, `failure-${++pictures}.png`) });
    }
    return answer;
  });
  const folder = createWorkspace();
  mkdirSync(suite.evidence, { recursive: true });
  const pageLog = createWriteStream(path.join(suite.evidence, 'page.log'));
  /** @type {import('./codeServer.mjs').CodeServer | undefined} */
  let server;
  /** @type {import('playwright-core').Browser | undefined} */
  let browser;
  try {
    server = await startCodeServer({
      runtime,
      isBare: true,
      settings: { ...calmSettings, 'security.workspace.trust.enabled': false },
      env: { ...suiteEnvironment(suite, true), ...channel.env },
    });
    browser = await launchChromium(chromium, server.folder);
    const shown = await openWindow(browser, {
      server,
      folder,
      development: { extension: suite.extension, tests: suite.entry },
      log: line => pageLog.write(`${line}\n`),
      // A small page is soon painted, and few of these tests look at it.
      ...(suite.screenshots === undefined ? { viewport: { width: 640, height: 480 } } : {}),
    });
    page = new WorkbenchPage(shown, suite.screenshots);
    /** @type {Promise<string>} */
    const crashed = new Promise(resolve => shown.once('crash', () => resolve('the page crashed')));
    await tally.ended(suite.silence ?? silence, [server.exited, crashed]);
    if (tally.hasFailed()) {
      await shown.screenshot({ path: path.join(suite.evidence, 'end.png') });
    }
  } catch (error) {
    tally.abort(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await browser?.close();
    if (server !== undefined) {
      keepLogs(server.folder, suite.evidence);
      await server.stop();
    }
    pageLog.end();
    channel.close();
    rmSync(folder, { recursive: true, force: true });
    keepOnlyFailures(suite, tally.outcomes);
  }
  return tally.outcomes;
}

/**
 * Runs test files one after another inside the extension host of one desktop VS Code.
 * @param {Suite} suite
 * @param {string} executable
 * @returns {Promise<Outcomes>}
 */
export async function runInDesktop(suite, executable) {
  const tally = createTally({
    ...tallied(suite),
    onPage: name => {
      throw new Error(`A desktop VS Code has no page: ${name} is not to be had. Ask page.available first.`);
    },
  });
  const channel = await openChannel(tally.handle);
  const folder = createWorkspace();
  const profile = mkdtempSync(path.join(os.tmpdir(), 'managed-agents-vscode-'));
  mkdirSync(path.join(profile, 'user/User'), { recursive: true });
  writeFileSync(path.join(profile, 'user/User/settings.json'), JSON.stringify({ ...quietSettings, ...calmSettings }));
  mkdirSync(suite.evidence, { recursive: true });
  const log = createWriteStream(path.join(suite.evidence, 'vscode.log'));
  const started = startDesktop(
    executable,
    [
      folder,
      `--extensionDevelopmentPath=${suite.extension}`,
      `--extensionTestsPath=${suite.entry}`,
      `--user-data-dir=${path.join(profile, 'user')}`,
      `--extensions-dir=${path.join(profile, 'extensions')}`,
      '--disable-workspace-trust',
      '--disable-extensions',
    ],
    { ...suiteEnvironment(suite, false), ...channel.env },
  );
  started.child.stdout?.pipe(log, { end: false });
  started.child.stderr?.pipe(log, { end: false });
  await tally.ended(suite.silence ?? silence, [started.exited]);
  await started.stop();
  channel.close();
  log.end();
  rmSync(folder, { recursive: true, force: true });
  keepLogs(profile, suite.evidence);
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  keepOnlyFailures(suite, tally.outcomes);
  return tally.outcomes;
}

/** @param {Suite} suite */
function tallied({ files, grep, print }) {
  return { names: files.map(({ name }) => name), grep, print };
}

/**
 * @param {Suite} suite
 * @param {Outcomes} outcomes
 */
function keepOnlyFailures(suite, outcomes) {
  const failed = [...outcomes.values()].filter(outcome => outcome.failed > 0);
  for (const outcome of failed) {
    outcome.evidence.push(suite.evidence);
  }
  if (failed.length === 0) {
    rmSync(suite.evidence, { recursive: true, force: true });
  }
}

/**
 * @param {Suite} suite
 * @param {boolean} hasPage
 * @returns {NodeJS.ProcessEnv}
 */
function suiteEnvironment(suite, hasPage) {
  return {
    MANAGED_AGENTS_TEST_FILES: JSON.stringify(suite.files),
    MANAGED_AGENTS_TEST_GREP: suite.grep,
    MANAGED_AGENTS_TEST_PAGE: hasPage ? 'yes' : 'no',
  };
}

function createWorkspace() {
  return mkdtempSync(path.join(os.tmpdir(), 'managed-agents-workspace-'));
}
