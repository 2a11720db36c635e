import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { SessionOnEmulator } from '../../helpers/emulatorClient';
import { eventuallyHolds } from '../eventually';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, offers, Questions } from './questions';
import { plainTyping, tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0012';
const dialog = '.monaco-dialog-box';
const diff = '.monaco-diff-editor';

describe('memory stores @nightly', () => {
  const emulator = useEmulator({ key });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({
    settings: {
      ...connectedTo(emulator()),
      ...plainTyping,
    },
    files: { 'seed/rules.md': '# Rules\n', 'seed/project/glossary.md': 'other words\n', 'seed/picture.bin': Buffer.from([0xff, 0xfe, 0]) },
  }));
  const questions = new Questions(workbench);
  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const line = (text: string) => workbench().page.locator('.editor-group-container.active .view-line', { hasText: text }).first();
  const save = 'workbench.action.files.save';

  before('list the memories of a store', async () => {
    await workbench().setKey(key);
    await writeAt('/shared.md', 'theirs: first\n');
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Resources');
    await unfold('Memory Stores', /^Team Notes/);
    await unfold('Team Notes', /^shared\.md/);
    await unfold('project', /^glossary\.md/);
  });

  async function unfold(row: string, below: RegExp): Promise<void> {
    await workbench().unfold(row, item(below));
  }

  /** Returns the memory store of the samples. */
  async function store(): Promise<string> {
    const { items } = await client().memoryStores.list();
    return items.find(({ name }) => name === 'Team Notes')?.id ?? '';
  }
  async function at(wanted: string) {
    const id = await store();
    const { items } = await client().memoryStores.memories(id).list({ view: 'full' });
    return items.find(({ path: one }) => one === wanted);
  }
  async function writeAt(wanted: string, content: string): Promise<void> {
    const memory = await at(wanted);
    const calls = client().memoryStores.memories(await store());
    await (memory === undefined ? calls.create({ path: wanted, content }) : calls.update(memory.id, { content }));
  }
  /** Waits until a memory of the service has this text. */
  async function holds(wanted: string, text: string): Promise<void> {
    await eventuallyHolds(async () => assert.ok((await at(wanted))?.content?.includes(text)));
  }
  /** Types at a row of the active editor. */
  async function typeAt(row: number, text: string): Promise<void> {
    await workbench().goTo(row, 1);
    await workbench().type(text);
    await line(text.trim().slice(0, 20)).waitFor();
  }

  it("shows an agent's new text in a document without edits", async () => {
    await workbench().clickTreeRow('preferences.md', tabOf('preferences.md'));
    await line('How we work').waitFor();
    const session = await SessionOnEmulator.start(emulator(), 'Researcher');
    await session.say('remember /preferences.md # As the agent has it');
    await holds('/preferences.md', 'As the agent has it');
    await workbench().command('managedAgents.refresh');
    await line('As the agent has it').waitFor();
  });

  it('reports that the saved memory was deleted meanwhile, and creates a new one', async () => {
    await workbench().clickTreeRow('shared.md', tabOf('shared.md'));
    await typeAt(1, 'again: ');
    await client()
      .memoryStores.memories(await store())
      .delete((await at('/shared.md'))?.id ?? '');
    await workbench().beginCommand(workbench().toast('/shared.md was deleted in the meantime'), save);
    await holds('/shared.md', 'again: theirs: first');
  });

  it("reports during typing that a memory is too large, and doesn't send it", async () => {
    await writeAt('/large.md', `${'just fits '.repeat(10)}\n`.repeat(1013));
    await workbench().command('managedAgents.refresh');
    await workbench().clickTreeRow('large.md', tabOf('large.md'));
    await typeAt(1, `${'and now it is too much '.repeat(5)}\n`);
    await workbench().beginCommand('.marker-widget:has-text("A memory can have 102,400 bytes")', 'editor.action.marker.next');
    await workbench().beginCommand(workbench().toast('A memory can have 102,400 bytes'), save);
    await workbench().screenshot('memories-too-large');
    await workbench().revert();
  });

  it('creates, renames and deletes a memory', async () => {
    await workbench().treeMenu('Team Notes', 'New...', asks('New Memory in Team Notes'));
    await workbench().fillInput('/people//x');
    await workbench().screenshot('memories-new');
    await questions.write('New Memory in Team Notes', '/people/anna.md', tabOf('anna.md'));
    await workbench().waitFor('.codelens-decoration:has-text("Saved to the service")');
    await typeAt(1, 'Likes tables.');
    await workbench().waitFor('.codelens-decoration:has-text("Not saved")');
    await workbench().screenshot('memories-not-saved');
    await workbench().save();
    await workbench().waitFor('.codelens-decoration:has-text("Saved to the service")');
    await holds('/people/anna.md', 'Likes tables.');
    await unfold('people', /^anna\.md, 13 B/);
    await workbench().treeMenu('anna.md', 'Rename...', asks('Rename Memory'));
    await questions.write('Rename Memory', '/people/berta.md', tabOf('berta.md'));
    await item(/^berta\.md/).waitFor();
    await workbench().treeMenu('berta.md', 'Delete...', dialog);
    assert.match(await workbench().dialogText(), /Delete "\/people\/berta\.md"\?/);
    await workbench().dialogButton('Delete');
    await workbench().waitForNone('.part.sidebar .monaco-list-row:has-text("berta.md")');
    // The folder disappears with its last memory.
    await workbench().waitForNone('.part.sidebar .monaco-list-row:has-text("people")');
    assert.equal(await at('/people/berta.md'), undefined);
  });

  it('shows the author of each version, compares, restores and redacts', async () => {
    const session = await SessionOnEmulator.start(emulator(), 'Researcher', { title: 'Remembering' });
    await writeAt('/story.md', 'one\n');
    await session.say('remember /story.md two');
    await holds('/story.md', 'two');
    await writeAt('/story.md', 'three\n');
    await workbench().command('managedAgents.refresh');
    const choice = 'Select an action';
    const versions = async () => workbench().treeMenu('story.md', 'Show Memory Versions...', offers('by session'));
    await versions();
    await workbench().screenshot('memories-versions');
    await questions.choose('Versions of', 'by session', asks(choice));
    await workbench().screenshot('memories-version-acts');
    await questions.choose(choice, 'Compare with Now', diff);
    await workbench().waitFor('.modified .view-line:has-text("three")');
    await workbench().screenshot('memories-compare');
    await versions();
    await questions.choose('Versions of', 'by session', asks(choice));
    await questions.choose(choice, 'Open Session', '.tab.active:has-text("Remembering")');
    await versions();
    await questions.choose('Versions of', 'by session', asks(choice));
    await questions.choose(choice, 'Restore...', dialog);
    await workbench().dialogButton('Restore');
    await holds('/story.md', 'two');
    await versions();
    await questions.choose('Versions of', 'Created', asks(choice));
    await questions.choose(choice, 'Redact...', dialog);
    assert.match(await workbench().dialogText(), /deletes the text of this version/);
    await workbench().screenshot('memories-redact');
    await workbench().dialogButton('Redact Version');
    const memory = await at('/story.md');
    await eventuallyHolds(async () => {
      const { items } = await client()
        .memoryStores.versions(await store())
        .list({ memoryId: memory?.id ?? '' });
      assert.ok(items.at(-1)?.redacted_at);
    });
  });

  it('finds text in the memories, and opens its position', async () => {
    await workbench().treeMenu('Team Notes', 'Search Memories...', asks('Search text'));
    await questions.write('Search text', 'SESSION:', offers('/project/glossary.md'));
    await workbench().screenshot('memories-search');
    await questions.choose('Memories with', '/project/glossary.md', tabOf('glossary.md'));
    await workbench().waitFor('.editor-group-container.active .selected-text');
  });

  it('copies a store to a folder after a preview, and writes a folder to a store after another', async () => {
    const copy = path.join(workbench().folder, 'seed');
    await workbench().treeMenu('Team Notes', 'Sync Memory Store with Folder...', asks('Sync Team Notes with Folder'));
    await questions.choose('Sync Team Notes with Folder', 'Copy Store to Folder', asks('Copy Team Notes to Folder'));
    await workbench().chooseFile(`${workbench().folder}/`, copy, asks('Replaced (1)'));
    await workbench().screenshot('memories-copy-plan');
    await questions.choose('Copy Team Notes to', /Copy.*new/, workbench().toast('memories to'));
    assert.match(workbench().fileText('seed/project/glossary.md'), /# Words of the house/);
    assert.ok(existsSync(path.join(copy, 'project/decisions/2026-05.md')));
    workbench().writeFile('seed/project/glossary.md', 'by hand\n');
    await writeAt('/only.md', 'not in the folder\n');
    await workbench().clearNotifications();
    await workbench().treeMenu('Team Notes', 'Sync Memory Store with Folder...', asks('Sync Team Notes with Folder'));
    await questions.choose('Sync Team Notes with Folder', 'Write Folder to Store', asks('Write Folder to Team Notes'));
    await workbench().chooseFile(`${workbench().folder}/`, copy, asks('Left out (1)'));
    await workbench().screenshot('memories-write-plan');
    await questions.choose('to Team Notes?', 'Write', workbench().toast('Wrote 2 memories to Team Notes.'));
    assert.equal((await at('/rules.md'))?.content, '# Rules\n');
    assert.equal((await at('/project/glossary.md'))?.content, 'by hand\n');
    assert.equal((await at('/only.md'))?.content, 'not in the folder\n');
  });

  it('shows deceptive names safely, and an archived store read-only', async () => {
    await writeAt('/odd/\u202egpj.md', 'hidden turn\n');
    await workbench().command('managedAgents.refresh');
    await unfold('odd', /^\\u\{202e\}gpj\.md/);
    await workbench().clickTreeRow('gpj.md', line('hidden turn'));
    await workbench().screenshot('memories-hostile');
    await client().memoryStores.archive(await store());
    await workbench().command('managedAgents.toggleArchived');
    await item(/^Team Notes, archived/).waitFor();
    await workbench().clickTreeRow('story.md', tabOf('story.md'));
    await line('two').waitFor();
    await workbench().goTo(1, 1);
    await workbench().untilSeen('.monaco-editor-overlaymessage', () => workbench().type('x'));
    await workbench().screenshot('memories-archived');
  });
});
