import assert from 'node:assert/strict';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };
const requests = (count: number) =>
  `${Array.from({ length: count }, (_, index) => JSON.stringify({ custom_id: `q${index + 1}`, params })).join('\n')}\n`;

describe('batches that are watched', () => {
  let emulator: Emulator;
  let workbench: Workbench;

  before('start a service and VS Code', async function () {
    this.timeout(120_000);
    emulator = await startEmulator({
      key: 'key-of-the-tests',
      scenario: { batchDuration: 600_000, erroredPercent: 20, cutShortPercent: 20 },
    });
    workbench = await Workbench.start({
      files: { 'watched.jsonl': requests(20), 'watched.expect.jsonl': '{"max_output_tokens": 1}\n{"custom_id": "q1", "containz": "x"}\n' },
      settings: {
        'managedAgents.connections': { Lab: { baseUrl: emulator.url } },
        'managedAgents.connection': 'Lab',
        'managedAgents.results.fetchWhenEnded': true,
      },
    });
    await workbench.openViewContainer('Managed Agents');
    await workbench.welcomeButton('Set API Key');
    await workbench.inputBox('key-of-the-tests');
    await workbench.waitFor('.welcome-view-content :text("No batches yet")');
  });

  tidyUp(() => ({ workbench, emulator }));

  it('shows in the status bar and the view how long a batch has been running', async () => {
    await workbench.openFile('watched.jsonl');
    await workbench.runCommand('Managed Agents: Create Batch...');
    await workbench.createFromSheet('watched.jsonl');
    await workbench.notification('created:');
    await workbench.clearNotifications();
    await workbench.statusBarItem(/1 · \d+ sec/);
    await workbench.waitFor('.monaco-list-row:has-text("expires in 23 hr")');
    await workbench.waitFor('.pane-header:has-text("updated")');
    await workbench.screenshot('watching-running');
  });

  it('tells once that it has ended, with its results fetched', async () => {
    await emulator.advanceClock(700_000);
    assert.match(await workbench.notification('The batch of watched.jsonl has ended'), /Show Results/);
    await workbench.screenshot('watching-ended');
    assert.equal(workbench.fileText('watched.results.jsonl').trim().split('\n').length, 20);
    await workbench.clearNotifications();
  });

  it('shows its requests as tests: causes of failure first, and each with its line', async () => {
    await workbench.openViewContainer('Testing');
    await workbench.click('.test-explorer .monaco-list-row:has-text("watched.jsonl") .monaco-tl-twistie');
    await workbench.waitFor('.test-explorer .monaco-list-row:has-text("Cut short")');
    await workbench.screenshot('tests-groups');
    await workbench.runCommand('Test: Run All Tests');
    await workbench.waitFor('.test-explorer .monaco-list-row:has-text("More tokens than expected")');
    await workbench.waitFor('.test-explorer .monaco-list-row:has-text("watched.jsonl") .codicon-testing-failed-icon');
    await workbench.click('.test-explorer .monaco-list-row:has-text("More tokens than expected") .monaco-tl-twistie');
    await workbench.click('.test-explorer .monaco-list-row[aria-level="3"]:has-text("q")');
    await workbench.waitFor('.test-output-peek-message-container:has-text("at most 1 were expected")');
    await workbench.screenshot('tests-run');
    await workbench.runCommand('Problems: Focus on Problems View');
    await workbench.waitFor('.markers-panel .monaco-list-row:has-text("containz")');
    await workbench.screenshot('tests-problems');
  });

  it('goes from a test to its request, and writes the failed ones to a file that can be sent', async () => {
    const request = workbench.page.locator('.test-explorer .monaco-list-row[aria-level="3"]:has-text("q")').first();
    await workbench.runCommand('View: Close All Editors');
    await workbench.untilSeen(workbench.page.locator('.tab.active[data-resource-name="watched.jsonl"]'), async timeout => {
      await request.hover({ timeout });
      await request.locator('.action-label[aria-label*="Go to Request"]').first().click({ timeout });
    });
    const file = workbench.page.locator('.test-explorer .monaco-list-row:has-text("watched.jsonl")').first();
    await workbench.menuOf(file, 'Execute Using Profile...');
    await workbench.quickPick('Create Retry Batch from Failed');
    await workbench.waitFor('.quick-input-widget :text("their answer is not as expected")');
    await workbench.screenshot('tests-retry');
    await workbench.quickPick('Requests to a New File');
    await workbench.notification('requests to watched.retry.jsonl.');
    assert.equal(workbench.fileText('watched.retry.jsonl').trim().split('\n').length, 20);
  });
});
