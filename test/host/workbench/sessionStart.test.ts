import assert from 'node:assert/strict';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, offers, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { tabOfSession } from './sessionPanels';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0005';
const menu = 'Enter starts the session on';

describe('starting a session', function () {
  // Each test goes on with the session of the first.
  this.bail(true);
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({
    settings: connectedTo(emulator()),
    files: { 'docs/plan.md': '# Plan\n\n1. Begin.\n', 'notes.txt': 'Notes of the workspace.\n' },
  }));
  const questions = new Questions(workbench);
  before('show the view', async () => {
    await sessions.create(undefined, 'price of tea', 'Shopkeeper');
    await workbench().setKey(key);
    await showSessions();
  });

  async function showSessions(): Promise<void> {
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Sessions');
  }
  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const newest = async () => {
    const [session] = (await client().sessions.list({ limit: 1 })).items;
    assert.equal(session?.title, 'From the editor');
    return session;
  };
  const lastAsk = async (id: string) =>
    (await sessions.events(id, 'agent.tool_use')).filter(event => event.evaluated_permission === 'ask').at(-1)?.id ?? '';

  it('takes files and a first message, and keeps every answer when that fails', async () => {
    await workbench().runCommand('Managed Agents: Start Session', asks('Start a session of which agent?'));
    await workbench().screenshot('sessions-start-agent');
    await questions.choose('Start a session of which agent?', 'Asks before it runs anything', asks(menu));
    assert.match((await workbench().quickPickTexts()).join('\n'), /Environment\s*Default/);
    await workbench().screenshot('sessions-start');
    await questions.choose(menu, 'Title', asks('Title of the session; may be empty'));
    await questions.write('Title of the session; may be empty', 'From the editor', offers('From the editor'));
    await questions.choose(menu, 'First Message', asks('First message; may be empty'));
    await questions.write('First message; may be empty', 'ask npm test', offers('ask npm test'));
    await questions.choose(menu, 'Files', asks('Which files should the session get?'));
    await questions.tick('notes.txt');
    await questions.tick('plan.md');
    await workbench().screenshot('sessions-start-files');
    await questions.accept('Which files should the session get?', offers('2 files'));
    await workbench().screenshot('sessions-start-ready');
    emulator().setScenario({ faults: [{ name: 'overloaded', route: 'sessions.create' }] });
    await questions.choose(menu, 'Start Session', offers('Try Again'));
    await workbench().screenshot('sessions-start-failed');
    assert.match((await workbench().quickPickTexts()).join('\n'), /From the editor[\s\S]*ask npm test[\s\S]*2 files/);
    emulator().setScenario({ faults: [] });
    await questions.choose(menu, 'Try Again', item(/Waiting for You, From the editor, bash: npm test/));
    await workbench().waitFor(tabOfSession('From the editor'));
    const { id, resources } = await newest();
    // The service chose the places, and they are told.
    assert.deepEqual(
      resources?.map(({ file_id, mount_path }) => mount_path === `/mnt/session/uploads/${file_id}`),
      [true, true],
    );
    await workbench().notification('notes.txt is /mnt/session/uploads/');
    assert.equal((await client().files.list()).items.length, 2);
    assert.equal((await sessions.events(id, 'user.message')).length, 1);
    // The user looks at it: nothing tells that it waits.
    assert.deepEqual(
      (await workbench().notifications()).filter(text => text.includes('waits for')),
      [],
    );
    await workbench().pictures('sessions-started');
  });

  it('tells once that a session that was started here waits, and leads there, also after a reload only once', async () => {
    const { id } = await newest();
    await sessions.send(id, { type: 'user.tool_confirmation', tool_use_id: await lastAsk(id), result: 'allow' });
    await sessions.say(id, 'ask make release');
    await workbench().notification('"From the editor" waits for your permission: bash: make release');
    await workbench().screenshot('sessions-notification');
    await workbench().notificationButton('waits for your permission', 'Open');
    await workbench().waitFor(tabOfSession('From the editor'));
    await workbench().tidy();
    await workbench().writtenDown(await lastAsk(id));
    await workbench().reloadWindow();
    await showSessions();
    await item(/Waiting for You, From the editor, (?:unread, )?bash: make release/).waitFor();
    // What the first look had to tell is told before the second has ended.
    await workbench().command('managedAgents.sessions.refresh');
    await workbench().command('managedAgents.sessions.refresh');
    assert.deepEqual(await workbench().notifications(), []);
  });

  it('takes the number of a version where the service lists none', async () => {
    emulator().setScenario({ faults: [{ name: 'notFound', route: 'agents.versions' }] });
    await workbench().runCommand('Managed Agents: Start Session', asks('Start a session of which agent?'));
    await questions.choose('Start a session of which agent?', 'Asks before it runs anything', asks(menu));
    await questions.choose(menu, 'latest, now', asks('This service lists no versions'));
    await workbench().screenshot('sessions-start-version');
    await questions.write('This service lists no versions', '1', `${offers('Version')}:has-text("1"):not(:has-text("latest"))`);
    await workbench().closePicker();
  });

  it('goes to what waits, the latest first', async () => {
    await workbench().runCommand('Managed Agents: Go to What Waits for You', tabOfSession('From the editor'));
    await workbench().runCommand('Managed Agents: Go to What Waits for You', tabOfSession('price of tea'));
    await workbench().screenshot('sessions-next-waiting');
  });
});
