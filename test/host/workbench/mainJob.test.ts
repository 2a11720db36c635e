import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { picker } from '../page/quickInputs';
import { createdBatch } from './batchSteps';
import { tabOf, useWorkbench } from './workbench';

/** First use of the extension from start to end, in one window with the built-in emulator. */
describe('the main job @smoke', () => {
  const workbench = useWorkbench({
    workspace: path.resolve('media/samples'),
    settings: {
      'workbench.colorTheme': 'Default Dark Modern',
      // Longer than this test takes on any machine. `makeDue` makes the batch end earlier.
      'managedAgents.emulator.batchSeconds': 3600,
    },
  });

  /** Changes the emulator's record of the batch, so that the batch ends at the emulator's next start. */
  function makeDue(): void {
    const storage = path.join(workbench().globalStorage, '../../workspaceStorage');
    const [record = ''] = readdirSync(storage, { recursive: true, encoding: 'utf8' }).filter(file => path.basename(file) === 'batch.json');
    const file = path.join(storage, record);
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { readonly createdAt: number };
    writeFileSync(file, JSON.stringify({ ...stored, dueAt: stored.createdAt }));
  }

  const lines = (file: string): readonly { readonly custom_id: string; readonly line: number }[] =>
    workbench()
      .fileText(file)
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
  const fetched = () => workbench().page.getByRole('treeitem', { name: /questions\.jsonl, All 12, .*11 succeeded/ });

  it('opens a sample and starts the emulator from the welcome view @floor', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await w.waitFor('.welcome-view-content:has-text("six steps")');
    await w.screenshot('main-1-welcome');
    await w.welcomeButton('Try It with a Sample', `${picker} .monaco-list-row:has-text("bare-params")`);
    await w.quickPick('bare-params.jsonl', '.statusbar-item:has-text("Emulator")');
    await w.waitFor(tabOf('bare-params-2.jsonl'));
    await w.page.getByText('No batches yet').waitFor();
  });

  it('creates a batch from the lens of the open file, after showing the sheet @floor', async () => {
    const w = workbench();
    await w.openFile('questions.jsonl');
    await w.codeLens('Create Batch (12 requests', w.sheetTab('questions.jsonl'));
    const sheet = (await w.sheet('questions.jsonl')).locator('.sheet');
    for (const words of [
      /Send 12 Requests/,
      /Connection: Emulator/,
      /12 requests to 127\.0\.0\.1:\d+, /,
      /questions\.jsonl \(saved version\)/,
    ]) {
      await sheet.filter({ hasText: words }).waitFor();
    }
    await w.screenshot('main-2-confirm');
    await w.createFromSheet('questions.jsonl');
    await createdBatch(w, 'questions.jsonl', { requests: 12 });
    await w.treeRow('questions.jsonl');
    await w.screenshot('main-3-running');
  });

  it('reports the end, also after the window was reloaded, fetches the results beside the source and shows every answer at its line @floor', async () => {
    const w = workbench();
    makeDue();
    await w.reloadWindow();
    // No notification appears while a sheet is active, and VS Code may restore the sheet after the reload.
    await w.closeEditors();
    await w.openViewContainer('Managed Agents');
    await w.notification(/The batch of questions\.jsonl has ended/);
    await w.screenshot('main-4-ended');
    // Presses the button at once, because VS Code hides notifications after some seconds.
    await w.notificationButton('The batch of questions.jsonl has ended', 'Show Results');
    await w.waitFor('.tab:has-text("Results of questions.jsonl")');
    await w.screenshot('main-4-results');
    await fetched().waitFor();
    const ids = lines('questions.jsonl').map(({ custom_id }) => custom_id);
    assert.deepEqual(
      lines('questions.results.jsonl').map(({ custom_id, line }) => [custom_id, line]),
      ids.map((id, index) => [id, index + 1]),
    );
    await w.openFile('questions.jsonl');
    await w.clearNotifications();
    await w.codeLenses('1 cut short');
    await w.answerShown('Santiago', 'capital-of-chile');
    await w.screenshot('main-5-answers');
  });
});
