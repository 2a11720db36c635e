import assert from 'node:assert/strict';
import path from 'node:path';
import { picker } from '../quickInputs.mjs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { ServedSessions } from './servedSessions';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0022';
const listed = (text: string) => `${picker} .monaco-list-row:has-text(${JSON.stringify(text)})`;
const testRow = (text: string, state = '') => `.test-explorer .monaco-list-row:has-text(${JSON.stringify(text)})${state}`;

describe('a session as a test', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  before('give the key', () => workbench().setKey(key));

  it('is made of a row of the view, and runs on its service once it has a budget, after a question', async () => {
    const w = workbench();
    const { id } = await sessions.create('Price of tea', 'price tea', 'Shopkeeper');
    const [call] = await sessions.events(id, 'agent.custom_tool_use');
    const content = [{ type: 'text', text: '3.20' }];
    await sessions.send(id, { type: 'user.custom_tool_result', custom_tool_use_id: call?.id, content, is_error: false });
    await w.openViewContainer('Managed Agents');
    await w.runCommand('Managed Agents: Refresh Sessions', '.monaco-list-row:has-text("Price of tea")');
    await w.treeMenu('Price of tea', 'Make Test of This Session...', listed('Whichever version is the latest'));
    await w.quickPick('Latest');
    const file = 'Price of tea.session-test.json';
    await w.chooseFile(path.join(w.folder, file), path.join(w.folder, file));
    await w.waitFor(tabOf(file));
    await w.notification('Messages: 1, calls to compare: 1. Run it in the Testing view.');
    await w.screenshot('session-test-file');
    const test = JSON.parse(w.fileText(file));
    assert.deepEqual(test.messages, ['price tea']);
    assert.deepEqual(test.answers, [{ tool: 'get_price', input: { item: 'tea' }, content: '3.20' }]);

    await w.openViewContainer('Testing');
    const row = testRow('Price of tea');
    await w.waitFor(row);
    w.writeFile(file, JSON.stringify({ ...test, budget: '0.50', messages: ['price milk'] }, null, 2));
    await w.menuOf(w.page.locator(row).first(), 'Execute Using Profile...', listed('On Lab'));
    await w.quickPick('On Lab', '.monaco-dialog-box');
    assert.match(await w.dialogText(), /Run the test "Price of tea" on this service\?.*up to its budget of \$0\.50/s);
    await w.screenshot('session-test-question');
    await w.dialogButton('Run');
    await w.waitFor(testRow('Price of tea', ' .codicon-testing-failed-icon'));
    await w.untilThere('.test-output-peek-message-container', timeout => w.page.locator(row).first().click({ timeout }));
    await w.screenshot('session-test-differs');
    const ran = (await client().sessions.list({ includeArchived: true })).items.find(({ title }) => title === 'Test: Price of tea');
    assert.deepEqual(ran?.budget, { type: 'limit', max_list_cost: { amount: '50', currency: 'USD' } });
    assert.ok(ran?.archived_at);
  });
});
