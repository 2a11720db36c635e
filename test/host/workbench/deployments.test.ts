import assert from 'node:assert/strict';
import { SessionOnEmulator } from '../../helpers/emulatorClient';
import { eventuallyHolds } from '../eventually';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0014';
const dialog = '.monaco-dialog-box';
const hour = 60 * 60 * 1000;
const lens = (words: string) => `.editor-group-container.active .codelens-decoration:has-text("${words}")`;

const events = [{ type: 'user.message', content: [{ type: 'text', text: 'Greet the shop' }] }];
const spring = {
  name: 'Spring',
  agent: 'agent_1',
  environment_id: 'env_1',
  schedule: { type: 'cron', expression: '30 25 * * *', timezone: 'Europe/Berlin' },
  initial_events: events,
};

describe('deployments', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({
    settings: {
      ...connectedTo(emulator()),
      'editor.autoIndent': 'none',
      'editor.autoClosingBrackets': 'never',
      'editor.autoSurround': 'never',
      'editor.autoClosingQuotes': 'never',
      'files.autoSave': 'off',
    },
    files: {
      'clock.deployment.json': `${JSON.stringify(spring, null, 2)}\n`,
    },
  }));
  const questions = new Questions(workbench);
  afterEach('let schedules make runs', () => emulator().setScenario({ missesSchedules: false }));

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const line = (text: string) => workbench().page.locator('.editor-group-container.active .view-line', { hasText: text }).first();
  const refresh = () => workbench().command('managedAgents.resources.refresh');

  async function unfold(row: string, below: RegExp): Promise<void> {
    await workbench().unfold(row, item(below));
  }

  /** Makes a deployment that runs every hour, and lists it with all rows folded; gives its id. */
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

  /** Replaces a text that stands once in the active editor. */
  async function replace(from: string, to: string): Promise<void> {
    const [before = '', ...after] = (await workbench().activeText(from)).split(from);
    assert.equal(after.length, 1, from);
    const lines = before.split('\n');
    await workbench().goTo(lines.length, (lines.at(-1) ?? '').length + 1);
    await workbench().command('cursorMove', { to: 'right', by: 'character', value: from.length, select: true });
    await workbench().type(to);
    await line(to).waitFor();
  }

  it('says of a clock in a file what it means and when it comes, and what is wrong with it', async () => {
    await workbench().openFile('clock.deployment.json');
    await workbench().page.locator('.squiggly-error').first().waitFor();
    assert.ok((await workbench().problems()).some(text => text.includes('"25" is no hour')));
    await workbench().command('workbench.action.closePanel');
    await replace('30 25 * * *', '30 2 * * *');
    await workbench().waitFor(lens('At 2:30'));
    await workbench().goTo(7, '    "expression": "30'.length);
    const hover = '.monaco-hover:visible:has-text("A session starts up to 9 min after its time")';
    await workbench().beginCommand(hover, 'editor.action.showHover');
    await eventuallyHolds(async () =>
      assert.match(await workbench().page.locator(hover).first().innerText(), /every day[\s\S]*Europe\/Berlin/),
    );
    await workbench().pictures('deployments-clock');
    await replace('Europe/Berlin', 'Mars/Base');
    await workbench().page.locator('.squiggly-error').first().waitFor();
    assert.ok((await workbench().problems()).some(text => text.includes('is no time zone')));
  });

  it('leads from a template to a new deployment, which publishing creates', async () => {
    await workbench().setKey(key);
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Resources');
    await unfold('Deployments', /^No deployments yet/);
    await workbench().runCommand('Managed Agents: New Deployment', asks('begin with...'));
    await workbench().screenshot('deployments-templates');
    await questions.choose('begin with...', 'Every Hour', asks('Which agent does the work?'));
    await questions.choose('Which agent does the work?', 'Researcher', asks('In which environment?'));
    await questions.choose('In which environment?', 'Default', tabOf('Hourly check.deployment.json'));
    await item(/^Hourly check, new, not published/).waitFor();
    await workbench().waitFor(lens('At every full hour'));
    await workbench().pictures('deployments-document');
    await workbench().runCommand('Managed Agents: Publish Resource', asks('Create the deployment Hourly check'));
    await questions.choose('Create the deployment Hourly check', 'Create Deployment', item(/^Hourly check, active, next in/));
    const { items } = await client().deployments.list();
    assert.deepEqual(
      items.map(({ name, schedule }) => [name, schedule?.expression]),
      [['Hourly check', '0 * * * *']],
    );
  });

  it('shows what a change changes, and publishes only that', async () => {
    const id = await listed('Printer');
    await workbench().clickTreeRow('Printer', tabOf('Printer.deployment.json'));
    await replace('0 * * * *', '0 6 * * 1');
    await workbench().save();
    await item(/^Printer, draft/).waitFor();
    await workbench().runCommand('Managed Agents: Publish Resource', asks('Publish Printer?'));
    await workbench().waitFor('.monaco-diff-editor');
    await workbench().screenshot('deployments-publish');
    await questions.choose('Publish Printer?', 'Changes schedule', item(/^Printer, active, next in .* on Monday/));
    assert.equal((await client().deployments.retrieve(id)).data.schedule?.expression, '0 6 * * 1');
  });

  it('runs one after a question, and leads to its session', async () => {
    await listed('Runner', { schedule: undefined });
    await workbench().treeMenu('Runner', 'Run Deployment Now', dialog);
    assert.match(await workbench().dialogText(), /starts a session at once, also while it is paused, and that costs money/);
    await workbench().screenshot('deployments-run');
    await workbench().dialogButton('Run Now');
    await workbench().toast('The deployment Runner started a session').waitFor();
    await unfold('Runner', /^Runs/);
    await unfold('Runs', /^By hand, .*session sesn/);
    await workbench().clickTreeRow('session sesn', '.tab.active:has-text("Greet the shop")');
  });

  it('pauses, resumes and archives after questions that say what it means', async () => {
    const id = await listed('Pauser');
    await workbench().treeMenu('Pauser', 'Pause Deployment', dialog);
    assert.match(await workbench().dialogText(), /not made up for/);
    await workbench().dialogButton('Pause Deployment');
    await item(/^Pauser, paused by you/).waitFor();
    await workbench().treeMenu('Pauser', 'Resume Deployment', dialog);
    assert.match(await workbench().dialogText(), /from its next time on/);
    await workbench().dialogButton('Resume Deployment');
    await item(/^Pauser, active, next in/).waitFor();
    await workbench().treeMenu('Pauser', 'Archive Resource', dialog);
    assert.match(await workbench().dialogText(), /never makes a session again/);
    await workbench().dialogButton('Archive Deployment');
    await workbench().waitForNone('.part.sidebar .monaco-list-row:has-text("Pauser")');
    assert.equal(typeof (await client().deployments.retrieve(id)).data.archived_at, 'string');
  });

  it('says that an error paused one, and which, and that its run failed', async () => {
    const { data: environment } = await client().environments.create({ name: 'Doomed', config: { type: 'cloud' } });
    await listed('Sufferer', { environment_id: environment.id });
    await client().environments.archive(environment.id);
    await emulator().advanceClock(2 * hour);
    await refresh();
    await item(/^Sufferer, paused: the environment is archived/).waitFor();
    await unfold('Sufferer', /^Runs/);
    await unfold('Runs', /^Scheduled, .*failed: the environment is archived/);
    await workbench().pictures('deployments-list');
  });

  it('says once that a time passed without a run, and shows it until it is cleared', async () => {
    await listed('Sleeper');
    emulator().setScenario({ missesSchedules: true });
    await emulator().advanceClock(3 * hour);
    await refresh();
    await workbench()
      .toast(/missed (?:its run|\d runs|runs)/)
      .waitFor();
    await workbench().screenshot('deployments-missed-toast');
    await item(/^Sleeper, missed \d runs?/).waitFor();
    await unfold('Sleeper', /^Missed, /);
    await workbench().pictures('deployments-missed');
    await workbench().treeMenu('Sleeper', 'Clear Missed Runs', item(/^Sleeper, active/));
    await workbench().waitForNone('.part.sidebar .monaco-list-row[aria-label^="Missed,"]');
  });

  it('keeps the draft and says why where the agent is archived meanwhile', async () => {
    await listed('Leaver');
    const { data: agent } = await client().agents.create({ name: 'Leaving', model: 'vendor-sonnet-5' });
    await workbench().clickTreeRow('Leaver', tabOf('Leaver.deployment.json'));
    const { id } = (await client().deployments.list()).items.find(({ name }) => name === 'Leaver')?.agent ?? {};
    await replace(`"id": "${id}"`, `"id": "${agent.id}"`);
    await workbench().save();
    await item(/^Leaver, draft/).waitFor();
    await client().agents.archive(agent.id);
    await workbench().runCommand('Managed Agents: Publish Resource', asks('Publish Leaver?'));
    await questions.choose('Publish Leaver?', 'Changes agent', workbench().toast(/is archived/));
    await item(/^Leaver, draft/).waitFor();
  });

  it('asks for the token of a repository when it is sent, and writes it nowhere', async () => {
    const [agent] = (await client().agents.list({ limit: 100 })).items.filter(({ name }) => name === 'Researcher');
    const [environment] = (await client().environments.list()).items;
    const resources = [{ type: 'git_repository', url: 'https://git.example.com/shop.git' }];
    const definition = { ...spring, name: 'Repository', agent: agent?.id, environment_id: environment?.id, schedule: null, resources };
    workbench().writeFile('repository.deployment.json', JSON.stringify(definition));
    await workbench().openFile('repository.deployment.json');
    await workbench().runCommand('Managed Agents: Create Deployment from This File', asks('Create the deployment Repository'));
    await questions.choose('Create the deployment Repository', 'Create Deployment', asks('Token for the repository'));
    await workbench().screenshot('deployments-token');
    await questions.write('Token for the repository', 'canary-token-0014', tabOf('Repository.deployment.json'));
    assert.doesNotMatch(await workbench().activeText('git.example.com'), /canary/);
    await item(/^Repository, active, by hand only/).waitFor();
    await replace('shop.git', 'store.git');
    await workbench().save();
    await item(/^Repository, draft/).waitFor();
    await workbench().runCommand('Managed Agents: Publish Resource', asks('Publish Repository?'));
    await questions.choose('Publish Repository?', 'Changes resources', asks('Token for the repository'));
    await questions.write('Token for the repository', 'canary-token-0015', item(/^Repository, active, by hand only/));
    const { items } = await client().deployments.list();
    assert.deepEqual(
      items.filter(({ name }) => name === 'Repository').map(one => one.resources?.map(({ url }) => url)),
      [['https://git.example.com/store.git']],
    );
    assert.doesNotMatch(await workbench().activeText('store.git'), /canary/);
  });

  it('makes a deployment of a session', async () => {
    const session = await SessionOnEmulator.start(emulator(), 'Researcher', { title: 'Tested' });
    await session.say('Count to three');
    await workbench().showOnlyView('Sessions');
    await workbench().command('managedAgents.sessions.refresh');
    await workbench().treeMenu('Tested', 'Make Deployment of This Session', tabOf('Tested.deployment.json'));
    const text = await workbench().activeText('Count to three');
    const { agent, initial_events: events, environment_id: environment } = JSON.parse(text);
    const { data } = await client().sessions.retrieve(session.id);
    assert.deepEqual([agent.id, agent.version, environment], [data.agent?.id, data.agent?.version, data.environment_id]);
    assert.deepEqual(events, [{ type: 'user.message', content: [{ type: 'text', text: 'Count to three' }] }]);
    await workbench().waitFor(lens('At 9:00'));
    await workbench().pictures('deployments-of-session');
    await workbench().runCommand('Managed Agents: Publish Resource', asks('Create the deployment Tested'));
    await questions.choose('Create the deployment Tested', 'Create Deployment', tabOf('Tested.deployment.json'));
    await workbench().untilSo(() =>
      emulator().requests.some(({ method, path }) => method === 'POST' && path.startsWith('/v1/deployments?')),
    );
  });
});
