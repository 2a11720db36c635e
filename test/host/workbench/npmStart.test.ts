import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { onExit } from '../../helpers/onExit.mjs';
import { pagePatience } from '../browserWindow.mjs';
import { launchChromium } from '../chromium.mjs';
import { ensureHost, evidenceFolder as evidence, screenshotFolder } from '../hostContext';
import { WorkbenchPage } from '../page/workbenchPage';
import { forwardTo, freePort, StartedByNpm, until } from './startedByNpm';
import { tabOf } from './workbench';

/** All tests share a work folder and a browser. Each test continues where the previous test ended. */
describe('npm start @newest @nightly', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'npm-start-'));
  const home = mkdtempSync(path.join(os.tmpdir(), 'npm-start-browser-'));
  const forget = onExit(() => {
    for (const run of runs) {
      run.kill();
    }
    remove();
  });
  const results = 'questions.results.jsonl';
  const anyTab = '.editor-group-container .tab';
  let browser: Browser;
  let context: BrowserContext;
  const runs: StartedByNpm[] = [];
  const closers: (() => void)[] = [];
  let started: StartedByNpm;
  let address: string;
  let w: WorkbenchPage;

  function remove() {
    for (const created of [folder, home]) {
      rmSync(created, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }

  const start = (...args: string[]) => {
    const run = new StartedByNpm(folder, args);
    runs.push(run);
    return run;
  };
  const newContext = async () => {
    const created = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    created.setDefaultTimeout(pagePatience);
    return created;
  };
  const open = async (at: string, inContext = context) => {
    const page = await inContext.newPage();
    await page.goto(at);
    w = new WorkbenchPage(page, screenshotFolder);
    await w.ready();
  };
  const sample = (name: string) => readFileSync(path.join(folder, 'samples', name), 'utf8');

  before(async () => {
    started = start('--port', String(await freePort()));
    browser = await launchChromium((await ensureHost()).chromium, home);
    context = await newContext();
    address = await started.address();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      mkdirSync(evidence, { recursive: true });
      writeFileSync(path.join(evidence, 'npmStart.log'), `${started.output}\n${this.currentTest.err?.stack}`);
      cpSync(path.join(folder, 'browser/server.log'), path.join(evidence, 'server.log'));
      await w.page.screenshot({ path: path.join(evidence, 'page.png') });
      console.log(`Picture and logs: ${evidence}`);
    }
  });
  after(async () => {
    await browser.close();
    for (const close of closers) {
      close();
    }
    await started.ctrlC();
    forget();
    remove();
  });

  it('opens the samples ready to use, names the first action, and admits nobody else', async () => {
    const origin = new URL(address).origin;
    assert.match(started.output, /click "Create Batch" above line 1 of questions\.jsonl/);
    assert.ok(started.output.includes(path.join(folder, 'samples')), 'where the files are');
    for (const place of ['/', '/?folder=/', '/login', '/healthz']) {
      assert.equal((await fetch(new URL(place, origin), { redirect: 'manual' })).status, 403, place);
    }
    await open(address);
    assert.equal(new URL(w.page.url()).origin, origin);
    await w.waitFor(tabOf('questions.jsonl'));
    await w.statusBarItem('Emulator');
    await w.waitFor('.part.sidebar .composite.title:has-text("Managed Agents")');
    await w.codeLenses('Create Batch (12 requests');
    assert.equal(await w.count(anyTab), 1);
    assert.deepEqual(await w.notifications(), []);
    await w.screenshot('npm-start');
  });

  it('creates a batch, whose results are saved in the persistent folder', async () => {
    await w.codeLens('Create Batch (12 requests', w.sheetTab('questions.jsonl'));
    await w.createFromSheet('questions.jsonl');
    assert.match(await w.notification('The batch of questions.jsonl has ended'), /11 succeeded, 1 cut short/);
    assert.equal(sample(results).trimEnd().split('\n').length, 12);
  });

  /** Waits until the window shows the editors that the user had open, without an additional editor. */
  const restored = async () => {
    await w.ready();
    await w.waitFor(tabOf('bare-params.jsonl'));
    await w.openViewContainer('Managed Agents');
    await w.page.getByRole('treeitem', { name: /questions\.jsonl, .*11 succeeded, 1 cut short/ }).waitFor();
    assert.equal(await w.count(`${anyTab}[data-resource-name="questions.jsonl"]`), 1);
    assert.equal(started.isRunning, true, started.output);
    assert.equal(sample(results).trimEnd().split('\n').length, 12);
  };

  it('continues when the page is reloaded', async () => {
    await w.openViewContainer('Explorer');
    await w.clickTreeRow('bare-params.jsonl', tabOf('bare-params.jsonl'));
    const file = JSON.stringify(JSON.stringify(path.join(folder, 'samples/bare-params.jsonl'))).slice(1, -1);
    const editor = `fileEditorInput","value":"{\\"resourceJSON\\":{\\"$mid\\":1,\\"fsPath\\":${file}`;
    await w.writtenDown(editor);
    await w.page.reload();
    await restored();
  });

  it('continues when the window is reloaded by its command', async () => {
    await w.page.evaluate(() => document.body.classList.add('before-the-reload'));
    await w.runCommand('Developer: Reload Window', w.page.locator('body:not(.before-the-reload) .monaco-workbench'));
    await restored();
  });

  it('continues when the tab is closed and the address opened again', async () => {
    await w.page.close();
    await open(address);
    await restored();
  });

  it('continues when the page crashes and the address is opened again', async () => {
    // VS Code doesn't notify the extension host of the crash, so the host waits for a window that never returns.
    const crashed = w.page.waitForEvent('crash');
    void w.page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    await open(address);
    await restored();
  });

  it('continues when the extension host crashes once', async () => {
    const before = started.hosts();
    process.kill(before.at(-1) ?? 0, 'SIGKILL');
    await until(() => started.hosts().length > before.length);
    await w.click(`${anyTab}[data-resource-name="questions.jsonl"]`, tabOf('questions.jsonl'));
    await w.codeLens('Create Batch', w.sheetTab('questions.jsonl'));
    await w.closeSheet('questions.jsonl');
    assert.equal(started.isRunning, true, started.output);
  });

  it('works through a forwarded port with another number by the same address', async () => {
    const forwarder = await forwardTo(Number(new URL(address).port));
    closers.push(forwarder.close);
    const here = w;
    const elsewhere = await newContext();
    await open(address.replace(/:\d+\//, `:${forwarder.port}/`), elsewhere);
    assert.equal(new URL(w.page.url()).port, String(forwarder.port));
    await w.waitFor(tabOf('questions.jsonl'));
    await w.waitFor('.part.sidebar .composite.title:has-text("Managed Agents")');
    await w.codeLenses('1 cut short');
    await w.screenshot('npm-start-forwarded');
    await elsewhere.close();
    w = here;
  });

  it('tells a second process where the first one is', async () => {
    const second = start();
    assert.equal(await second.ended(), 0);
    assert.match(second.output, /runs already/);
    assert.ok(second.output.includes(address), second.output);
  });

  it('ends with Ctrl-C and leaves only the files', async () => {
    await w.page.close();
    assert.equal(await started.ctrlC(), 0, started.output);
    assert.match(started.output, /^Ctrl-C: stopping\./m);
    assert.deepEqual(started.processes(), []);
    await assert.rejects(once(connect(Number(new URL(address).port), '127.0.0.1'), 'connect'));
    assert.equal(sample(results).trimEnd().split('\n').length, 12);
  });

  it('resumes next time, and renews only unchanged samples', async () => {
    appendFileSync(path.join(folder, 'samples/with-problems.jsonl'), '{"custom_id":"mine"}\n');
    // Makes the copied sample older than the sample of this version.
    const older = 'id,text\n';
    writeFileSync(path.join(folder, 'samples/reviews.csv'), older);
    const memoryFile = path.join(folder, 'start.json');
    const memory = JSON.parse(readFileSync(memoryFile, 'utf8')) as { laid: Record<string, string> };
    memory.laid['samples/reviews.csv'] = createHash('sha256').update(older).digest('hex');
    writeFileSync(memoryFile, JSON.stringify(memory));
    started = start();
    assert.equal(await started.address(), address, 'forwards and the browser’s memory go by it');
    assert.match(sample('with-problems.jsonl'), /"mine"\}\n$/);
    assert.equal(sample('reviews.csv'), readFileSync('media/samples/reviews.csv', 'utf8'));
    await open(address);
    await w.waitFor(`${anyTab}[data-resource-name="bare-params.jsonl"]`);
    await w.openViewContainer('Managed Agents');
    await w.page.getByRole('treeitem', { name: /questions\.jsonl, .*11 succeeded, 1 cut short/ }).waitFor();
    assert.equal(sample(results).trimEnd().split('\n').length, 12);
  });
});
