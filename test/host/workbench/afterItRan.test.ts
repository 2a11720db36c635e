import assert from 'node:assert/strict';
import path from 'node:path';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const params = (text: string, more: object = {}) => ({
  model: 'vendor-sonnet-5',
  max_tokens: 64,
  messages: [{ role: 'user', content: text }],
  ...more,
});
const toText = (requests: readonly object[]) => requests.map(request => `${JSON.stringify(request)}\n`).join('');
const mixed = [
  ...Array.from({ length: 12 }, (_, n) => ({ custom_id: `m${n + 1}`, params: params(`Say hello ${n + 1}.`) })),
  { custom_id: 'busy1', params: params('One. [emulate: error overloaded_error]') },
  { custom_id: 'busy2', params: params('Two. [emulate: error overloaded_error]') },
  { custom_id: 'late', params: params('Three. [emulate: expired]') },
  { custom_id: 'cut', params: params('Four. [emulate: max_tokens]') },
  { custom_id: 'no', params: params('Five. [emulate: refusal]') },
  { custom_id: 'hot1', params: params('Six.', { model: 'vendor-opus-5', temperature: 0.5 }) },
  { custom_id: 'hot2', params: params('Seven.', { model: 'vendor-opus-5', temperature: 0.7 }) },
];
const many = Array.from({ length: 60 }, (_, n) => ({ custom_id: `c${n + 1}`, params: params(`Count to ${n + 1}.`) }));

