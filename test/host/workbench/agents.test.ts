import assert from 'node:assert/strict';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0002';
const dialog = '.monaco-dialog-box';
const diff = '.monaco-diff-editor';

describe('the Agents view', () => {
  const emulator = useEmulator({ key });
  const client = useClient(emulator);
  before('put the sample agents away', async () => {
    for (const { id } of (await client().agents.list()).items) {
      await client().agents.archive(id);
    }
  });
  const workbench = useWorkbench(() => ({
    settings: connectedTo(emulator()),
    files: {
      'agents/clerk.agent.json': `${JSON.stringify({ name: 'Clerk', model: 'vendor-haiku-4-5', system: 'You file.' }, null, 2)}\n`,
    },
  }));
  const questions = new Questions(workbench);

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const welcome = (words: string) => `.pane-body .welcome-view-content:has-text("${words}")`;

  /** Makes an agent with as many versions as there are systems, and lists it; gives its id. */
  async function listed(name: string, first: string, ...later: readonly string[]): Promise<string> {
    const { id } = (await client().agents.create({ name, model: { id: 'vendor-opus-5', speed: 'standard' }, system: first })).data;
    for (const [index, system] of later.entries()) {
      await client().agents.update(id, { version: index + 1, system });
    }
    await workbench().command('managedAgents.agents.refresh');
    await item(new RegExp(`${name}, v${later.length + 1}`)).waitFor();
    return id;
  }

  it('says that a service has no agents', async () => {
    emulator().setScenario({ faults: [{ name: 'notFound', route: 'agents.list' }] });
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Agents');
    await workbench().welcomeButton('Set it', asks('API key'));
    await questions.write('API key', key, welcome('This service has no agents'));
    await workbench().screenshot('agents-unsupported');
  });

  it('leads to a first agent from a template, which publishing creates', async () => {
    await workbench().runCommand('Managed Agents: Refresh Agents', welcome('No agents yet'));
    await workbench().screenshot('agents-empty');
    await workbench().welcomeButton('New Agent', asks('begin with...'));
    await workbench().screenshot('agents-templates');
    await questions.choose('begin with...', 'Careful Operator', tabOf('Careful Operator.agent.json'));
    await workbench().waitFor('.editor-group-container.active .view-line:has-text(\'"type": "always_ask"\')');
    await item(/Careful Operator, new, not published/).waitFor();
    await workbench().screenshot('agents-new');
    await workbench().runCommand('Managed Agents: Publish Agent', asks('Create the agent Careful Operator'));
    await workbench().screenshot('agents-create-confirm');
    await questions.choose('Create the agent Careful Operator', 'Create Agent', item(/Careful Operator, v1/));
    const { items } = await client().agents.list();
    assert.deepEqual(
      items.map(({ name }) => name),
      ['Careful Operator'],
    );
  });

  it('lists agents with their versions below them', async () => {
    await listed('Librarian', 'You are quiet.', 'You are kind.');
    await item(/Librarian, v2, vendor-opus-5/).waitFor();
    await workbench().unfold('Librarian', item(/Version 2, latest/));
    await item(/Version 1/).waitFor();
    await workbench().screenshot('agents-list');
    await workbench().fold('Librarian', item(/Version 2, latest/));
  });

  it('compares two versions in the comparison of VS Code', async () => {
    await listed('Reader', 'You read.', 'You read much.', 'You read all.');
    await workbench().treeMenu('Reader', 'Compare Versions', asks('Compare which version?'));
    await questions.choose('Compare which version?', 'Version 3', asks('Compare version 3 with which other?'));
    await questions.choose('Compare version 3 with which other?', 'Version 1', '.tab.active:has-text("version 1 ↔ version 3")');
    await workbench().waitFor(diff);
    await workbench().pictures('agents-compare');
  });

  it('restores an old version as a new one', async () => {
    const id = await listed('Writer', 'You write.', 'You draw.');
    await client().agents.update(id, { version: 2, name: 'Painter' });
    await workbench().command('managedAgents.agents.refresh');
    await item(/Painter, v3/).waitFor();
    await workbench().runCommand('Managed Agents: Restore as New Version', asks('Restore a version of which agent?'));
    await questions.choose('Restore a version of which agent?', 'Painter', asks('Restore which version?'));
    await questions.choose('Restore which version?', 'Version 1', asks('as version 4?'));
    await workbench().waitFor(diff);
    await questions.choose('as version 4?', 'Publish Version 4', item(/Writer, v4/));
    const { data } = await client().agents.retrieve(id);
    assert.deepEqual([data.name, data.system], ['Writer', 'You write.']);
  });

  it('creates an agent from a file of the workspace, which stays as it is', async () => {
    await workbench().openFile('agents/clerk.agent.json');
    await workbench().runCommand('Managed Agents: Create Agent from This File', asks('Create the agent Clerk'));
    await questions.choose('Create the agent Clerk', 'Create Agent', item(/Clerk, v1, vendor-haiku-4-5/));
    assert.match(workbench().fileText('agents/clerk.agent.json'), /You file/);
  });

  it('archives after a question, hides the archived and shows them on demand', async () => {
    const doorman = '.part.sidebar .monaco-list-row:has-text("Doorman")';
    await listed('Doorman', 'You open.');
    await workbench().treeMenu('Doorman', 'Archive Agent', dialog);
    assert.match(await workbench().dialogText(), /cannot be brought back/);
    await workbench().screenshot('agents-archive');
    await workbench().dialogButton('Archive Agent');
    await workbench().waitForNone(doorman);
    await workbench().runCommand('Managed Agents: Show Archived Agents', item(/Doorman, archived/));
    await workbench().pictures('agents-archived');
    await workbench().untilGone(doorman, timeout => workbench().runCommandOnce('Managed Agents: Hide Archived Agents', timeout));
  });
});
