import assert from 'node:assert/strict';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0002';
const dialog = '.monaco-dialog-box';
const diff = '.monaco-diff-editor';

describe('a draft of an agent', () => {
  const emulator = useEmulator({ key });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({
    settings: {
      ...connectedTo(emulator()),
      // Text is put in whole, and saved when the test says so.
      'editor.autoIndent': 'none',
      'editor.autoClosingBrackets': 'never',
      'editor.autoClosingQuotes': 'never',
      'files.autoSave': 'off',
    },
  }));
  const questions = new Questions(workbench);
  before('show the view', async () => {
    await workbench().setKey(key);
    await showAgents();
  });

  async function showAgents(): Promise<void> {
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Agents');
  }
  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const line = (text: string) => workbench().page.locator('.editor-group-container.active .view-line', { hasText: text }).first();
  const publish = (effect: string) => workbench().runCommand('Managed Agents: Publish Agent', asks(effect));
  const agent = async (id: string) => (await client().agents.retrieve(id)).data;

  /** Makes an agent, lists it and opens its definition; gives its id. */
  async function opened(name: string, system = 'You keep books.\nYou are quiet.'): Promise<string> {
    const model = { id: 'vendor-opus-5', speed: 'standard' };
    const { data } = await client().agents.create({ name, model, system });
    await workbench().command('managedAgents.agents.refresh');
    await item(new RegExp(`${name}, v1`)).waitFor();
    await workbench().clickTreeRow(name, tabOf(`${name}.agent.json`));
    await line(`"system": ${JSON.stringify(system)}`).waitFor();
    return data.id;
  }

  /** Replaces a text that stands once in the active editor, as a person does who selects it and types. */
  async function replace(from: string, to: string): Promise<void> {
    const [before = '', ...after] = (await workbench().activeText(from)).split(from);
    assert.equal(after.length, 1, from);
    const lines = before.split('\n');
    await workbench().goTo(lines.length, (lines.at(-1) ?? '').length + 1);
    await workbench().command('cursorMove', { to: 'right', by: 'character', value: from.length, select: true });
    await workbench().type(to);
    await line(to).waitFor();
  }

  it('is checked against the schema', async () => {
    await opened('Checked');
    await workbench().command('editor.action.selectAll');
    await workbench().type('{\n  "name": 5,\n  "model": "vendor-opus-5",\n  "tools": [{ "type": "custom" }]\n}\n');
    await workbench().command('workbench.actions.view.problems');
    for (const problem of ['Incorrect type. Expected "string"', 'Missing property "input_schema"']) {
      await workbench().page.locator('.markers-panel .monaco-list-row', { hasText: problem }).first().waitFor();
    }
    await workbench().screenshot('agents-problems');
  });

  it('is what is saved, over a reload too, and publishes nothing by itself', async () => {
    const id = await opened('Keeper');
    await replace('quiet', 'brief');
    await workbench().save();
    await item(/Keeper, draft/).waitFor();
    await workbench().screenshot('agents-draft');
    await workbench().reloadWindow();
    await workbench().closeEditors();
    await showAgents();
    await item(/Keeper, draft/).waitFor();
    await workbench().clickTreeRow('Keeper', line('You are brief'));
    assert.equal((await agent(id)).version, 1);
  });

  it('is written in prose beside the JSON, where both can be changed, and saved into the draft', async () => {
    const id = await opened('Writer', 'You keep books.\nOnly yours.\nYou are quiet.');
    const prompt = tabOf('Writer.system-prompt.md');
    await workbench().click(workbench().page.locator('.codelens-decoration a', { hasText: 'Edit Prompt as Markdown' }), prompt);
    await line('You keep books.').waitFor();
    await replace('quiet', 'brief');
    await workbench().screenshot('agents-prompt');
    // The JSON changes another line of the prompt, and more, and is not saved either.
    await workbench().command('workbench.action.focusFirstEditorGroup');
    await replace('keep books', 'keep many books');
    await workbench().command('workbench.action.focusSecondEditorGroup');
    await line('You are brief.').waitFor();
    await workbench().save();
    await line('You keep many books.').waitFor();
    await line('You are brief.').waitFor();
    await workbench().command('workbench.action.focusFirstEditorGroup');
    await line('"system": "You keep many books.\\nOnly yours.\\nYou are brief."').waitFor();
    await item(/Writer, draft/).waitFor();
    await publish('as version 2?');
    await questions.choose('as version 2?', 'Publish Version 2', item(/Writer, v2/));
    assert.equal((await agent(id)).system, 'You keep many books.\nOnly yours.\nYou are brief.');
  });

  it('is published after its difference was shown, as the version after the one it was based on', async () => {
    const id = await opened('Printer');
    await replace('quiet', 'brief');
    await workbench().save();
    await publish('as version 2?');
    await workbench().waitFor(diff);
    await workbench().screenshot('agents-publish');
    await questions.choose('as version 2?', 'Publish Version 2', item(/Printer, v2/));
    const { version, system } = await agent(id);
    assert.deepEqual([version, system], [2, 'You keep books.\nYou are brief.']);
    const updates = emulator().requests.filter(({ method, path }) => method === 'POST' && path.includes(`/agents/${id}`));
    assert.equal(updates.length, 1);
    await workbench().waitForNone(diff);
  });

  it('is brought together with what somebody else published meanwhile', async () => {
    const id = await opened('Archivist');
    await replace('keep books', 'keep many books');
    await replace('Archivist', 'Head Archivist');
    await workbench().save();
    await client().agents.update(id, { version: 1, name: 'Chief Archivist', description: 'Knows every shelf' });
    const question = 'was published since you began from version 1';
    await publish(question);
    await workbench().screenshot('agents-conflict');
    const place = 'name was changed by both (1 of 1)';
    await questions.choose(question, 'Bring Both Together', asks(place));
    await workbench().screenshot('agents-conflict-place');
    await questions.choose(place, 'Yours', asks('as version 3?'));
    await workbench().waitFor(diff);
    await questions.choose('as version 3?', 'Publish Version 3', item(/Head Archivist, v3/));
    const { name, description, system } = await agent(id);
    assert.deepEqual([name, description, system], ['Head Archivist', 'Knows every shelf', 'You keep many books.\nYou are quiet.']);
  });

  it('is a change of the version it was begun from, though a newer one was listed before it was saved', async () => {
    const id = await opened('Porter');
    await replace('quiet', 'terse');
    await client().agents.update(id, { version: 1, description: 'Knows every shelf and box' });
    await workbench().command('managedAgents.agents.refresh');
    await item(/Porter, v2/).waitFor();
    await workbench().save();
    const question = 'was published since you began from version 1';
    await publish(question);
    await questions.choose(question, 'Bring Both Together', asks('as version 3?'));
    await questions.choose('as version 3?', 'Publish Version 3', item(/Porter, v3/));
    const { description, system } = await agent(id);
    assert.deepEqual([description, system], ['Knows every shelf and box', 'You keep books.\nYou are terse.']);
  });

  it('is worked out by hand in the merge editor by those who want to', async () => {
    const id = await opened('Binder');
    await replace('quiet', 'short');
    await workbench().save();
    await client().agents.update(id, { version: 1, system: 'You keep books.\nYou are patient.' });
    const question = 'was published since you began from version 1';
    await publish(question);
    await questions.choose(question, 'Merge by Hand', '.merge-editor .view-lines:has-text("patient")');
    await workbench().waitFor('.tab.active[aria-label*="Merging: Binder.agent.json"]');
    await workbench().waitFor('.merge-editor .view-lines:has-text("short")');
    await workbench().screenshot('agents-merge-editor');
    await workbench().closeEditors();
    await workbench().treeMenu('Binder', 'Discard Draft', dialog);
    await workbench().dialogButton('Discard Draft');
    await item(/Binder, v2/).waitFor();
    await workbench().clickTreeRow('Binder', line('patient'));
  });

  it('stays when publishing fails, and is discarded only after a question', async () => {
    const id = await opened('Seller');
    await replace('keep books', 'sell books');
    await workbench().save();
    emulator().setScenario({ faults: [{ name: 'serverError', route: 'agents.update' }] });
    await publish('as version 2?');
    await questions.choose('as version 2?', 'Publish Version 2', workbench().toast('500'));
    assert.match(await workbench().notification('500'), /127\.0\.0\.1/);
    await workbench().screenshot('agents-publish-failed');
    await workbench().clearNotifications();
    await item(/Seller, draft/).waitFor();
    assert.equal((await agent(id)).version, 1);
    await workbench().closeEditors();
    await workbench().treeMenu('Seller', 'Discard Draft', dialog);
    assert.match(await workbench().dialogText(), /cannot be undone/);
    await workbench().dialogButton('Discard Draft');
    await item(/Seller, v1/).waitFor();
  });
});
