import assert from 'node:assert/strict';
import { useWorkbench } from './workbench';

describe('the workbench', () => {
  const workbench = useWorkbench({ files: { 'notes.jsonl': '{"custom_id":"a","params":{}}\n' } });

  it('chooses from a context menu', async () => {
    await workbench().treeMenu('notes.jsonl', 'Copy');
    await workbench().row('notes.jsonl').click();
  });

  it('shows the view of batches and opens a file', async () => {
    await workbench().openViewContainer('Managed Agents');
    await workbench().openFile('notes.jsonl');
    assert.match(await workbench().editorText(), /custom_id/);
    await workbench().screenshot('start');
  });

  it('runs a command from the palette', async () => {
    await workbench().runCommand('Managed Agents: Show Log');
    await workbench().waitFor('.part.panel .output-view, .part.panel [id="workbench.panel.output"]');
  });

  for (const theme of ['light', 'highContrast', 'dark'] as const) {
    it(`switches to the ${theme} theme`, async () => {
      await workbench().theme(theme);
    });
  }
});
