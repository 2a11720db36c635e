import assert from 'node:assert/strict';
import { dialects } from '../../../src/client/dialect';
import type { Session } from '../../../src/client/schemas/sessions';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { tidyUp } from './tidyUp';
import { Workbench } from './workbench';

const port = 41_000 + (process.pid % 9_000);
const key = 'local-test-key-0005';

describe('the Sessions view', function () {
  // Each test goes on with the sessions of those before it.
  this.bail(true);
  let emulator: Emulator;
  let client: ServiceClient;
  let w: Workbench;
  let agents: ReadonlyMap<string, string>;

  before(async function () {
    this.timeout(90_000);
    emulator = await startEmulator({ port, key, scenario: { sessionPause: 0 } });
    client = createServiceClient({
      baseUrl: emulator.url,
      auth: 'x-api-key',
      dialect: dialects.contract,
      credential: async () => ({ key, origin: new URL(emulator.url).origin }),
    });
    agents = new Map((await client.agents.list()).items.map(({ name, id }) => [name ?? '', id]));
    w = await Workbench.start({
      settings: {
        'managedAgents.connections': { Local: { baseUrl: emulator.url } },
        'managedAgents.connection': 'Local',
      },
      files: { 'docs/plan.md': '# Plan\n\n1. Begin.\n', 'notes.txt': 'Notes of the workspace.\n' },
    });
  });
  after(() => client.close());
  tidyUp(() => ({ workbench: w, emulator }));

  const create = async (title: string | undefined, words?: string, agent = 'Researcher'): Promise<Session> => {
    const [environment] = (await client.environments.list()).items;
    const { data } = await client.sessions.create({ agent: agents.get(agent), environment_id: environment?.id, ...(title && { title }) });
    if (words !== undefined) {
      await say(data.id, words);
    }
    return data;
  };
  const say = async (id: string, text: string) => {
    await client.sessions.send(id, [{ type: 'user.message', content: [{ type: 'text', text }] }]);
    await emulator.advanceClock(0);
  };
  const refresh = () => w.runCommand('Managed Agents: Refresh Sessions');
  const item = (name: RegExp) => w.page.getByRole('treeitem', { name }).first();
  const picker = '.quick-input-widget:not([style*="display: none"])';
  /** Ticks or unticks a row of a picker of several. */
  const tick = async (label: string) => {
    const row = w.page.locator(`${picker} .monaco-list-row`, { hasText: label }).first();
    const isTicked = async () =>
      (await row.getAttribute('aria-checked')) === 'true' ||
      (await row.locator('.quick-input-list-checkbox[aria-checked="true"]').count()) > 0;
    const before = await isTicked();
    await w.untilDone(async timeout => {
      if ((await isTicked()) === before) {
        await row.click({ timeout });
      }
    });
  };
  const acceptTicks = () => w.press('Enter');
  const textsOf = async (id: string) => {
    const { items } = await client.sessions.events(id).list({ order: 'asc', limit: 100 });
    return items.filter(({ type }) => type === 'user.message').map(event => JSON.stringify(event.content));
  };

  it('says that there are none yet, and how to start one', async () => {
    await w.openViewContainer('Managed Agents');
    await w.showOnlyView('Sessions');
    await w.welcomeButton(/^Set/);
    await w.inputBox(key);
    await w.page.getByText('No sessions yet').waitFor();
    await w.pictures('sessions-empty');
  });

  it('groups them by what needs the user, and counts what waits in a badge', async () => {
    await create('Read the changelog', 'hello');
    await create('Clean the build', 'ask rm -rf build && npm run build', 'Careful Operator');
    await create(undefined, 'price of tea', 'Shopkeeper');
    await create('Work all day', 'slow 3600');
    await create('Out of credit', 'terminate');
    await client.sessions.archive((await create('Long forgotten', 'hello')).id);
    await refresh();
    await item(/^Waiting for You, 2/).waitFor();
    const rows = (await w.treeRows()).map(row => row.replace(/\s+/g, ' '));
    const groups = rows.filter(row => /^(?:Waiting|Running|Idle|Terminated|Archived|Resched)/.test(row));
    assert.deepEqual(groups, ['Waiting for You2', 'Running1', 'Idle1', 'Terminated1'], rows.join('\n'));
    assert.match(rows.join('\n'), /Clean the build ?Careful Operator · now/);
    assert.match(rows.join('\n'), /price of tea ?Shopkeeper/);
    await item(/Waiting for You, Clean the build, bash: rm -rf build/).waitFor();
    await w.page.locator('.activitybar .badge-content', { hasText: '2' }).first().waitFor();
    await w.pictures('sessions-groups');
  });

  it('tells more in the hover', async () => {
    await w.row('Clean the build').hover();
    const hover = w.page.locator('.workbench-hover', { hasText: 'Asks for' }).first();
    await hover.waitFor();
    assert.match(await hover.innerText(), /bash: rm -rf build && npm run build/);
    await w.screenshot('sessions-hover');
    await w.page.mouse.move(600, 600);
  });

  it('filters by state, names the filter, and shows all again', async () => {
    await w.runCommand('Managed Agents: Filter Sessions');
    await w.screenshot('sessions-filter');
    await w.quickPick('State');
    await tick('Running');
    await w.screenshot('sessions-filter-states');
    await acceptTicks();
    await w.quickPick('Apply');
    await w.page.locator('.pane-header .description', { hasText: 'Running' }).first().waitFor();
    await w.waitForNone('.pane-body .monaco-list-row:has-text("Read the changelog")');
    await item(/Running, Work all day/).waitFor();
    await w.screenshot('sessions-filtered');
    await w.runCommand('Managed Agents: Show All Sessions');
    await item(/Idle, Read the changelog/).waitFor();
  });

  it('filters by agent and shows archived sessions when asked to', async () => {
    await w.runCommand('Managed Agents: Filter Sessions');
    // It comes back with the same words: a second click would undo the first.
    const rowOf = (text: string) => w.page.locator(`${picker} .monaco-list-row`, { hasText: text }).first();
    await w.untilSeen(rowOf('shown'), timeout => rowOf('Archived Sessions').click({ timeout }));
    await w.quickPick('Agent');
    await w.screenshot('sessions-filter-agent');
    await w.quickPick('Reads, thinks and answers');
    await w.quickPick('Apply');
    await item(/^Archived, 1/).click();
    await item(/Archived, Long forgotten/).waitFor();
    await w.waitForNone('.pane-body .monaco-list-row:has-text("Clean the build")');
    await w.pictures('sessions-archived');
    await w.runCommand('Managed Agents: Show All Sessions');
    await item(/Waiting for You, Clean the build/).waitFor();
    await w.waitForNone('.pane-body .monaco-list-row:has-text("Long forgotten")');
  });

  it('says when nothing matches, and filters here where the service refuses to', async () => {
    emulator.setScenario({ faults: [{ name: 'serverError', route: 'sessions.list', status: 400, times: 1 }] });
    await w.runCommand('Managed Agents: Filter Sessions');
    await w.quickPick('State');
    await tick('Rescheduling');
    await acceptTicks();
    await w.quickPick('Apply');
    await w.page.getByText('No session matches the filter').waitFor();
    await w.pictures('sessions-no-match');
    emulator.setScenario({ faults: [{ name: 'serverError', route: 'sessions.list', status: 400, times: 1 }] });
    await w.welcomeButton('Change Filter');
    await w.quickPick('State');
    await tick('Rescheduling');
    await tick('Idle');
    await acceptTicks();
    await w.quickPick('Apply');
    await w.page.locator('.pane-body', { hasText: 'only what was loaded is filtered' }).first().waitFor();
    await item(/Idle, Read the changelog/).waitFor();
    await w.pictures('sessions-filter-refused');
    await w.runCommand('Managed Agents: Show All Sessions');
    await item(/Waiting for You, Clean the build/).waitFor();
  });

  it('sends a message from a row, and keeps the text when that fails', async () => {
    const { id } = await create('Answer me', 'hello');
    await refresh();
    await item(/Idle, Answer me/).waitFor();
    emulator.setScenario({ faults: [{ name: 'overloaded', route: 'sessions.events.send', times: 1 }] });
    await w.treeAction('Answer me', 'Send Message');
    await w.inputBox('think about it');
    await w.page.locator('.quick-input-widget', { hasText: 'Not sent' }).waitFor();
    await w.screenshot('sessions-send-failed');
    assert.equal((await w.inputTexts()).value, 'think about it');
    await w.press('Enter');
    await w.waitForNone('.quick-input-widget');
    assert.match((await textsOf(id)).join(), /think about it/);
  });

  it('offers a text that was not sent again', async () => {
    await w.untilSeen(w.page.locator(picker, { hasText: 'Not sent' }), async () => {
      emulator.setScenario({ faults: [{ name: 'overloaded', route: 'sessions.events.send', times: 1 }] });
      await w.treeAction('Answer me', 'Send Message');
      await w.inputBox('half a thought');
    });
    await w.press('Escape');
    await w.waitForNone(picker);
    await w.treeMenu('Answer me', 'Send Message');
    assert.equal((await w.inputTexts()).value, 'half a thought');
    await w.press('Escape');
  });

  it('renames a session', async () => {
    await w.treeMenu('Answer me', 'Rename Session');
    assert.equal((await w.inputTexts()).value, 'Answer me');
    await w.inputBox('Answered');
    await item(/Idle, Answered/).waitFor();
  });

  it('interrupts one that runs, after a question', async () => {
    const { id } = await create('Stop me', 'slow 3600');
    await refresh();
    await item(/Running, Stop me/).waitFor();
    await w.treeAction('Stop me', 'Interrupt Session');
    assert.match(await w.dialogText(), /What the agent did so far stays/);
    await w.screenshot('sessions-interrupt');
    await w.dialogButton('Interrupt');
    await item(/Idle, Stop me/).waitFor();
    assert.equal((await client.sessions.retrieve(id)).data.status, 'idle');
  });

  it('archives after saying what that means, and interrupts first what runs', async () => {
    const { id } = await create('Archive me', 'slow 3600');
    await refresh();
    await item(/Running, Archive me/).waitFor();
    await w.treeMenu('Archive me', 'Archive Session');
    assert.match(await w.dialogText(), /is running[\s\S]*takes no more messages/);
    await w.screenshot('sessions-archive');
    await w.dialogButton('Interrupt and Archive');
    await w.waitForNone('.pane-body .monaco-list-row:has-text("Archive me")');
    assert.ok((await client.sessions.retrieve(id)).data.archived_at);
  });

  it('deletes after a question', async () => {
    const { id } = await create('Delete me', 'hello');
    await refresh();
    await item(/Idle, Delete me/).waitFor();
    await w.treeMenu('Delete me', 'Delete Session');
    assert.match(await w.dialogText(), /cannot be undone/);
    await w.dialogButton('Delete');
    await w.waitForNone('.pane-body .monaco-list-row:has-text("Delete me")');
    await assert.rejects(client.sessions.retrieve(id), { kind: 'not_found' });
  });

  it('shows one as JSON, its secrets masked', async () => {
    await w.treeMenu('Answered', 'Show Session as JSON');
    await w.page.locator('.view-lines', { hasText: '"title": "Answered"' }).waitFor();
    await w.screenshot('sessions-json');
  });

  it('works from the palette by asking which session, by id too', async () => {
    await w.runCommand('Managed Agents: Rename Session');
    const offered = (await w.quickPickTexts()).join('\n');
    assert.match(offered, /Waiting for You/);
    assert.match(offered, /Enter a Session ID/);
    await w.screenshot('sessions-choose');
    const { id } = await create('By its id');
    await w.quickPick('Enter a Session ID');
    await w.inputBox(id);
    await w.page.locator(picker, { hasText: 'Rename' }).waitFor();
    assert.equal((await w.inputTexts()).value, 'By its id');
    await w.inputBox('Found by id');
    await item(/Idle, Found by id/).waitFor();
  });

  it('starts a session with files and a first message, and keeps every answer when that fails', async () => {
    await w.runCommand('Managed Agents: Start Session');
    await w.screenshot('sessions-start-agent');
    await w.quickPick('Asks before it runs anything');
    const offered = (await w.quickPickTexts()).join('\n');
    assert.match(offered, /Environment\s*Default/);
    await w.screenshot('sessions-start');
    await w.quickPick('Title');
    await w.inputBox('From the editor');
    await w.quickPick('First Message');
    await w.inputBox('ask npm test');
    await w.quickPick('Files');
    await tick('notes.txt');
    await tick('plan.md');
    await w.screenshot('sessions-start-files');
    await acceptTicks();
    await w.page.locator(`${picker} .monaco-list-row`, { hasText: '2 files' }).waitFor();
    await w.screenshot('sessions-start-ready');
    emulator.setScenario({ faults: [{ name: 'overloaded', route: 'sessions.create', times: 1 }] });
    await w.quickPick('Start Session');
    await w.page.locator(`${picker} .monaco-list-row`, { hasText: 'Try Again' }).waitFor();
    await w.screenshot('sessions-start-failed');
    assert.match((await w.quickPickTexts()).join('\n'), /From the editor[\s\S]*ask npm test[\s\S]*2 files/);
    await w.quickPick('Try Again');
    await item(/Waiting for You, From the editor, bash: npm test/).waitFor();
    await w.page.locator('.tab.active', { hasText: 'From the editor' }).waitFor();
    const { id, resources } = (await client.sessions.list({ limit: 1 })).items[0] ?? { id: '' };
    assert.deepEqual(resources?.map(({ mount_path }) => mount_path).sort(), [
      '/mnt/session/uploads/docs/plan.md',
      '/mnt/session/uploads/notes.txt',
    ]);
    assert.equal((await client.files.list()).items.length, 2);
    assert.deepEqual((await textsOf(id)).length, 1);
    // The user looks at it.
    assert.deepEqual(await w.notifications(), []);
    await w.pictures('sessions-started');
  });

  it('tells once that a session that was started here waits, and leads there, also after a reload only once', async () => {
    const { id } = (await client.sessions.list({ limit: 1 })).items[0] ?? { id: '' };
    const { items } = await client.sessions.events(id).list({ order: 'desc', limit: 20 });
    const ask = items.find(({ evaluated_permission }) => evaluated_permission === 'ask');
    await client.sessions.send(id, [{ type: 'user.tool_confirmation', tool_use_id: ask?.id, result: 'allow' }]);
    await emulator.advanceClock(0);
    await say(id, 'ask make release');
    const words = await w.notification('waits for your permission');
    assert.match(words, /"From the editor" waits for your permission: bash: make release/);
    await w.screenshot('sessions-notification');
    await w.notificationButton('waits for your permission', 'Open');
    await w.page.locator('.tab.active', { hasText: 'From the editor' }).waitFor();
    await w.tidy();
    await w.reloadWindow();
    await item(/Waiting for You, From the editor/).waitFor();
    await refresh();
    assert.deepEqual(await w.notifications(), []);
  });

  it('goes to what waits, the latest first', async () => {
    await w.runCommand('Managed Agents: Go to What Waits for You');
    await w.page.locator('.tab.active', { hasText: 'From the editor' }).waitFor();
    await w.runCommand('Managed Agents: Go to What Waits for You');
    await w.page.locator('.tab.active', { hasText: /price of tea|sesn_/ }).waitFor();
    await w.screenshot('sessions-next-waiting');
  });

  it('keeps the rows and says why when the service goes away, and recovers', async () => {
    emulator.setScenario({ faults: [{ name: 'html', route: 'sessions.list' }] });
    await refresh();
    await w.page.locator('.pane-body', { hasText: 'Could not refresh' }).first().waitFor();
    await item(/Waiting for You, Clean the build/).waitFor();
    await w.pictures('sessions-refresh-failed');
    emulator.setScenario({ faults: [] });
    await refresh();
    await w.waitForNone('.pane-body :text("Could not refresh")');
  });

  it('loads a page at a time', async () => {
    for (let number = 0; number < 22; number++) {
      await create(`Number ${number}`);
    }
    await w.reloadWindow();
    await item(/Idle, Number 21/).waitFor();
    await w.row('Number 21').click();
    await w.press('End');
    await w.clickTreeRow('Load More');
    await w.waitForNone('.pane-body .monaco-list-row:has-text("Load More")');
    await item(/Waiting for You, Clean the build/).waitFor();
  });

  it('is calm about a service that has no sessions', async () => {
    emulator.setScenario({ faults: [{ name: 'serverError', route: 'sessions.list', status: 404 }] });
    await w.reloadWindow();
    await w.page.getByText('This service has no sessions').waitFor();
    await w.pictures('sessions-unsupported');
    emulator.setScenario({ faults: [] });
    await refresh();
    await item(/Idle, Number 21/).waitFor();
  });
});
