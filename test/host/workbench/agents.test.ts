import assert from 'node:assert/strict';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { plainTyping, tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0002';
const dialog = '.monaco-dialog-box';
const diff = '.monaco-diff-editor';

describe('agents', () => {
  const emulator = useEmulator({ key });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({
    settings: {
      ...connectedTo(emulator()),
      ...plainTyping,
    },
    files: {
      'agents/clerk.agent.json': `${JSON.stringify({ name: 'Clerk', model: 'vendor-haiku-4-5', system: 'You file.' }, null, 2)}\n`,
    },
  }));
  const questions = new Questions(workbench);
  before('archive the sample agents, and show the view', async () => {
    for (const { id } of (await client().agents.list()).items) {
      await client().agents.archive(id);
    }
    await workbench().setKey(key);
    await showAgents();
  });

  async function showAgents(): Promise<void> {
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Agents');
  }
  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const line = (text: string) => workbench().page.locator('.editor-group-container.active .view-line', { hasText: text }).first();
  const publish = (effect: string) => workbench().runCommand('Managed Agents: Publish...', asks(effect));
  const agent = async (id: string) => (await client().agents.retrieve(id)).data;
  const welcome = (words: string) => `.pane-body .welcome-view-content:has-text("${words}")`;

  /** Creates an agent with a version for each system prompt, and lists it. Returns its id. */
  async function listed(name: string, first: string, ...later: readonly string[]): Promise<string> {
    const { id } = (await client().agents.create({ name, model: { id: 'vendor-opus-5', speed: 'standard' }, system: first })).data;
    for (const [index, system] of later.entries()) {
      await client().agents.update(id, { version: index + 1, system });
    }
    await workbench().command('managedAgents.refresh');
    await item(new RegExp(`${name}, v${later.length + 1}`)).waitFor();
    return id;
  }

  /** Creates an agent, lists it and opens its definition. Returns its id. */
  async function opened(name: string, system = 'You keep books.\nYou are quiet.'): Promise<string> {
    const model = { id: 'vendor-opus-5', speed: 'standard' };
    const { data } = await client().agents.create({ name, model, system });
    await workbench().command('managedAgents.refresh');
    await item(new RegExp(`${name}, v1`)).waitFor();
    await workbench().clickTreeRow(name, tabOf(`${name}.agent.json`));
    await line(`"system": ${JSON.stringify(system)}`).waitFor();
    return data.id;
  }

  it('says that a service has no agents, and creates the first one from a template @ci', async () => {
    emulator().setScenario({ faults: [{ name: 'notFound', route: 'agents.list' }] });
    await workbench().runCommand('Managed Agents: Refresh', welcome("This service doesn't support agents"));
    await workbench().screenshot('agents-unsupported');
    emulator().setScenario({ faults: [] });

    await workbench().runCommand('Managed Agents: Refresh', welcome('No agents yet'));
    await workbench().screenshot('agents-empty');
    await workbench().welcomeButton('New Agent', asks('Select a template'));
    await workbench().screenshot('agents-templates');
    await questions.choose('Select a template', 'Careful Operator', tabOf('Careful Operator.agent.json'));
    await workbench().waitFor('.editor-group-container.active .view-line:has-text(\'"type": "always_ask"\')');
    await item(/Careful Operator, Draft, not published/).waitFor();
    await workbench().screenshot('agents-new');
    const prompt = tabOf('Careful Operator.system-prompt.md');
    await workbench().click(workbench().page.locator('.codelens-decoration a', { hasText: 'Open Prompt as Markdown' }), prompt);
    await line('You work in a sandbox.').waitFor();
    await workbench().replace('sandbox', 'workshop');
    await workbench().runCommand('Managed Agents: Publish...', workbench().toast('Create "Careful Operator"'));
    await workbench().screenshot('agents-create-confirm');
    await workbench().notificationButton('Create "Careful Operator"', 'Create');
    await item(/Careful Operator, v1/).waitFor();
    const { items } = await client().agents.list();
    assert.deepEqual(
      items.map(({ name }) => name),
      ['Careful Operator'],
    );
    // The unsaved prompt was published too, and its editor now shows the prompt of the agent.
    assert.match(items[0]?.system ?? '', /^You work in a workshop\./);
    await workbench().waitFor(prompt);
    await line('You work in a workshop.').waitFor();
    await workbench().replace('workshop', 'garden');
    await workbench().save();
    await item(/Careful Operator, draft/).waitFor();
  });

  it('lists the versions of an agent below it, and compares two in the diff editor @ci', async () => {
    await listed('Reader', 'You read.', 'You read much.', 'You read all.');
    await item(/Reader, v3, vendor-opus-5/).waitFor();
    await workbench().unfold('Reader', item(/Version 3, latest/));
    await item(/Version 1/).waitFor();
    await workbench().treeMenu('Reader', 'Compare...', asks('Select a version'));
    await questions.choose('Select a version', 'Version 3', asks('Compare with version 3'));
    await questions.choose('Compare with version 3', 'Version 1', '.tab.active:has-text("version 1 ↔ version 3")');
    await workbench().waitFor(diff);
    await workbench().screenshot('agents-compare');
    await workbench().fold('Reader', item(/Version 3, latest/));
  });

  it('edits the prompt as Markdown beside the JSON, and saves both into the draft @ci', async () => {
    const id = await opened('Writer', 'You keep books.\nOnly yours.\nYou are quiet.');
    const prompt = tabOf('Writer.system-prompt.md');
    await workbench().click(workbench().page.locator('.codelens-decoration a', { hasText: 'Open Prompt as Markdown' }), prompt);
    await line('You keep books.').waitFor();
    await workbench().replace('quiet', 'brief');
    await workbench().screenshot('agents-prompt');
    // The unsaved JSON changes another line of the prompt, and another field.
    await workbench().command('workbench.action.focusFirstEditorGroup');
    await workbench().replace('keep books', 'keep many books');
    await workbench().command('workbench.action.focusSecondEditorGroup');
    await line('You are brief.').waitFor();
    await workbench().save();
    await line('You keep many books.').waitFor();
    await line('You are brief.').waitFor();
    await workbench().command('workbench.action.focusFirstEditorGroup');
    await line('"system": "You keep many books.\\nOnly yours.\\nYou are brief."').waitFor();
    await item(/Writer, draft/).waitFor();
    await workbench().runCommand('Managed Agents: Publish...', workbench().toast('as version 2?'));
    await workbench().notificationButton('as version 2?', 'Publish Version 2');
    await item(/Writer, v2/).waitFor();
    assert.equal((await agent(id)).system, 'You keep many books.\nOnly yours.\nYou are brief.');
  });

  it('keeps a saved draft across a reload, publishes nothing automatically, and offers to merge by hand or discard @ci', async () => {
    const id = await opened('Binder');
    await workbench().replace('quiet', 'short');
    await workbench().save();
    await item(/Binder, draft/).waitFor();
    await workbench().reloadWindow();
    await workbench().closeEditors();
    await showAgents();
    await item(/Binder, draft/).waitFor();
    await workbench().clickTreeRow('Binder', line('You are short'));
    assert.equal((await agent(id)).version, 1);

    await client().agents.update(id, { version: 1, system: 'You keep books.\nYou are patient.' });
    const question = 'was published in the meantime';
    await publish(question);
    await questions.choose(question, 'Merge Manually', '.merge-editor .view-lines:has-text("patient")');
    await workbench().waitFor('.tab.active[aria-label*="Merging: Binder.agent.json"]');
    await workbench().waitFor('.merge-editor .view-lines:has-text("short")');
    await workbench().screenshot('agents-merge-editor');
    await workbench().closeEditors();
    await workbench().treeMenu('Binder', 'Discard Draft', dialog);
    await workbench().dialogButton('Discard Draft');
    await item(/Binder, v2/).waitFor();
    await workbench().clickTreeRow('Binder', line('patient'));
  });

  it('restores an old version as a new one @nightly', async () => {
    const id = await listed('Poet', 'You write.', 'You draw.');
    await client().agents.update(id, { version: 2, name: 'Painter' });
    await workbench().command('managedAgents.refresh');
    await item(/Painter, v3/).waitFor();
    await workbench().runCommand('Managed Agents: Restore as New Version', asks('Select one, or enter its ID'));
    await questions.choose('Select one, or enter its ID', 'Painter', asks('Select a version'));
    await questions.choose('Select a version', 'Version 1', workbench().toast('as version 4?'));
    await workbench().waitFor(diff);
    await workbench().notificationButton('as version 4?', 'Publish Version 4');
    await item(/Poet, v4/).waitFor();
    const { data } = await client().agents.retrieve(id);
    assert.deepEqual([data.name, data.system], ['Poet', 'You write.']);
  });

  it('creates an agent from a workspace file, which stays unchanged @nightly', async () => {
    await workbench().openFile('agents/clerk.agent.json');
    await workbench().runCommand('Managed Agents: Create from This File', workbench().toast('From agents/clerk.agent.json'));
    await workbench().notificationButton('Create "Clerk"', 'Create');
    await item(/Clerk, v1, vendor-haiku-4-5/).waitFor();
    assert.match(workbench().fileText('agents/clerk.agent.json'), /You file/);
  });

  it('archives after a question, hides archived agents and shows them on request @nightly', async () => {
    const doorman = '.part.sidebar .monaco-list-row:has-text("Doorman")';
    await listed('Doorman', 'You open.');
    await workbench().treeMenu('Doorman', 'Archive...', dialog);
    assert.match(await workbench().dialogText(), /can't be undone/);
    await workbench().screenshot('agents-archive');
    await workbench().dialogButton('Archive');
    await workbench().waitForNone(doorman);
    await workbench().command('managedAgents.toggleArchived');
    await item(/Doorman, archived/).waitFor();
    await workbench().screenshot('agents-archived');
    await workbench().command('managedAgents.toggleArchived');
    await workbench().waitForNone(doorman);
  });

  it('treats a draft as a change of its base version, even if a newer one was listed before it was saved @nightly', async () => {
    const id = await opened('Porter');
    await workbench().replace('quiet', 'terse');
    await client().agents.update(id, { version: 1, description: 'Knows every shelf and box' });
    await workbench().command('managedAgents.refresh');
    await item(/Porter, v2/).waitFor();
    await workbench().save();
    const question = 'was published in the meantime';
    await publish(question);
    await questions.choose(question, 'Merge', workbench().toast('as version 3?'));
    await workbench().notificationButton('as version 3?', 'Publish Version 3');
    await item(/Porter, v3/).waitFor();
    const { description, system } = await agent(id);
    assert.deepEqual([description, system], ['Knows every shelf and box', 'You keep books.\nYou are terse.']);
  });
});
