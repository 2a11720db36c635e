import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { eventuallyHolds } from '../eventually';
import { createBatch, endAndFetch, enterBatches } from './batchSteps';
import { connectedTo, useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const ids = Array.from({ length: 60 }, (_, index) => `q${index + 1}`);
const requests = ids.map((custom_id, index) => ({
  custom_id,
  params: {
    model: index % 2 === 0 ? 'vendor-sonnet-5' : 'vendor-haiku-4-5',
    max_tokens: 64,
    messages: [{ role: 'user', content: `Say hello to ${custom_id}.` }],
  },
}));
const panelTab = '.tab.active:has-text("Results of asked.jsonl")';

describe('the results panel @ci', () => {
  const emulator = useEmulator({
    key: 'key-of-the-tests',
    scenario: { batchDuration: 600_000, erroredPercent: 20, cutShortPercent: 20 },
  });
  const workbench = useWorkbench(() => ({
    files: { 'asked.jsonl': `${requests.map(request => JSON.stringify(request)).join('\n')}\n` },
    settings: { ...connectedTo(emulator()), 'managedAgents.batches.notify': 'never' },
  }));
  let batchId: string;

  before('fetch results', async () => {
    await enterBatches(workbench(), emulator());
    batchId = await createBatch(workbench(), 'asked.jsonl');
    await endAndFetch(workbench(), emulator(), 'asked.jsonl', batchId);
  });

  /** Returns the frame of the panel, once it shows all rows. */
  async function shown(): Promise<Frame> {
    const frame = await workbench().webview('main.panel [role="grid"]');
    await counted(frame, '60 results').waitFor();
    await frame.locator('#row-0').filter({ hasText: 'q1' }).waitFor();
    return frame;
  }

  async function open(): Promise<Frame> {
    await workbench().beginCommand(panelTab, 'managedAgents.results.show', { connection: 'Lab', batchId });
    return await shown();
  }

  const counted = (frame: Frame, words: string): Locator => frame.locator('.count').getByText(words, { exact: true });
  const queryOf = (frame: Frame): Locator => frame.getByRole('combobox', { name: 'Filter results' });
  const button = (owner: Frame | Locator, name: string): Locator => owner.getByRole('button', { name, exact: true });
  const pairOf = (frame: Frame, id: string): Locator => frame.getByRole('region', { name: `Request and answer of ${id}`, exact: true });

  async function filter(frame: Frame, query: string, words: string): Promise<void> {
    await workbench().untilSeen(counted(frame, words), timeout => queryOf(frame).fill(query, { timeout }));
  }

  async function selectAll(frame: Frame, words: string): Promise<void> {
    await workbench().untilSeen(frame.getByText(words), timeout => frame.getByRole('grid').press('Control+a', { timeout }));
  }

  it('opens with a click on the fetched batch, and has its own menu on rows', async () => {
    await workbench().closeEditors();
    await workbench().clickTreeRow('asked.jsonl', panelTab);
    const frame = await shown();
    await workbench().menuOf(frame.locator('#row-3'), 'Go to Request', tabOf('asked.jsonl'));
  });

  it("adds a row's answer as the expectation, and then shows whether answers are as expected", async () => {
    const frame = await open();
    const row = frame.locator('.extent > .mark-succeeded').first();
    await workbench().menuOf(row, 'Expect This Answer', workbench().toast('Checks added to asked.expect.jsonl: 1.'));
    assert.match(workbench().fileText('asked.expect.jsonl'), /^\{"custom_id":"q\d+","equals":.*\}\n$/);
    await row.locator('.test-passed').waitFor();
    await workbench().screenshot('results-panel-expected');
    await workbench().clearNotifications();
    rmSync(path.join(workbench().folder, 'asked.expect.jsonl'));
  });

  it('copies the IDs of all rows', async () => {
    const frame = await open();
    await selectAll(frame, 'All 60 selected');
    const { page } = workbench();
    await page.evaluate(() => navigator.clipboard.writeText('what was copied before'));
    await workbench().untilDone(async timeout => {
      const end = Date.now() + timeout;
      await button(frame, 'Copy IDs').click({ timeout });
      // Polls from this process, because a wait inside the page would accept the clipboard's promise as a result.
      while ((await page.evaluate(() => navigator.clipboard.readText())).trim() !== ids.join('\n')) {
        assert.ok(Date.now() < end, 'The ids were not copied.');
      }
    });
  });

  it('goes to the line of a request, and restores filter and pair when the window was reloaded', async () => {
    const frame = await open();
    await workbench().click(frame.locator('#row-6'), pairOf(frame, 'q7'));
    await filter(frame, 'id=q7', '1 of 60 results');
    await workbench().click(button(pairOf(frame, 'q7'), 'Go to Line 7'), tabOf('asked.jsonl'));
    await workbench().cursorInLine(7);
    // VS Code stores the filter after the open pair, so the pair is stored too.
    await workbench().writtenDown('id=q7');
    await workbench().reloadWindow();
    const tab = workbench().page.locator('.tab:has-text("Results of asked.jsonl")').first();
    await workbench().untilThere(panelTab, timeout => tab.click({ timeout }));
    const again = await workbench().webview('main.panel [role="grid"]');
    await pairOf(again, 'q7').waitFor();
    await eventuallyHolds(async () => assert.equal(await queryOf(again).inputValue(), 'id=q7'));
    await counted(again, '1 of 60 results').waitFor();
  });

  it('writes selected requests to a new file, and opens a request and its answer as documents @nightly', async () => {
    const frame = await open();
    await filter(frame, 'id=q3,q8', '2 of 60 results');
    await selectAll(frame, 'All 2 selected');
    await workbench().click(button(frame, 'Save Requests to New File...'), workbench().toast('Lines written to asked.selected.jsonl: 2.'));
    assert.equal(
      workbench().fileText('asked.selected.jsonl'),
      [requests[2], requests[7]].map(request => `${JSON.stringify(request)}\n`).join(''),
    );
    await workbench().clearNotifications();
    await workbench().click(frame.locator('#row-0'), pairOf(frame, 'q3'));
    await workbench().click(button(pairOf(frame, 'q3'), 'Open in Editor'), '.tab.active[data-resource-name^="Answer to q3"]');
    await workbench().waitFor('.tab[data-resource-name^="Request q3"]');
    await workbench().screenshot('results-panel-documents');
  });
});
