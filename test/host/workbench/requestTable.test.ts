import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { connectedTo, useEmulator } from './emulator';
import { useWorkbench } from './workbench';

const request = (id: string, text: string, more: object = {}) =>
  JSON.stringify({
    custom_id: id,
    params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: text }], ...more },
  });
const lines = [
  ...Array.from({ length: 40 }, (_, index) => request(`q${index + 1}`, `Say hello to person ${index + 1}.`)),
  request('refund-1', 'Where is my refund?', { model: 'vendor-haiku-4-5', max_tokens: undefined }),
  request('q7', 'Say it twice.', { model: 'vendor-haiku-4-5' }),
  '{"custom_id":"broken","params":{',
];
const estimateTab = '.tab.active[aria-label^="Estimate - unsent.jsonl"]';
const panelTab = '.editor-group-container.active .tab.active:has-text("Requests of unsent.jsonl")';

describe('table of requests', () => {
  const emulator = useEmulator({ key: 'key-of-the-tests' });
  const workbench = useWorkbench(() => ({ files: { 'unsent.jsonl': `${lines.join('\n')}\n` }, settings: connectedTo(emulator()) }));

  const counted = (frame: Frame, words: string): Locator => frame.locator('.queryCount strong').getByText(words, { exact: true });
  const button = (owner: Frame | Locator, name: string): Locator => owner.getByRole('button', { name, exact: true });

  async function shown(words: string): Promise<Frame> {
    const frame = await workbench().webview('main.panel [role="grid"]');
    await counted(frame, words).waitFor();
    await frame.locator('#row-0:not(.isComing)').waitFor();
    return frame;
  }

  async function filter(frame: Frame, query: string, words: string): Promise<void> {
    const field = frame.getByRole('combobox', { name: 'Filter requests' });
    await workbench().untilSeen(counted(frame, words), timeout => field.fill(query, { timeout }));
  }

  async function open(words: string): Promise<Frame> {
    await workbench().openFile('unsent.jsonl');
    await workbench().runCommand('Managed Agents: Show Requests as Table', panelTab);
    return await shown(words);
  }

  it('opens for a file that was never sent, filters by text, model and problems, and sorts', async () => {
    const frame = await open('43 requests');
    await workbench().pictures('request-table');
    await workbench().click(button(frame, 'With problems'), counted(frame, '4 of 43 requests'));
    await frame.locator('.extent > .mark-faulty').nth(3).waitFor();
    await filter(frame, 'problem=duplicate-id', '2 of 43 requests');
    await filter(frame, 'model=vendor-haiku-4-5 and text~refund', '1 of 43 requests');
    await frame.locator('#row-0').filter({ hasText: 'Where is my refund?' }).filter({ hasText: 'missing-field' }).waitFor();
    await workbench().click(button(frame, 'All'), counted(frame, '43 requests'));
    const byId = frame.getByRole('columnheader', { name: 'Id' });
    await workbench().click(byId.getByRole('button'), byId.and(frame.locator('[aria-sort="ascending"]')));
    await workbench().click(button(frame, 'Show Summary'), frame.getByRole('button', { name: /^duplicate-id: / }));
    await workbench().pictures('request-table-summary');
    await workbench().click(button(frame, 'Hide Summary'), button(frame, 'Show Summary'));
  });

  it('leads from a row to its problems, to its line and to the request as a document', async () => {
    const frame = await open('43 requests');
    await filter(frame, 'text~refund', '1 of 43 requests');
    const pair = frame.getByRole('region', { name: 'Request', exact: true });
    await workbench().click(frame.locator('.extent > .mark-faulty'), pair.getByText('missing-field'));
    await workbench().pictures('request-table-pair');
    await workbench().click(button(pair, 'Edit Request'), '.tab.active:has-text("refund-1")');
    const again = await open('1 of 43 requests');
    await workbench().click(button(again, 'Go to Line 41'), '.monaco-editor .active-line-number:text-is("41")');
  });

  it('opens from the foot of the sheet, also where nothing can be sent', async () => {
    await workbench().openFile('unsent.jsonl');
    await workbench().beginCommand(estimateTab, 'managedAgents.file.estimate');
    await workbench().sheetButton('unsent.jsonl', 'Show Requests as Table', panelTab);
    await shown('43 requests');
  });

  it('writes what is selected to a new file, and shows a file anew that was written to', async () => {
    let frame = await open('43 requests');
    await filter(frame, 'problem=duplicate-id', '2 of 43 requests');
    await workbench().untilSeen(frame.getByText('All 2 rows selected'), timeout => frame.getByRole('grid').press('Control+a', { timeout }));
    await workbench().click(
      button(frame, 'Requests to New File…'),
      '.notification-toast:has-text("Wrote 2 lines to unsent.selected.jsonl.")',
    );
    assert.equal(workbench().fileText('unsent.selected.jsonl'), `${lines[6]}\n${lines[41]}\n`);
    await workbench().click(button(frame, 'All'), counted(frame, '43 requests'));
    await workbench().openFile('unsent.jsonl');
    appendFileSync(path.join(workbench().folder, 'unsent.jsonl'), `${request('late', 'I came later.')}\n`);
    frame = await open('44 requests');
    await filter(frame, 'id=late', '1 of 44 requests');
  });
});
