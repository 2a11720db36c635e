import assert from 'node:assert/strict';
import path from 'node:path';
import { SessionOnEmulator } from '../../helpers/emulatorClient';
import { eventually } from '../eventually';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { plainTyping, tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0003';
const dialog = '.monaco-dialog-box';

describe('the Resources view', () => {
  const emulator = useEmulator({ key });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({
    settings: {
      ...connectedTo(emulator()),
      ...plainTyping,
    },
    files: {
      'rows.csv': 'a,b\n1,2\n',
      'uses.jsonl': '{"file_id":""}\n',
      'infra/build.environment.json': `${JSON.stringify({ name: 'Build', config: { type: 'cloud' } }, null, 2)}\n`,
    },
  }));
  const questions = new Questions(workbench);

  before('show the view', async () => {
    await workbench().setKey(key);
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Resources');
    await unfold('Environments', /^Default, open network/);
  });

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const line = (text: string) => workbench().page.locator('.editor-group-container.active .view-line', { hasText: text }).first();
  const refresh = () => workbench().command('managedAgents.refresh');

  /** Expands a row until another one is visible below it. */
  async function unfold(row: string, below: RegExp): Promise<void> {
    await workbench().unfold(row, item(below));
  }

  /** Creates an environment and lists it. Returns its id. */
  async function listed(name: string, config: object = { type: 'cloud' }): Promise<string> {
    const { id } = (await client().environments.create({ name, config })).data;
    await refresh();
    await item(new RegExp(`^${name},`)).waitFor();
    return id;
  }

  it('says that a service supports none, lists the members of an expanded group, and the supported groups @ci', async () => {
    emulator().setScenario({
      faults: [
        { name: 'notFound', route: 'environments' },
        { name: 'notFound', route: 'files' },
        { name: 'notFound', route: 'vaults' },
        { name: 'notFound', route: 'webhooks' },
        { name: 'notFound', route: 'deployments' },
        { name: 'notFound', route: 'memoryStores' },
        { name: 'notFound', route: 'skills' },
      ],
    });
    await workbench().runCommand(
      'Managed Agents: Refresh',
      '.pane-body .welcome-view-content:has-text("This service doesn\'t support these resources")',
    );
    await workbench().screenshot('resources-unsupported');
    await workbench().beginCommand(workbench().toast('Environments: not supported by Lab.'), 'managedAgents.create', 'environment');
    await workbench().clearNotifications();
    emulator().setScenario({ faults: [] });

    await workbench().runCommand('Managed Agents: Refresh', item(/^Environments/));
    await unfold('Environments', /^Default, open network/);
    await listed('Locked', {
      type: 'cloud',
      networking: { type: 'limited', allowed_hosts: ['api.example.com'] },
      packages: { pip: ['numpy'] },
    });
    await item(/^Locked, 1 host allowed/).waitFor();
    await workbench().screenshot('resources-list');
  });

  it('archives and deletes after a question, and reports a deleted item @ci', async () => {
    await listed('Attic');
    await workbench().treeMenu('Attic', 'Archive...', dialog);
    assert.match(await workbench().dialogText(), /can't be undone/);
    await workbench().dialogButton('Archive');
    await workbench().waitForNone('.part.sidebar .monaco-list-row:has-text("Attic")');
    await workbench().command('managedAgents.toggleArchived');
    await item(/^Attic, archived/).waitFor();
    await workbench().treeMenu('Attic', 'Delete...', dialog);
    await workbench().dialogButton('Delete');
    await workbench().waitForNone('.part.sidebar .monaco-list-row:has-text("Attic")');
    await workbench().command('managedAgents.toggleArchived');
    const id = await listed('Fleeting');
    await client().environments.delete(id);
    await workbench().treeMenu('Fleeting', 'Archive...', workbench().toast('Fleeting is no longer on the service'));
    await workbench().waitForNone('.part.sidebar .monaco-list-row:has-text("Fleeting")');
  });

  it('creates an environment from a workspace file, which stays unchanged @nightly', async () => {
    await workbench().openFile('infra/build.environment.json');
    await workbench().runCommand('Managed Agents: Create from This File', workbench().toast('Create "Build"'));
    await workbench().notificationButton('Create "Build"', 'Create');
    await item(/^Build, open network/).waitFor();
    assert.match(workbench().fileText('infra/build.environment.json'), /"type": "cloud"/);
  });

  it("shows an environment's sessions, and opens one @nightly", async () => {
    const id = await listed('Busy');
    await SessionOnEmulator.start(emulator(), 'Researcher', { environment_id: id, title: 'Counting' });
    await SessionOnEmulator.start(emulator(), 'Researcher', { title: 'Elsewhere' });
    await unfold('Busy', /^Counting,/);
    assert.equal(
      (await workbench().treeRows()).some(row => row.includes('Elsewhere')),
      false,
    );
    await workbench().clickTreeRow('Counting', '.tab.active:has-text("Counting")');
    await workbench().fold('Busy', item(/^Counting,/));
  });

  it('warns of waiting work without workers, and stops it @nightly', async () => {
    const id = await listed('Our machines', { type: 'self_hosted' });
    const session = await SessionOnEmulator.start(emulator(), 'Researcher', { environment_id: id, title: 'Waiting' });
    await refresh();
    await unfold('Our machines', /^Work Queue, no workers · 1 queued.*Start a worker for this environment/);
    await unfold('Work Queue', /^Waiting, session/);
    await workbench().screenshot('resources-work');
    await workbench().treeMenu('session sesn', 'Stop', dialog);
    assert.match(await workbench().dialogText(), new RegExp(session.id.slice(0, 12)));
    await workbench().screenshot('resources-work-stop');
    await workbench().dialogButton('Stop');
    await item(/^Stopped, session/).waitFor();
    await item(/^Work Queue, nothing queued/).waitFor();
    await workbench().clickTreeRow('session sesn', '.tab.active:has-text("Waiting")');
    await workbench().fold('Our machines', item(/^Work Queue/));
  });

  it('accepts a typed ID @nightly', async () => {
    const wanted = await listed('Wanted');
    await client().environments.archive(wanted);
    await refresh();
    await workbench().waitForNone('.part.sidebar .monaco-list-row:has-text("Wanted")');
    await workbench().runCommand('Managed Agents: Show as JSON', asks('Select a type'));
    await questions.choose('Select a type', 'Environments', asks('Select one, or enter its ID'));
    await workbench().fillInput(wanted);
    await workbench().screenshot('resources-picker');
    await questions.choose('Select one, or enter its ID', 'Use the ID', line(wanted));
  });

  it('shows files that sessions made, opens a text, and downloads it to a chosen path @ci', async () => {
    const session = await SessionOnEmulator.start(emulator(), 'Researcher');
    await session.say('file notes.md');
    await eventually(async () => (await client().files.list()).items.some(({ filename }) => filename === 'notes.md'));
    await refresh();
    await unfold('Files', /^Created by Sessions/);
    await unfold('Created by Sessions', /^sesn_/);
    await unfold('sesn_', /^notes\.md/);
    await workbench().screenshot('resources-files');
    await workbench().clickTreeRow('notes.md', tabOf('notes.md'));
    await line('# Report').waitFor();
    await workbench().screenshot('resources-file-open');

    const pathOf = (name: string) => path.join(workbench().folder, name);
    await workbench().treeMenu('notes.md', 'Download File from the Service', '.quick-input-widget:visible');
    await workbench().chooseFile(pathOf('notes.md'), pathOf('fetched.md'));
    await workbench().toast('Downloaded fetched.md').waitFor();
    assert.match(workbench().fileText('fetched.md'), /^# Report/);
  });

  it("inserts a file's ID at the cursor, and names the request files that use it before it deletes it @floor @ci", async () => {
    const content = {
      byteLength: 1,
      async *open() {
        yield Buffer.from('1');
      },
    };
    const { data: file } = await client().files.upload({ name: 'used.csv', content });
    await refresh();
    await unfold('Files', /^Uploaded/);
    await unfold('Uploaded', /^used\.csv/);
    await workbench().openFile('uses.jsonl');
    await workbench().goTo(1, '{"file_id":"'.length + 1);
    await workbench().treeMenu('used.csv', 'Insert File ID at the Cursor', line(file.id));
    await workbench().save();
    await workbench().command('workbench.action.focusActiveEditorGroup');
    await workbench().goTo(1, 20);
    await workbench().beginCommand('.monaco-hover:visible:has-text("used.csv")', 'editor.action.showHover');
    await workbench().screenshot('resources-file-hover');
    await workbench().beginCommand('.action-widget:has-text("Show File")', 'editor.action.quickFix');
    await workbench().untilGone('.action-widget', () => workbench().page.keyboard.press('Escape'));

    const before = (await client().files.list()).items.length;
    await workbench().treeMenu('used.csv', 'Delete...', dialog);
    assert.match(await workbench().dialogText(), /Used by request files: uses\.jsonl/);
    await workbench().screenshot('resources-file-delete');
    await workbench().dialogButton('Delete');
    await eventually(() => emulator().requests.some(({ method, path }) => method === 'DELETE' && path.startsWith('/v1/files/')));
    assert.equal((await client().files.list()).items.length, before - 1);
  });

  it('uploads files from the Explorer, and reports content that was uploaded before @floor @ci', async () => {
    await workbench().openViewContainer('Explorer');
    await workbench().treeMenu('rows.csv', 'Upload Files to the Service', workbench().toast('Uploaded rows.csv'));
    const uploaded = async () =>
      (await client().files.list()).items.flatMap(({ filename, mime_type, size_bytes }) =>
        filename === 'rows.csv' ? [[mime_type, size_bytes]] : [],
      );
    assert.deepEqual(await uploaded(), [['text/csv', 8]]);
    await workbench().clearNotifications();
    await workbench().treeMenu('rows.csv', 'Upload Files to the Service', dialog);
    assert.match(await workbench().dialogText(), /Already uploaded/);
    await workbench().screenshot('resources-upload-again');
    await workbench().dialogButton('Upload Again');
    await workbench().toast('Uploaded rows.csv').waitFor();
    assert.equal((await uploaded()).length, 2);
  });
});
