import assert from 'node:assert/strict';
import { dialects } from '../../../src/client/dialect';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { useWorkbench, type Workbench } from './workbench';

const port = 41_000 + (process.pid % 9_000);
const key = 'local-test-key-0002';

/** Replaces all that stands in the active editor, as typed text. */
async function retype(w: Workbench, text: string): Promise<void> {
  await w.page.locator('.editor-group-container.active .view-lines').first().click();
  await w.press('Control+A');
  await w.page.keyboard.insertText(text);
  await w.waitFor('.editor-group-container.active .tab.active.dirty');
}

/** Replaces a text that stands once in the active editor, as a person does who selects it and types. `whole` is what the editor holds. */
async function replace(w: Workbench, whole: string, from: string, to: string): Promise<void> {
  const before = whole.slice(0, whole.indexOf(from)).split('\n');
  assert.ok(whole.includes(from));
  await w.goTo(before.length, (before.at(-1) ?? '').length + 1);
  for (let step = 0; step < from.length; step++) {
    await w.press('Shift+ArrowRight');
  }
  await w.page.keyboard.insertText(to);
  await w.waitFor('.editor-group-container.active .tab.active.dirty');
}

async function save(w: Workbench): Promise<void> {
  await w.press('Control+S');
  await w.waitFor('.editor-group-container.active .tab.active:not(.dirty)');
}