describe('what comes after a batch', () => {
  let emulator: Emulator;
  let workbench: Workbench;

  before('start a service and VS Code', async function () {
    this.timeout(120_000);
    emulator = await startEmulator({ key: 'key-of-the-tests', scenario: { batchDuration: 600_000 } });
    workbench = await Workbench.start({
      files: { 'mixed.jsonl': toText(mixed), 'many.jsonl': toText(many) },
      settings: {
        'managedAgents.connections': { Lab: { baseUrl: emulator.url } },
        'managedAgents.connection': 'Lab',
        'managedAgents.batches.notify': 'problems',
        'managedAgents.estimate.prices': { 'vendor-sonnet-5': { input: 3, output: 15 }, 'vendor-opus-5': { input: 15, output: 75 } },
      },
    });
    await workbench.openViewContainer('Managed Agents');
    await workbench.welcomeButton('Set API Key');
    await workbench.inputBox('key-of-the-tests');
    await workbench.waitFor('.welcome-view-content :text("No batches yet")');
  });

  tidyUp(() => ({ workbench, emulator }));

  async function create(file: string): Promise<void> {
    await workbench.openFile(file);
    await workbench.runCommand('Managed Agents: Create Batch...');
    await workbench.createFromSheet(path.basename(file));
    await workbench.notification('created:');
    await workbench.clearNotifications();
  }

  async function endAndFetch(file: string): Promise<void> {
    await emulator.advanceClock(700_000);
    await workbench.runCommand('Managed Agents: Refresh Batches');
    await workbench.row(file).filter({ hasText: 'succeeded' }).waitFor();
    await workbench.runCommand('Managed Agents: Fetch Results');
    await workbench.quickPick(file);
    await workbench.notification(`Results of ${file}`);
    await workbench.clearNotifications();
  }

  const ids = (file: string): readonly string[] =>
    workbench
      .fileText(file)
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).custom_id);

  it('plans a retry by cause, shows the plan, and writes what is worth sending again', async () => {
    await create('mixed.jsonl');
    await endAndFetch('mixed.jsonl');
    await workbench.runCommand('Managed Agents: Plan Retry');
    await workbench.quickPick('mixed.jsonl');
    await workbench.waitFor('.quick-input-widget .quick-input-list .monaco-list-row:has-text("overloaded_error")');
    await workbench.screenshot('retry-plan');
    await workbench.press('Enter');
    assert.match(await workbench.notification('Wrote 4 requests to mixed.retry.jsonl'), /Left out: 3 \(/);
    await workbench.screenshot('retry-written');
    assert.deepEqual(ids('mixed.retry.jsonl'), ['busy1', 'busy2', 'late', 'cut']);
    const cut = workbench.fileText('mixed.retry.jsonl').trim().split('\n').at(-1) ?? '';
    assert.equal(cut, JSON.stringify(mixed.find(({ custom_id }) => custom_id === 'cut')).replace('"max_tokens":64', '"max_tokens":256'));
  });

  it('fixes all requests of a cause in the open file at once, after a look, and Undo takes it back', async () => {
    await workbench.openFile('mixed.jsonl');
    const before = workbench.fileText('mixed.jsonl');
    await workbench.runCommand('Managed Agents: Plan Retry');
    await workbench.quickPick('mixed.jsonl');
    const row = '.quick-input-widget .quick-input-list .monaco-list-row:has-text("temperature")';
    await workbench.waitFor(row);
    await workbench.page.locator(row).hover();
    await workbench.click(`${row} .action-label[aria-label="Fix All of Them in the Source File"]`);
    assert.match(await workbench.dialogText(), /Shall 2 requests be changed: remove temperature\?/);
    await workbench.screenshot('retry-fix');
    await workbench.dialogButton('Change 2 Requests');
    await workbench.notification('Changed 2 requests in mixed.jsonl: remove temperature.');
    await workbench.runCommand('File: Save');
    await workbench.waitFor('.tab.active[data-resource-name="mixed.jsonl"]:not(.dirty)');
    assert.equal(workbench.fileText('mixed.jsonl'), before.replace(/,"temperature":0\.[57]/g, ''));
    await workbench.press('Control+Z');
    await workbench.runCommand('File: Save');
    await workbench.waitFor('.tab.active[data-resource-name="mixed.jsonl"]:not(.dirty)');
    assert.equal(workbench.fileText('mixed.jsonl'), before);
  });

  it('shows the whole plan as a page', async () => {
    await workbench.runCommand('Managed Agents: Plan Retry');
    await workbench.quickPick('mixed.jsonl');
    await workbench.waitFor('.quick-input-widget .quick-input-list .monaco-list-row:has-text("overloaded_error")');
    await workbench.click('.quick-input-widget .quick-input-titlebar .action-label[aria-label="Show the Whole Plan"]');
    await workbench.waitFor('.tab.active:has-text("Retry of mixed.jsonl")');
    await workbench.webview('h1:has-text("Retry of mixed.jsonl")');
    await workbench.screenshot('retry-page');
  });

  it('merges the retry with what was there into a final set by itself', async () => {
    await create('mixed.retry.jsonl');
    await endAndFetch('mixed.retry.jsonl');
    const final = await workbench.untilDone(async () => ids('mixed.final.jsonl'));
    assert.deepEqual(
      final,
      mixed.map(({ custom_id }) => custom_id),
    );
  });

  it('sends a canary, judges it, and sends the rest without what it answered', async () => {
    emulator.setScenario({ cutShortPercent: 20 });
    await workbench.openFile('many.jsonl');
    await workbench.runCommand('Managed Agents: Create Canary Batch');
    await workbench.screenshot('canary-size');
    await workbench.inputBox('10');
    await workbench.createFromSheet('many.jsonl', /^Create/);
    await workbench.notification('created:');
    await workbench.clearNotifications();
    await emulator.advanceClock(700_000);
    await workbench.runCommand('Managed Agents: Refresh Batches');
    await workbench.row('many.jsonl').filter({ hasText: 'succeeded' }).waitFor();
    await workbench.runCommand('Managed Agents: Fetch Results');
    await workbench.quickPick('many.jsonl');
    assert.match(await workbench.notification('Canary of many.jsonl: 8 of 10 have a good answer.'), /cut short at max_tokens/);
    await workbench.screenshot('canary-verdict');
    await workbench.notificationButton('Canary of many.jsonl', 'Show Verdict');
    await workbench.waitFor('.tab.active:has-text("Canary of many.jsonl")');
    await workbench.webview('h1:has-text("Canary of many.jsonl")');
    await workbench.screenshot('canary-page');
    await workbench.clearNotifications();
    await workbench.runCommand('View: Close All Editor Groups');
    await workbench.runCommand('Managed Agents: Show Canary Verdict');
    await workbench.quickPick('many.jsonl');
    await workbench.waitFor('.tab.active:has-text("Canary of many.jsonl")');
    await workbench.runCommand('Managed Agents: Send the Rest After a Canary');
    await workbench.quickPick('many.jsonl');
    assert.match(await workbench.sheetText('many.jsonl'), /50 of 60: those that are left: 50 new/);
    await workbench.screenshot('canary-rest');
  });
});
