import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runInCodeServer } from '../runInHost.mjs';
import { readContext } from './workbench';

describe('the runner of tests inside the extension host', () => {
  const { extension, runtime, chromium, screenshots, entry } = readContext();
  const folder = mkdtempSync(path.join(path.dirname(extension), 'runner-'));

  after(() => rmSync(folder, { recursive: true, force: true }));

  async function runSuite(name: string, code: string, seconds = 60): Promise<{ passed: number; failed: number; output: string }> {
    const file = path.join(folder, `${name}.mjs`);
    writeFileSync(file, code);
    let output = '';
    const suite = {
      ...{ name, file, entry, extension, screenshots, evidence: path.join(folder, name), grep: '', seconds },
      print: (text: string) => {
        output += text;
      },
    };
    return { ...(await runInCodeServer(suite, runtime, chromium)), output };
  }

  const pass = "it('passes', () => {});";

  it('shows the console, and counts what passed and what failed', async () => {
    const { passed, failed, output } = await runSuite(
      'mixed',
      `${pass} it('fails', () => { console.log('seen', 1); throw new Error('on purpose'); }); it('is pending');`,
    );
    assert.deepEqual({ passed, failed }, { passed: 1, failed: 2 });
    assert.match(output, /seen 1\n/);
    assert.match(output, /on purpose/);
    assert.match(output, /page\.png/);
  });

  it('fails a suite that runs no test', async () => {
    const { passed, failed, output } = await runSuite('empty', '');
    assert.deepEqual({ passed, failed }, { passed: 0, failed: 1 });
    assert.match(output, /ran no test/);
  });

  it('fails a suite that cannot be loaded', async () => {
    const { passed, failed, output } = await runSuite('broken', "import './nowhere.mjs';");
    assert.deepEqual({ passed, failed }, { passed: 0, failed: 1 });
    assert.match(output, /nowhere/);
  });

  it('fails a suite whose extension host dies, and keeps what had passed', async () => {
    const { passed, failed, output } = await runSuite('dying', `${pass} it('dies', () => process.abort());`);
    assert.deepEqual({ passed, failed }, { passed: 1, failed: 1 });
    assert.match(output, /the extension host ended/);
  });

  it('fails a suite that hangs without yielding', async () => {
    const { passed, failed, output } = await runSuite('hanging', `${pass} it('hangs', () => { for (;;); });`, 10);
    assert.deepEqual({ passed, failed }, { passed: 1, failed: 1 });
    assert.match(output, /did not end within 10 s/);
  });
});
