import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pageCommands } from '../../../src/features/batches/details/batchDetails';
import { MarkdownPages } from '../../../src/features/batches/details/markdownPage';
import { type BatchOrRun, parseReference } from '../../../src/features/batches/runRow';
import { eventually } from '../eventually';
import { closeEditors } from '../useExtension';

describe('batch pages', () => {
  let text = '# First\n\n[Copy](command:managedAgents.copyId?%5B%5D)';
  let isKnown = true;
  let asked = 0;
  const pages = new MarkdownPages<BatchOrRun>({
    viewType: 'test.page',
    commands: pageCommands,
    text: async () => {
      asked++;
      return text;
    },
    title: ({ batchId }) => batchId,
  });
  const reference = { connection: 'Lab', batchId: 'msgbatch_1' };

  after(async () => {
    pages.dispose();
    await closeEditors();
  });

  /** Restores a panel from its saved state. Returns the panel, and whether the extension closed it. */
  async function restore(state: unknown) {
    const panel = vscode.window.createWebviewPanel('test.page', 'Page', vscode.ViewColumn.Active);
    const shown = { panel, isClosed: false };
    panel.onDidDispose(() => {
      shown.isClosed = true;
    });
    await pages.restore(panel, parseReference(state));
    return shown;
  }

  it("are restored in a reloaded window, with links that run only the pages' commands", async () => {
    const { panel, isClosed } = await restore(reference);
    assert.equal(isClosed, false);
    assert.equal(panel.title, 'msgbatch_1');
    assert.match(panel.webview.html, /<h1[^>]*>First<\/h1>/);
    assert.match(panel.webview.html, /href="command:managedAgents\.copyId\?%5B%5D"/);
    const { enableCommandUris } = panel.webview.options;
    assert.ok(Array.isArray(enableCommandUris) && enableCommandUris.every(id => id.startsWith('managedAgents.')));
    assert.equal((await restore(reference)).isClosed, true, 'it is open already');
  });

  it('are refreshed after a change, without calling the service', async () => {
    const { panel } = await restore({ ...reference, batchId: 'msgbatch_2' });
    const before = panel.webview.html;
    pages.refresh(() => isKnown);
    text = '# Second';
    pages.refresh(() => isKnown);
    await eventually(() => panel.webview.html.includes('Second'));
    assert.notEqual(panel.webview.html, before);
    isKnown = false;
    const answered = asked;
    pages.refresh(() => isKnown);
    assert.equal(asked, answered);
  });

  it('are closed if their stored state is invalid', async () => {
    for (const state of [undefined, null, 'page', {}, { connection: 7, batchId: 'b' }, { connection: 'Lab' }]) {
      assert.equal((await restore(state)).isClosed, true, JSON.stringify(state));
    }
  });
});
