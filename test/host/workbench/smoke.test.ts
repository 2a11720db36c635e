import assert from 'node:assert/strict';
import { eventuallyHolds } from '../eventually';
import { createBatch, createdBatch, endAndFetch, enterBatches } from './batchSteps';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { plainTyping, tabOf, useWorkbench } from './workbench';

const request = (custom_id: string, model = 'vendor-sonnet-5') =>
  JSON.stringify({ custom_id, params: { model, max_tokens: 64, messages: [{ role: 'user', content: `Say hello to ${custom_id}.` }] } });
const ids = Array.from({ length: 60 }, (_, index) => `q${index + 1}`);

/** Short journeys in one window, because opening another window would take as long as all of them. */
describe('results, sheet and resources @smoke', () => {
  const emulator = useEmulator({
    key: 'key-of-the-tests',
    scenario: { batchDuration: 600_000, erroredPercent: 20, cutShortPercent: 20 },
  });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({
    files: {
      'asked.jsonl': ids.map((id, index) => `${request(id, index % 2 === 0 ? 'vendor-sonnet-5' : 'vendor-haiku-4-5')}\n`).join(''),
      'edited.jsonl': ['a', 'b', 'c'].map(id => `${request(id)}\n`).join(''),
    },
    settings: { ...connectedTo(emulator()), ...plainTyping, 'managedAgents.batches.notify': 'never' },
  }));
  const questions = new Questions(workbench);
  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();

  before('give the key', () => enterBatches(workbench(), emulator()));

  it('opens from a batch row, filters, sorts, and opens a pair', async () => {
    const batchId = await createBatch(workbench(), 'asked.jsonl');
    await endAndFetch(workbench(), emulator(), 'asked.jsonl', batchId);
    await workbench().treeMenu('asked.jsonl', 'Show Results', '.tab.active:has-text("Results of asked.jsonl")');
    const frame = await workbench().webview('main.panel [role="grid"]');
    const counted = (words: string) => frame.locator('.count').getByText(words, { exact: true });
    const button = (name: string) => frame.getByRole('button', { name, exact: true });
    await counted('60 results').waitFor();
    await frame.locator('#row-0').filter({ hasText: 'q1' }).waitFor();
    await workbench().click(button('Failed 12'), counted('12 of 60 results'));
    // The count is updated before the rows.
    await frame.locator('.extent > .mark-failed').nth(11).waitFor();
    assert.equal(await frame.locator('.extent > .mark-failed').count(), 12);
    const byId = frame.getByRole('columnheader', { name: 'ID' });
    await workbench().click(byId.getByRole('button'), byId.and(frame.locator('[aria-sort="ascending"]')));
    const query = frame.getByRole('combobox', { name: 'Filter results' });
    await workbench().untilSeen(counted('13 of 60 results'), timeout => query.fill('status=cut_short or id~q7', { timeout }));
    await eventuallyHolds(async () => assert.equal(await query.inputValue(), 'status=cut_short or id~q7'));
    await workbench().click(button('All 60'), counted('60 results'));
    await workbench().click(button('Succeeded 36'), counted('36 of 60 results'));
    const pair = frame.getByRole('region', { name: /Request and answer of q/ });
    await workbench().click(frame.locator('.extent > .mark-succeeded'), pair.getByText(/Say hello to q\d+\./));
    await workbench().screenshot('results-panel');
    await workbench().click(button('Charts'), frame.getByRole('button', { name: /^Succeeded: / }));
    await workbench().screenshot('results-panel-summary');
    await workbench().click(button('Charts'), button('Charts').and(frame.locator('[aria-pressed="false"]')));
  });

  it('notices an edit at once, checks again when the file is saved, and sends what was checked', async () => {
    const w = workbench();
    await w.openFile('edited.jsonl');
    await w.runCommand('Managed Agents: Create and Send Batch...', w.sheetTab('edited.jsonl').replace('.tab', '.tab.active'));
    const frame = await w.sheet('edited.jsonl');
    await w.sheetSays('edited.jsonl', 'Send 3 Requests');
    await w.untilThere(tabOf('edited.jsonl'), () => w.command('workbench.action.focusFirstEditorGroup'));
    await w.goTo(1);
    await w.command('editor.action.deleteLines');
    await w.sheetSays('edited.jsonl', 'The file has changed since it was checked.');
    await w.screenshot('sheet-stale');
    await eventuallyHolds(async () => assert.equal(await frame.locator('.button-primary').getAttribute('aria-disabled'), 'true'));
    await w.save();
    await w.createFromSheet('edited.jsonl', 'Send 2 Requests');
    await createdBatch(w, 'edited.jsonl', { requests: 2 });
  });

  it('creates an environment from a template by publishing, and publishes only changes @floor', async () => {
    await workbench().showOnlyView('Resources');
    await workbench().unfold('Environments', item(/^Default, open network/));
    await workbench().treeMenu('Environments', 'New...', asks('Select a template'));
    await workbench().screenshot('resources-templates');
    await questions.choose('Select a template', 'Locked Down', tabOf('Locked down.environment.json'));
    await item(/^Locked down, Draft, not published/).waitFor();
    await workbench().runCommand('Managed Agents: Publish...', workbench().toast('Create "Locked down"'));
    await workbench().notificationButton('Create "Locked down"', 'Create');
    await item(/^Locked down, 1 host allowed/).waitFor();
    const made = (await client().environments.list()).items.find(({ name }) => name === 'Locked down') ?? assert.fail();

    await workbench().replace('Locked down', 'Locked up');
    await workbench().save();
    await item(/^Locked down, draft/).waitFor();
    await workbench().waitFor('.codelens-decoration:has-text("Draft, not published")');
    await workbench().screenshot('resources-draft');
    await workbench().codeLens('Publish', workbench().toast('Publish Locked down?'));
    await workbench().waitFor('.monaco-diff-editor');
    await workbench().screenshot('resources-publish');
    await workbench().notificationButton('Publish Locked down?', 'Publish');
    await item(/^Locked up, 1 host allowed/).waitFor();
    await workbench().waitFor('.codelens-decoration:has-text("Published")');
    const { data } = await client().environments.retrieve(made.id);
    assert.equal(data.name, 'Locked up');
  });
});
