import assert from 'node:assert/strict';
import path from 'node:path';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { picker } from '../quickInputs.mjs';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const request = (id: string, model: string) =>
  JSON.stringify({ custom_id: id, params: { model, max_tokens: 64, messages: [{ role: 'user', content: `Say hello, ${id}.` }] } });
const requests = (model: string) => `${Array.from({ length: 14 }, (_, index) => request(`greet-${index + 1}`, model)).join('\n')}\n`;

describe('comparing and exporting results', () => {
  let emulator: Emulator;
  let workbench: Workbench;

  before('start a service and VS Code', async function () {
    this.timeout(120_000);
    emulator = await startEmulator({ key: 'key-of-the-tests', scenario: { batchDuration: 600_000, cutShortPercent: 15 } });
    workbench = await Workbench.start({
      files: { 'runs.jsonl': requests('vendor-sonnet-5'), 'other.jsonl': requests('vendor-haiku-4-5') },
      settings: {
        'managedAgents.connections': { Lab: { baseUrl: emulator.url } },
        'managedAgents.connection': 'Lab',
        'managedAgents.batches.notify': 'never',
      },
    });
    await workbench.openViewContainer('Managed Agents');
    await workbench.welcomeButton('Set API Key');
    await workbench.inputBox('key-of-the-tests');
    await workbench.waitFor('.welcome-view-content :text("No batches yet")');
  });

  tidyUp(() => ({ workbench, emulator }));

  /** A batch of a file whose results are here. */
  async function run(file: string, replaces = false): Promise<void> {
    await workbench.openFile(file);
    await workbench.runCommand('Managed Agents: Create Batch...');
    await workbench.createFromSheet(path.basename(file));
    await workbench.notification('created:');
    await workbench.clearNotifications();
    await emulator.advanceClock(700_000);
    await workbench.runCommand('Managed Agents: Refresh Batches');
    await workbench.row(file).filter({ hasText: 'succeeded' }).first().waitFor();
    await workbench.runCommand('Managed Agents: Fetch Results');
    await workbench.quickPick(file);
    if (replaces) {
      await workbench.dialogButton('Replace');
    }
    await workbench.notification(`Results of ${file}: `);
    await workbench.clearNotifications();
  }

  it('lists what differs between two runs, regressions first, and shows each pair in the diff editor', async () => {
    await run('runs.jsonl');
    emulator.setScenario({ erroredPercent: 30 });
    await run('other.jsonl');
    await workbench.runCommand('Managed Agents: Compare Results With...');
    await workbench.quickPick('other.jsonl');
    await workbench.waitFor(`${picker} :text("Other files")`);
    await workbench.screenshot('compare-choose');
    await workbench.quickPick('runs.jsonl');
    await workbench.waitFor(`${picker} .monaco-list-row :text("greet-")`);
    const listed = await workbench.quickPickTexts();
    assert.match(listed.find(text => text.includes('greet-')) ?? '', /Regressed: succeeded → errored/);
    await workbench.screenshot('compare-list');
    await workbench.press('Enter');
    await workbench.waitFor('.monaco-diff-editor');
    assert.ok(await workbench.page.locator(picker).isVisible());
    await workbench.screenshot('compare-pair');
    await workbench.closePicker();
    await workbench.runCommand('View: Close Editor');
    await workbench.pictures('compare-summary');
  });

  it('compares two runs of one file though the newer results took the name of the older, many pairs in one editor', async () => {
    await run('runs.jsonl', true);
    await workbench.runCommand('Managed Agents: Compare Results With...');
    await workbench.quickPick('runs.jsonl');
    await workbench.waitFor(`${picker} :text("The same file")`);
    await workbench.quickPick('runs.jsonl');
    await workbench.waitFor(`${picker} .monaco-list-row :text("greet-")`);
    await workbench.page.locator(`${picker} [aria-label^="Open the First"]`).first().click();
    await workbench.waitFor('.multiDiffEntry, .monaco-component.multiDiffEditor');
    await workbench.screenshot('compare-together');
  });

  it('exports what is chosen, in the form that is chosen, to a new file', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Managed Agents: Export Results...');
    await workbench.quickPick('other.jsonl');
    await workbench.waitFor(`${picker} :text("What a query fits")`);
    await workbench.screenshot('export-what');
    await workbench.quickPick('What a query fits');
    await workbench.fillInput('stat=errored');
    await workbench.waitFor(`${picker} :text("Did you mean")`);
    await workbench.screenshot('export-query');
    await workbench.inputBox('state=errored or id=greet-1');
    await workbench.waitFor(`${picker} :text("CSV for Excel")`);
    await workbench.screenshot('export-form');
    await workbench.quickPick('a table, safe');
    await workbench.quickPick('Requests and answers');
    assert.match(await workbench.notification('exported to other.results.csv'), /\d+ results? w(?:as|ere) exported/);
    const [head, ...rows] = workbench.fileText('other.results.csv').split('\r\n');
    assert.equal(head, 'id,line,state,stop_reason,error_type,error_message,input_tokens,output_tokens,text,model,prompt');
    assert.ok(
      rows.slice(0, -1).every(row => /^greet-\d+,\d+,(?:errored|succeeded),.*,vendor-haiku-4-5,"Say hello, greet-\d+\."$/.test(row)),
    );
  });
});
