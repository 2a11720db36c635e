import assert from 'node:assert/strict';
import { picker } from '../page/quickInputs';
import { connectedTo, useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const key = 'key-of-the-tests';
const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const requests = (count: number) =>
  `${Array.from({ length: count }, (_, index) => JSON.stringify({ custom_id: `q${index + 1}`, params })).join('\n')}\n`;
const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;
const testRow = (text: string, state = '') => `.test-explorer .monaco-list-row${state}:has-text(${JSON.stringify(text)})`;
/** Selector of the twistie of a collapsed row. */
const folded = (text: string) => `${testRow(text, '[aria-expanded="false"]')} .monaco-tl-twistie`;
const leaf = testRow('q', '[aria-level="3"]');

describe('watched batches @ci', () => {
  const emulator = useEmulator({ key, scenario: { batchDuration: 600_000, erroredPercent: 20, cutShortPercent: 20 } });
  const workbench = useWorkbench(() => ({
    files: { 'watched.jsonl': requests(20), 'watched.expect.jsonl': '{"max_output_tokens": 1}\n{"custom_id": "q1", "containz": "x"}\n' },
    settings: connectedTo(emulator()),
  }));
  before('give the key and show the view', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await w.setKey(key);
    await w.waitFor('.welcome-view-content:visible:has-text("No batches yet")');
  });

  it('show how long they have been running, report the end once with fetched results, and hide that when a sheet is opened', async () => {
    const w = workbench();
    await w.openFile('watched.jsonl');
    await w.beginCommand(w.sheetTab('watched.jsonl'), 'managedAgents.batch.create');
    await w.createFromSheet('watched.jsonl');
    await w.statusBarItem(/1 batch running · \d+ (sec|min)/);
    await w.waitFor('.monaco-list-row:has-text("running for "):has-text("20 requests")');
    await w.waitFor('.pane-header:has-text("updated")');
    await w.screenshot('watching-running');

    await emulator().advanceClock(700_000);
    assert.match(await w.notification('The batch of watched.jsonl has ended'), /Show Results/);
    await w.screenshot('watching-ended');
    assert.equal(w.fileText('watched.results.jsonl').trim().split('\n').length, 20);
    // The notification must not cover the button of a sheet, not even while the mouse over the notification keeps it open.
    const notification = w.toast('The batch of watched.jsonl has ended');
    await w.untilDone(timeout => notification.hover({ timeout }));
    await w.openFile('watched.jsonl');
    await w.beginCommand(w.sheetTab('watched.jsonl'), 'managedAgents.batch.create');
    await notification.waitFor({ state: 'hidden' });
    await w.closeSheet('watched.jsonl');
    await w.command('notifications.showList');
    await w.page.locator('.notifications-center', { hasText: 'The batch of watched.jsonl has ended' }).waitFor();
  });

  it('show their requests as tests: failures first by cause, and each with its line', async () => {
    const w = workbench();
    await w.openViewContainer('Testing');
    await w.click(folded('watched.jsonl'), testRow('Cut short'));
    await w.screenshot('tests-groups');
    await w.runCommand('Test: Run All Tests', `${testRow('watched.jsonl')} .codicon-testing-failed-icon`);
    await w.waitFor(testRow('Too many tokens'));
    await w.click(folded('Too many tokens'), testRow('Too many tokens', '[aria-expanded="true"]'));
    await w.click(leaf, '.test-output-peek-message-container:has-text("Expected at most 1")');
    await w.screenshot('tests-run');
    await w.runCommand('Problems: Focus on Problems View', '.markers-panel .monaco-list-row:has-text("containz")');
    await w.screenshot('tests-problems');
  });

  it('lead from a test to its request, and show failed ones in the results table @nightly', async () => {
    const w = workbench();
    const request = w.page.locator(leaf).first();
    await w.untilSeen(tabOf('watched.jsonl'), async timeout => {
      await w.page.mouse.move(0, 0);
      await request.hover({ timeout });
      await request.locator('.action-label[aria-label*="Go to Request"]').first().click({ timeout });
    });
    const file = w.page.locator(testRow('watched.jsonl')).first();
    await w.menuOf(file, 'Execute Using Profile...', listed('Show Failed in Results Table'));
    await w.quickPick('Show Failed in Results Table', '.tab.active:has-text("Results of watched.jsonl")');
    const frame = await w.webview('main.panel [role="grid"]');
    await frame.locator('.count').getByText(/^20 /).waitFor();
    await w.screenshot('tests-failed');
  });
});
