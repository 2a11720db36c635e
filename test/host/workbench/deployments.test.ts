import assert from 'node:assert/strict';
import { SessionOnEmulator } from '../../helpers/emulatorClient';
import { eventually } from '../eventually';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0014';
const dialog = '.monaco-dialog-box';
const hour = 60 * 60 * 1000;
const lens = (words: string) => `.editor-group-container.active .codelens-decoration:has-text("${words}")`;

const events = [{ type: 'user.message', content: [{ type: 'text', text: 'Greet the shop' }] }];

describe('deployments @nightly', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({
    settings: connectedTo(emulator()),
  }));
  const questions = new Questions(workbench);
  before('show the view', async () => {
    await workbench().setKey(key);
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Resources');
  });
  afterEach('let schedules make runs', () => emulator().setScenario({ missesSchedules: false }));

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const refresh = () => workbench().command('managedAgents.refresh');

  async function unfold(row: string, below: RegExp): Promise<void> {
    await workbench().unfold(row, item(below));
  }

  /** Creates a deployment that runs every hour, and lists it with all rows collapsed. Returns its id. */
  async function listed(name: string, fields: object = {}): Promise<string> {
    const [agent] = (await client().agents.list({ limit: 1 })).items;
    const environment = (await client().environments.list()).items.find(one => one.name === 'Default');
    const { data } = await client().deployments.create({
      name,
      agent: agent?.id,
      environment_id: environment?.id,
      initial_events: events,
      schedule: { type: 'cron', expression: '0 * * * *', timezone: 'UTC' },
      ...fields,
    });
    await workbench().command('workbench.actions.treeView.managedAgents.resources.collapseAll');
    await refresh();
    await unfold('Deployments', new RegExp(`^${name}, active`));
    return data.id;
  }

  it('creates a deployment from a template by publishing it', async () => {
    await unfold('Deployments', /^None yet/);
    await workbench().runCommand('Managed Agents: New...', asks('Select a type'));
    await questions.choose('Select a type', 'Deployments', asks('Select a template'));
    await workbench().screenshot('deployments-templates');
    await questions.choose('Select a template', 'Every Hour', asks('Select an agent'));
    await questions.choose('Select an agent', 'Researcher', tabOf('Hourly check.deployment.json'));
    await item(/^Hourly check, Draft, not published/).waitFor();
    await workbench().waitFor(lens('Every hour'));
    await workbench().waitFor('.view-line:has-text("= $5.00")');
    await workbench().screenshot('deployments-document');
    await workbench().runCommand('Managed Agents: Publish...', workbench().toast('Create "Hourly check"'));
    await workbench().notificationButton('Create "Hourly check"', 'Create');
    await item(/^Hourly check, active, next in/).waitFor();
    const { items } = await client().deployments.list();
    assert.deepEqual(
      items.map(({ name, schedule }) => [name, schedule?.expression]),
      [['Hourly check', '0 * * * *']],
    );
  });

  it('runs one after a question, and opens its session', async () => {
    await listed('Runner', { schedule: undefined });
    await workbench().treeMenu('Runner', 'Run Deployment Now', dialog);
    assert.match(await workbench().dialogText(), /starts a session, which costs money/);
    await workbench().screenshot('deployments-run');
    await workbench().dialogButton('Run Now');
    await workbench().toast('"Runner" started a session').waitFor();
    await unfold('Runner', /^manually, .*session sesn/);
    await workbench().clickTreeRow('session sesn', '.tab.active:has-text("Greet the shop")');
  });

  it('reports a missed run once, and shows it until it is cleared', async () => {
    await listed('Sleeper');
    emulator().setScenario({ missesSchedules: true });
    await emulator().advanceClock(3 * hour);
    await refresh();
    await workbench()
      .toast(/missed (?:a scheduled|\d scheduled|runs)/)
      .waitFor();
    await workbench().screenshot('deployments-missed-toast');
    await item(/^Sleeper, missed \d runs?/).waitFor();
    await unfold('Sleeper', /^Missed, /);
    await workbench().screenshot('deployments-missed');
    await workbench().treeMenu(/^Missed/, 'Clear Missed Runs', item(/^Sleeper, active/));
    await workbench().waitForNone('.part.sidebar .monaco-list-row[aria-label^="Missed,"]');
  });

  it('creates a deployment from a session', async () => {
    const session = await SessionOnEmulator.start(emulator(), 'Researcher', { title: 'Tested' });
    await session.say('Count to three');
    await workbench().showOnlyView('Sessions');
    await workbench().command('managedAgents.refresh');
    const reference = { connection: 'Lab', sessionId: session.id };
    await workbench().beginCommand(tabOf('Tested.deployment.json'), 'managedAgents.session.makeDeployment', reference);
    const text = await workbench().activeText('Count to three');
    const { agent, initial_events: events, environment_id: environment } = JSON.parse(text);
    const { data } = await client().sessions.retrieve(session.id);
    assert.deepEqual([agent.id, agent.version, environment], [data.agent?.id, data.agent?.version, data.environment_id]);
    assert.deepEqual(events, [{ type: 'user.message', content: [{ type: 'text', text: 'Count to three' }] }]);
    await workbench().waitFor(lens('At 9:00'));
    await workbench().screenshot('deployments-of-session');
    await workbench().runCommand('Managed Agents: Publish...', workbench().toast('Create "Tested"'));
    await workbench().notificationButton('Create "Tested"', 'Create');
    await eventually(() => emulator().requests.some(({ method, path }) => method === 'POST' && path.startsWith('/v1/deployments?')));
  });
});