describe('the Agents view', () => {
  let emulator: Emulator;
  let client: ServiceClient;

  before(async () => {
    emulator = await startEmulator({ port, key });
    client = createServiceClient({
      baseUrl: emulator.url,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key, origin: new URL(emulator.url).origin }),
    });
    for await (const { id } of allAgents()) {
      await client.agents.archive(id);
    }
  });
  after(async () => {
    await client.close();
    await emulator.stop();
  });

  async function* allAgents() {
    yield* (await client.agents.list()).items;
  }

  const definition = { name: 'Librarian', model: { id: 'vendor-opus-5', speed: 'standard' }, system: 'You keep books.\nYou are quiet.' };
  const textOf = async (id: string) => {
    const { data } = await client.agents.retrieve(id);
    const { id: _, type: _type, version, created_at, updated_at, archived_at, ...rest } = data;
    return rest;
  };
  let librarian: string;

  const workbench = useWorkbench({
    settings: {
      'managedAgents.connections': { Local: { baseUrl: `http://127.0.0.1:${port}` } },
      'managedAgents.connection': 'Local',
      // Text is put in whole, and saved when the test says so.
      'editor.autoIndent': 'none',
      'editor.autoClosingBrackets': 'never',
      'editor.autoClosingQuotes': 'never',
      'files.autoSave': 'off',
    },
    files: {
      'agents/clerk.agent.json': `${JSON.stringify({ name: 'Clerk', model: 'vendor-haiku-4-5', system: 'You file.' }, null, 2)}\n`,
    },
  });

  it('leads to a first agent from a template, which publishing creates', async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await w.showOnlyView('Agents');
    await w.welcomeButton('Set it');
    await w.inputBox(key);
    await w.page.getByText('No agents yet').waitFor();
    await w.screenshot('agents-empty');
    await w.welcomeButton('New Agent');
    await w.screenshot('agents-templates');
    await w.quickPick('Careful Operator');
    await w.waitFor('.tab.active[data-resource-name="Careful Operator.agent.json"]');
    assert.match(await w.editorText(), /"type": "always_ask"/);
    assert.match(await w.treeRow('Careful Operator'), /new, not published/);
    await w.screenshot('agents-new');
    await w.runCommand('Managed Agents: Publish Agent');
    await w.screenshot('agents-create-confirm');
    await w.quickPick('Create Agent');
    await w.page.getByRole('treeitem', { name: /Careful Operator, v1/ }).waitFor();
    const { items } = await client.agents.list();
    assert.equal(items[0]?.name, 'Careful Operator');
    assert.equal(items.length, 1);
    await w.runCommand('View: Close All Editor Groups');
  });

  it('lists agents with their versions below them', async () => {
    const w = workbench();
    librarian = (await client.agents.create(definition)).data.id;
    await client.agents.update(librarian, { version: 1, system: 'You keep books.\nYou are kind.' });
    await w.runCommand('Managed Agents: Refresh Agents');
    await w.page.getByRole('treeitem', { name: /Librarian, v2, vendor-opus-5/ }).click();
    await w.press('ArrowRight');
    await w.page.getByRole('treeitem', { name: /Version 2, latest/ }).waitFor();
    await w.page.getByRole('treeitem', { name: /Version 1/ }).waitFor();
    await w.screenshot('agents-list');
    await w.runCommand('View: Close All Editor Groups');
  });

  it('checks a document against the schema and completes it', async () => {
    const w = workbench();
    await w.clickTreeRow('Librarian');
    await w.waitFor('.tab.active[data-resource-name="Librarian.agent.json"]');
    const text = await w.editorText();
    assert.match(text, /"system": "You keep books\.\\nYou are kind\."/);
    await retype(w, '{\n  "name": 5,\n  "model": "vendor-opus-5",\n  "tools": [{ "type": "custom" }]\n}\n');
    const problems = (await w.problems()).join('\n');
    assert.match(problems, /Incorrect type. Expected "string"/);
    assert.match(problems, /Missing property "input_schema"/);
    await w.screenshot('agents-problems');
    await w.runCommand('View: Toggle Panel Visibility');
    await w.runCommand('File: Revert File');
    await w.waitFor('.tab.active:not(.dirty)');
    await w.runCommand('View: Close All Editor Groups');
  });

  it('keeps what is saved as a draft, over a reload, and publishes nothing by itself', async () => {
    const w = workbench();
    await w.clickTreeRow('Librarian');
    await w.waitFor('.tab.active[data-resource-name="Librarian.agent.json"]');
    const now = `${JSON.stringify(await textOf(librarian), null, 2)}\n`;
    await replace(w, now, 'kind', 'brief');
    await save(w);
    await w.page.getByRole('treeitem', { name: /Librarian, draft/ }).waitFor();
    await w.screenshot('agents-draft');
    await w.reloadWindow();
    await w.page.getByRole('treeitem', { name: /Librarian, draft/ }).waitFor();
    await w.clickTreeRow('Librarian');
    await w.page.locator('.view-lines', { hasText: 'You are brief' }).first().waitFor();
    assert.equal((await client.agents.retrieve(librarian)).data.version, 2);
  });

  it('shows the difference, asks, and publishes the version it was based on', async () => {
    const w = workbench();
    await w.runCommand('Managed Agents: Publish Agent');
    await w.waitFor('.monaco-diff-editor');
    await w.screenshot('agents-publish');
    await w.quickPick('Publish Version 3');
    await w.page.getByRole('treeitem', { name: /Librarian, v3/ }).waitFor();
    const { data } = await client.agents.retrieve(librarian);
    assert.deepEqual([data.version, data.system], [3, 'You keep books.\nYou are brief.']);
    const sent = emulator.requests.filter(({ method, path }) => method === 'POST' && path.includes(`/agents/${librarian}`)).at(-1);
    assert.ok(sent !== undefined);
    await w.waitForNone('.monaco-diff-editor');
  });

  it('brings two changes together when somebody else published meanwhile', async () => {
    const w = workbench();
    const now = `${JSON.stringify(await textOf(librarian), null, 2)}\n`;
    await replace(w, now, 'keep books', 'keep many books');
    await replace(w, now.replace('keep books', 'keep many books'), 'Librarian', 'Head Librarian');
    await save(w);
    await client.agents.update(librarian, { version: 3, name: 'Chief Librarian', description: 'Knows every shelf' });
    await w.runCommand('Managed Agents: Publish Agent');
    await w.page.getByText('was published since you began from version 3').first().waitFor();
    await w.screenshot('agents-conflict');
    await w.quickPick('Bring Both Together');
    await w.page.getByText('name was changed by both (1 of 1)').first().waitFor();
    await w.screenshot('agents-conflict-place');
    await w.quickPick('Yours');
    await w.waitFor('.monaco-diff-editor');
    await w.quickPick('Publish Version 5');
    await w.page.getByRole('treeitem', { name: /Head Librarian, v5/ }).waitFor();
    const { data } = await client.agents.retrieve(librarian);
    assert.deepEqual(
      [data.name, data.description, data.system],
      ['Head Librarian', 'Knows every shelf', 'You keep many books.\nYou are brief.'],
    );
  });

  it('takes what was typed for a change of the version it was begun from, though a newer one was listed before it was saved', async () => {
    const w = workbench();
    const now = `${JSON.stringify(await textOf(librarian), null, 2)}\n`;
    await replace(w, now, 'brief', 'terse');
    await client.agents.update(librarian, { version: 5, description: 'Knows every shelf and box' });
    await w.runCommand('Managed Agents: Refresh Agents');
    await w.page.getByRole('treeitem', { name: /Head Librarian, v6/ }).waitFor();
    await save(w);
    await w.runCommand('Managed Agents: Publish Agent');
    await w.page.getByText('was published since you began from version 5').first().waitFor();
    await w.quickPick('Bring Both Together');
    await w.quickPick('Publish Version 7');
    await w.page.getByRole('treeitem', { name: /Head Librarian, v7/ }).waitFor();
    const { data } = await client.agents.retrieve(librarian);
    assert.deepEqual([data.description, data.system], ['Knows every shelf and box', 'You keep many books.\nYou are terse.']);
  });

  it('opens the merge editor for those who want to work a conflict out by hand', async () => {
    const w = workbench();
    const now = `${JSON.stringify(await textOf(librarian), null, 2)}\n`;
    await replace(w, now, 'terse', 'short');
    await save(w);
    await client.agents.update(librarian, { version: 7, system: 'You keep many books.\nYou are patient.' });
    await w.runCommand('Managed Agents: Publish Agent');
    await w.quickPick('Merge by Hand');
    await w.waitFor('.merge-editor');
    await w.page.locator('.merge-editor .view-lines', { hasText: 'patient' }).first().waitFor();
    await w.screenshot('agents-merge-editor');
    assert.equal(await w.count('.tab[data-resource-name="Head Librarian.agent.json"]'), 0);
    await w.runCommand('View: Close All Editor Groups');
    await w.treeMenu('Head Librarian', 'Discard Draft');
    await w.dialogButton('Discard Draft');
    await w.clickTreeRow('Head Librarian');
    await w.page.locator('.view-lines', { hasText: 'patient' }).first().waitFor();
  });

  it('keeps the draft when publishing fails', async () => {
    const w = workbench();
    const now = `${JSON.stringify(await textOf(librarian), null, 2)}\n`;
    await replace(w, now, 'many', 'all');
    await save(w);
    emulator.setScenario({ faults: [{ name: 'serverError', route: 'agents.update', times: 1 }] });
    await w.runCommand('Managed Agents: Publish Agent');
    await w.quickPick('Publish Version 9');
    assert.match(await w.notification('500'), /127\.0\.0\.1/);
    await w.screenshot('agents-publish-failed');
    await w.clearNotifications();
    await w.page.getByRole('treeitem', { name: /Head Librarian, draft/ }).waitFor();
    assert.equal((await client.agents.retrieve(librarian)).data.version, 8);
    await w.runCommand('View: Close All Editor Groups');
    await w.treeMenu('Head Librarian', 'Discard Draft');
    assert.match(await w.dialogText(), /cannot be undone/);
    await w.dialogButton('Discard Draft');
    await w.page.getByRole('treeitem', { name: /Head Librarian, v8/ }).waitFor();
  });

  it('compares two versions in the comparison of VS Code', async () => {
    const w = workbench();
    await w.treeMenu('Head Librarian', 'Compare Versions');
    await w.quickPick('Version 5');
    await w.quickPick('Version 1');
    await w.waitFor('.monaco-diff-editor');
    await w.page.locator('.tab.active', { hasText: 'version 1 ↔ version 5' }).waitFor();
    await w.pictures('agents-compare');
    await w.runCommand('View: Close All Editor Groups');
  });

  it('restores an old version as a new one', async () => {
    const w = workbench();
    await w.runCommand('Managed Agents: Restore as New Version');
    await w.quickPick('Head Librarian');
    await w.quickPick('Version 1');
    await w.waitFor('.monaco-diff-editor');
    await w.quickPick('Publish Version 9');
    await w.page.getByRole('treeitem', { name: /Librarian, v9/ }).waitFor();
    const { data } = await client.agents.retrieve(librarian);
    assert.deepEqual([data.name, data.system], [definition.name, definition.system]);
    await w.runCommand('View: Close All Editor Groups');
  });

  it('creates an agent from a file of the workspace, which stays as it is', async () => {
    const w = workbench();
    await w.openFile('clerk.agent.json');
    await w.runCommand('Managed Agents: Create Agent from This File');
    await w.quickPick('Create Agent');
    await w.page.getByRole('treeitem', { name: /Clerk, v1, vendor-haiku-4-5/ }).waitFor();
    assert.match(w.fileText('agents/clerk.agent.json'), /You file/);
    await w.runCommand('View: Close All Editor Groups');
  });

  it('archives after a question, hides the archived and shows them on demand', async () => {
    const w = workbench();
    await w.treeMenu('Clerk', 'Archive Agent');
    assert.match(await w.dialogText(), /cannot be brought back/);
    await w.screenshot('agents-archive');
    await w.dialogButton('Archive Agent');
    await w.waitForNone('.part.sidebar .monaco-list-row:has-text("Clerk")');
    await w.runCommand('Managed Agents: Show Archived Agents');
    await w.page.getByRole('treeitem', { name: /Clerk, archived/ }).waitFor();
    await w.pictures('agents-archived');
    await w.runCommand('Managed Agents: Hide Archived Agents');
    await w.waitForNone('.part.sidebar .monaco-list-row:has-text("Clerk")');
  });

  it('says that a service has no agents, and asks it no more', async () => {
    const w = workbench();
    emulator.setScenario({ faults: [{ name: 'notFound', route: 'agents.list' }] });
    await w.reloadWindow();
    await w.page.getByText('This service has no agents').waitFor();
    await w.screenshot('agents-unsupported');
    emulator.setScenario({ faults: [] });
  });
});
