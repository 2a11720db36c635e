import assert from 'node:assert/strict';
import { tabOf, useWorkbench } from './workbench';

describe('the workbench', () => {
  const workbench = useWorkbench({ files: { 'notes.jsonl': '{"custom_id":"a","params":{}}\n' } });

  it('opens a file from the context menu of its row', async () => {
    await workbench().treeMenu('notes.jsonl', 'Open to the Side', tabOf('notes.jsonl'));
  });

  it('opens a file by a click on its row', async () => {
    await workbench().clickTreeRow('notes.jsonl', tabOf('notes.jsonl'));
  });

  it('shows the view of batches and opens a file', async () => {
    await workbench().openViewContainer('Managed Agents');
    await workbench().openFile('notes.jsonl');
    await workbench().waitFor('.editor-group-container.active .view-line:has-text("custom_id")');
    assert.match(await workbench().editorText(), /custom_id/);
    await workbench().screenshot('start');
  });

  it('leads from an empty view to its walkthrough', async () => {
    const link = workbench().page.locator('.pane-body .welcome-view-content a', { hasText: 'step by step' }).first();
    await workbench().click(link, '.gettingStartedContainer:has-text("Your First Batch")');
    const step = workbench().page.locator('.getting-started-step', { hasText: 'Create a batch' });
    await workbench().click(step, '.getting-started-step.expanded:has-text("Nothing is sent before you press its button")');
    // Beside the steps there is room for the picture only in a wide editor.
    await workbench().command('workbench.action.closeSidebar');
    await workbench().webview('svg');
    await workbench().pictures('walkthrough');
  });

  it('runs a command from the palette', async () => {
    const log = '.part.panel .output-view, .part.panel [id="workbench.panel.output"]';
    await workbench().runCommand('Managed Agents: Show Log', log);
  });

  for (const theme of ['light', 'highContrast', 'dark'] as const) {
    it(`switches to the ${theme} theme`, async () => {
      await workbench().theme(theme);
    });
  }
});
