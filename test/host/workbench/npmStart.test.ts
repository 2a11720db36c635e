import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { launchChromium } from '../chromium.mjs';
import { WorkbenchPage } from '../workbenchPage.mjs';
import { createWorkspace, readContext } from './workbench';

describe('npm start', () => {
  it('opens the samples in a VS Code that knows the extension, and Ctrl-C leaves nothing behind', async function () {
    this.timeout(120_000);
    const mark = `start-${process.pid}`;
    const child = spawn(process.execPath, ['test/host/start.mjs'], {
      env: { ...process.env, VSCODE_HOST: 'code-server', CI: 'true', MANAGED_AGENTS_TEST_MARK: mark },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const address = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          const found = /^ {2}(http:\/\/127\.0\.0\.1:\S+)/m.exec(output)?.[1];
          if (found !== undefined && output.includes('Ctrl-C')) {
            resolve(found);
          }
        });
      }
      child.once('exit', code => reject(new Error(`It ended with ${code}:\n${output}`)));
    });
    const home = createWorkspace({});
    const browser = await launchChromium(readContext().chromium, home);
    let origin = '';
    try {
      const page = await browser.newPage();
      await page.goto(address);
      ({ origin } = new URL(page.url()));
      assert.notEqual(origin, new URL(address).origin);
      assert.equal((await fetch(origin, { redirect: 'manual' })).status, 302, 'a stranger is sent to the login page');
      assert.equal((await fetch(new URL('/', address))).status, 404);
      const workbench = new WorkbenchPage(page, readContext().screenshots);
      await workbench.ready();
      await workbench.statusBarItem('Emulator');
      assert.equal(await workbench.activeTab(), 'questions.jsonl');
      await workbench.openViewContainer('Managed Agents');
      await workbench.screenshot('npm-start');
    } finally {
      await browser.close();
      rmSync(home, { recursive: true, force: true });
      child.kill('SIGINT');
    }
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0, output);
    assert.deepEqual(processesWith(`MANAGED_AGENTS_TEST_MARK=${mark}`), []);
    await assert.rejects(once(connect(Number(new URL(origin).port), '127.0.0.1'), 'connect'));
  });
});

/** Command lines of the processes of this machine whose environment holds `text`; only Linux tells. */
function processesWith(text: string): string[] {
  if (process.platform !== 'linux') {
    return [];
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const found = readFileSync(path.join('/proc', name, 'environ'), 'utf8').includes(text);
        return found ? [readFileSync(path.join('/proc', name, 'cmdline'), 'utf8').replaceAll('\0', ' ')] : [];
      } catch {
        // It ended while it was looked at, or belongs to somebody else.
        return [];
      }
    });
}
