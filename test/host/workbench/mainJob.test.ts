import assert from 'node:assert/strict';
import path from 'node:path';
import { useWorkbench } from './workbench';

/** Everything a first user does, in one window, on the emulator that is built in. */
describe('the main job', () => {
  const workbench = useWorkbench({
    workspace: path.resolve('media/samples'),
    settings: {
      'workbench.colorTheme': 'Default Dark Modern',
      'managedAgents.emulator.batchSeconds': 8,
    },
  });

  it('starts the emulator from the welcome view with one click', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    assert.match(await w.welcomeText(), /built-in emulator/);
    await w.screenshot('main-1-welcome');
    await w.welcomeButton('Start Emulator');
    await w.statusBarItem('Emulator');
    await w.page.getByText('No batches yet').waitFor();
  });

  it('creates a batch from the lens of the open file, after showing what goes where', async () => {
    const w = workbench();
    await w.openFile('questions.jsonl');
    await w.codeLens('Create Batch (12 requests', '.tab[aria-label^="Create Batch - questions.jsonl"]');
    const text = await w.sheetText('questions.jsonl');
    assert.match(text, /Create Batch of 12 Requests/);
    assert.match(text, /Emulator, on 127\.0\.0\.1:\d+/);
    assert.match(text, /questions\.jsonl, as it is saved/);
    assert.match(text, /Models?\s+vendor-/);
    await w.screenshot('main-2-confirm');
    await w.createFromSheet('questions.jsonl');
    await w.notification(/Batch msgbatch_\S+ created: 12 requests/);
    await w.treeRow('questions.jsonl');
    await w.screenshot('main-3-running');
  });

  it('tells once that it has ended, also after the window was reloaded', async () => {
    const w = workbench();
    await w.reloadWindow();
    await w.openViewContainer('Managed Agents');
    await w.notification(/The batch of questions\.jsonl has ended/);
    await w.page.getByRole('treeitem', { name: /questions\.jsonl.*ended/ }).waitFor();
    await w.screenshot('main-4-ended');
  });

  it('fetches the results beside the source and shows every answer at its line', async () => {
    const w = workbench();
    await w.notificationButton('The batch of questions.jsonl has ended', 'Fetch Results');
    await w.notification(/questions\.results\.jsonl|succeeded/);
    const rows = w
      .fileText('questions.results.jsonl')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { custom_id: string; line: number });
    const ids = w
      .fileText('questions.jsonl')
      .trimEnd()
      .split('\n')
      .map(line => (JSON.parse(line) as { custom_id: string }).custom_id);
    assert.deepEqual(
      rows.map(row => row.custom_id),
      ids,
    );
    assert.deepEqual(
      rows.map(row => row.line),
      ids.map((_, index) => index + 1),
    );
    await w.openFile('questions.jsonl');
    await w.clearNotifications();
    await w.codeLenses('9 succeeded · 3 need a look');
    await w.codeLenses('Emulated answer to: Write a haiku');
    await w.screenshot('main-5-answers');
  });

  it('shows what is wrong in a file before anything is sent', async () => {
    const w = workbench();
    await w.openFile('with-problems.jsonl');
    await w.codeLenses(/\d+ problems/);
    await w.runCommand('View: Focus Problems');
    await w.page.getByText('Every request needs an id of its own').first().waitFor();
    await w.screenshot('main-6-problems');
    await w.runCommand('View: Hide Panel');
  });

  it('does not tell again after another reload', async () => {
    const w = workbench();
    await w.reloadWindow();
    await w.openViewContainer('Managed Agents');
    await w.page.getByRole('treeitem', { name: /questions\.jsonl.*ended/ }).waitFor();
    assert.deepEqual(
      (await w.notifications()).filter(text => text.includes('has ended')),
      [],
    );
  });
});
