// @ts-check
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openWindow } from './browserWindow.mjs';
import { openChannel } from './channel.mjs';
import { launchChromium } from './chromium.mjs';
import { keepLogs, quietSettings, startCodeServer } from './codeServer.mjs';
import { startDesktop } from './desktop.mjs';
import { WorkbenchPage } from './workbenchPage.mjs';

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} file the built test file
 * @property {string} entry the built `hostEntry`
 * @property {string} extension folder of the built extension
 * @property {string} screenshots
 * @property {string} evidence folder for what a failure leaves
 * @property {string} grep
 * @property {number} seconds it may take
 * @property {(text: string) => void} print
 */

/** @typedef {{ passed: number, failed: number }} Count */

/**
 * Runs one test file inside the extension host of a code-server shown in Chromium.
 * @param {Suite} suite
 * @param {import('./runtime.mjs').Runtime} runtime
 * @param {import('./chromium.mjs').Chromium} chromium
 * @returns {Promise<Count>}
 */
export async function runInCodeServer(suite, runtime, chromium) {
  /** @type {WorkbenchPage | undefined} */
  let page;
  const tally = createTally(suite, (name, args) => {
    const method = page === undefined ? undefined : Reflect.get(page, name);
    if (typeof method !== 'function') {
      throw new Error(`The page has no ${name}.`);
    }
    return Reflect.apply(method, page, args);
  });
  const channel = await openChannel(tally.handle);
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
      settings: { 'security.workspace.trust.enabled': false },
      env: { ...suiteEnvironment(suite, true), ...channel.env },
    });
    browser = await launchChromium(chromium, server.folder);
    const shown = await openWindow(browser, {
      server,
      folder,
      development: { extension: suite.extension, tests: suite.entry },
      log: line => pageLog.write(`${line}\n`),
    });
    page = new WorkbenchPage(shown, suite.screenshots);
    /** @type {Promise<string>} */
    const crashed = new Promise(resolve => shown.once('crash', () => resolve('the page crashed')));
    await tally.ended(suite, [server.exited, crashed]);
    if (tally.count.failed > 0) {
      await shown.screenshot({ path: path.join(suite.evidence, 'page.png') });
    }
  } catch (error) {
    tally.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await browser?.close();
    if (server !== undefined) {
      keepLogs(server.folder, suite.evidence);
      await server.stop();
    }
    pageLog.end();
    channel.close();
    rmSync(folder, { recursive: true, force: true });
    keepOnlyFailure(suite, tally.count);
  }
  return tally.count;
}

/**
 * Runs one test file inside the extension host of a desktop VS Code.
 * @param {Suite} suite
 * @param {string} executable
 * @returns {Promise<Count>}
 */
export async function runInDesktop(suite, executable) {
  const tally = createTally(suite, name => {
    throw new Error(`A desktop VS Code has no page: ${name} is not to be had. Ask page.available first.`);
  });
  const channel = await openChannel(tally.handle);
  const folder = createWorkspace();
  const profile = mkdtempSync(path.join(os.tmpdir(), 'managed-agents-vscode-'));
  mkdirSync(path.join(profile, 'user/User'), { recursive: true });
  writeFileSync(path.join(profile, 'user/User/settings.json'), JSON.stringify(quietSettings));
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
  await tally.ended(suite, [started.exited]);
  await started.stop();
  channel.close();
  log.end();
  rmSync(folder, { recursive: true, force: true });
  keepLogs(profile, suite.evidence);
  rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  keepOnlyFailure(suite, tally.count);
  return tally.count;
}

/**
 * Counts what a suite says of itself. A suite that says no end, or runs nothing, has failed.
 * @param {Suite} suite
 * @param {(name: string, args: unknown[]) => unknown} onPage
 */
function createTally(suite, onPage) {
  const count = { passed: 0, failed: 0 };
  let end = () => {};
  /** @type {Promise<'end'>} */
  const ended = new Promise(resolve => {
    end = () => resolve('end');
  });
  const fail = (/** @type {string} */ why) => {
    count.failed++;
    suite.print(`  FAILED ${suite.name}: ${why}\n`);
  };
  return {
    count,
    fail,
    /**
     * @param {string} name
     * @param {unknown[]} args
     */
    handle(name, args) {
      switch (name) {
        case 'print':
          return suite.print(`${args[0]}\n`);
        case 'test':
          return args[0] === 'passed' ? count.passed++ : count.failed++;
        case 'end':
          return end();
        case 'page':
          return onPage(String(args[0]), args.slice(1));
        default:
          throw new Error(`The runner knows no ${name}.`);
      }
    },
    /**
     * Settles when the suite said its end, or one of `others` or the time came first, which fails it.
     * @param {Suite} limits
     * @param {readonly Promise<string>[]} others
     */
    async ended(limits, others) {
      const late = new AbortController();
      const timeout = wait(limits.seconds * 1000, `it did not end within ${limits.seconds} s`, { signal: late.signal });
      const first = await Promise.race([ended, timeout, ...others]);
      timeout.catch(() => undefined);
      late.abort();
      if (first !== 'end') {
        fail(first);
      } else if (count.passed + count.failed === 0 && limits.grep === '') {
        fail('it ran no test');
      }
    },
  };
}

/**
 * @param {Suite} suite
 * @param {Count} count
 */
function keepOnlyFailure(suite, count) {
  if (count.failed > 0) {
    suite.print(`  Kept in ${suite.evidence}: ${existsSync(path.join(suite.evidence, 'page.png')) ? 'page.png and ' : ''}logs\n`);
  } else {
    rmSync(suite.evidence, { recursive: true, force: true });
  }
}

/**
 * @param {Suite} suite
 * @param {boolean} hasPage
 * @returns {NodeJS.ProcessEnv}
 */
function suiteEnvironment(suite, hasPage) {
  return { MANAGED_AGENTS_TEST_FILE: suite.file, MANAGED_AGENTS_TEST_GREP: suite.grep, MANAGED_AGENTS_TEST_PAGE: hasPage ? 'yes' : 'no' };
}

function createWorkspace() {
  return mkdtempSync(path.join(os.tmpdir(), 'managed-agents-workspace-'));
}
