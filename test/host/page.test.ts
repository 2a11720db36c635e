import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { connectPage } from './page';

describe('the page of a suite inside the extension host', () => {
  const page = connectPage();
  after(() => page.close());

  it('is clicked, typed into and read from a test where there is one, and says so where there is none', async () => {
    if (!page.available) {
      await assert.rejects(page.count('.monaco-workbench'), /has no page/);
      return;
    }
    const item = vscode.window.createStatusBarItem();
    item.text = 'shown by a test';
    item.show();
    try {
      assert.match(await page.statusBarItem('shown by a test'), /shown by a test/);
      assert.equal(await page.count('.monaco-workbench'), 1);
      const file = await page.screenshot('in-host');
      assert.equal(file !== '', process.env.TEST_PICTURES === 'yes', 'pictures are taken when they are asked for');
      assert.ok(file === '' || existsSync(file));
      const answer = vscode.window.showInputBox({ prompt: 'for a test' });
      await page.inputBox('typed');
      assert.equal(await answer, 'typed');
    } finally {
      item.dispose();
    }
  });

  it('passes errors of the page on', async () => {
    if (page.available) {
      await assert.rejects(page.count('[['), /count/);
    }
  });
});
