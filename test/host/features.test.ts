import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Mocha from 'mocha';
import { openWindow } from './browserWindow.mjs';
import { openChannel } from './channel.mjs';
import { launchChromium } from './chromium.mjs';
import { calmSettings, keepLogs, startCodeServer } from './codeServer.mjs';
import { ensureHost, evidenceFolder, extensionFolder, insideFolder, screenshotFolder } from './hostContext';
import type { InsideTest } from './hostEntry';
import { WorkbenchPage } from './page/workbenchPage';

const evidence = path.join(evidenceFolder, 'inside');

/** The tests of `features/` run inside one extension host, one file after another. Each of them is reported as a test of this file. */
describe('inside the extension host @floor', () => {
  it('runs to its end', async function () {
    // biome-ignore lint/nursery/noJsRestrictedProperties: it runs some 300 tests, each with the usual limit.
    this.timeout(1_200_000);
    const tests: InsideTest[] = [];
    try {
      await runInside(test => tests.push(test));
    } finally {
      const suite = Mocha.Suite.create(this.test?.parent as Mocha.Suite, '');
      for (const { title, error } of tests) {
        const test = new Mocha.Test(title, () => {
          if (error !== undefined) {
            throw Object.assign(new Error(error.message), { stack: error.stack });
          }
        });
        test.file = this.test?.file;
        suite.addTest(test);
      }
    }
  });
});

/** Runs the built tests in one code-server, shown in Chromium. Rejects if the server or the page ends early. */
async function runInside(report: (test: InsideTest) => void): Promise<void> {
  const { runtime, chromium } = await ensureHost();
  const closing: (() => unknown)[] = [];
  let page: WorkbenchPage | undefined;
  let failures = 0;
  let end = () => {};
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  const channel = await openChannel(async (name, args) => {
    if (name === 'page' && page !== undefined) {
      const method = Reflect.get(page, String(args[0])) as (...args: unknown[]) => unknown;
      return await method.apply(page, args.slice(1));
    }
    if (name === 'test') {
      const test = args[0] as InsideTest;
      report(test);
      if (test.error !== undefined) {
        failures++;
        await page?.page.screenshot({ path: path.join(evidence, `failure-${failures}.png`) });
      }
    } else if (name === 'print') {
      console.log(String(args[0]));
    } else if (name === 'end') {
      end();
    }
    return undefined;
  });
  closing.push(() => channel.close());
  const folder = mkdtempSync(path.join(os.tmpdir(), 'managed-agents-workspace-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(evidence, { recursive: true });
  const pageLog = createWriteStream(path.join(evidence, 'page.log'));
  closing.push(() => pageLog.end());
  try {
    const server = await startCodeServer({
      runtime,
      isBare: true,
      settings: { ...calmSettings, 'security.workspace.trust.enabled': false },
      env: { MANAGED_AGENTS_TEST_FILES: JSON.stringify(insideFiles()), MANAGED_AGENTS_TEST_GREP: process.env.TEST_GREP, ...channel.env },
    });
    closing.push(() => keepLogs(server.folder, evidence), server.stop);
    const browser = await launchChromium(chromium, server.folder);
    closing.unshift(() => browser.close());
    const shown = await openWindow(browser, {
      server,
      folder,
      development: { extension: extensionFolder, tests: path.join(insideFolder, 'hostEntry.mjs') },
      log: line => pageLog.write(`${line}\n`),
      // A small page renders faster, and few of these tests look at it.
      ...(screenshotFolder === undefined ? { viewport: { width: 640, height: 480 } } : {}),
    });
    page = new WorkbenchPage(shown, screenshotFolder);
    const broken = new Promise<never>((_, reject) => {
      shown.once('crash', () => reject(new Error('The page crashed.')));
      void server.exited.then(reason => reject(new Error(reason)));
    });
    await Promise.race([ended, broken]);
  } finally {
    for (const close of closing) {
      await close();
    }
    if (failures === 0) {
      rmSync(evidence, { recursive: true, force: true });
    } else {
      console.log(`Pictures and logs: ${evidence}`);
    }
  }
}

function insideFiles(): readonly string[] {
  return readdirSync(insideFolder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.mjs'))
    .map(file => path.join(insideFolder, file))
    .sort();
}
