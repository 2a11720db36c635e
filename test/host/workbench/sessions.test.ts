import assert from 'node:assert/strict';
import path from 'node:path';
import { eventuallyHolds } from '../eventually';
import { picker } from '../page/quickInputs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { NewSession } from './newSession';
import { asks, offers, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { SessionPanels, tabOfSession } from './sessionPanels';
import { stopAtFailure } from './stopAtFailure';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0005';
const dialog = '.monaco-dialog-box';
const menu = 'Select a filter';
const states = 'Filter by state';

describe('the Sessions view', function () {
  // Each test continues with the sessions of the previous tests.
  stopAtFailure(this);
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  const questions = new Questions(workbench);
  const panels = new SessionPanels(workbench);
  before('show the view', async () => {
    await workbench().setKey(key);
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Sessions');
  });

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const welcome = (words: string) => `.pane-body .welcome-view-content:has-text("${words}")`;
  const named = (filter: string) => `.pane-header .description:has-text("${filter}")`;
  const refresh = () => workbench().command('managedAgents.refresh');
  const openMenu = () => workbench().runCommand('Managed Agents: Filter Sessions', asks(menu));
  const showAll = async () => {
    await workbench().runCommand('Managed Agents: Show All Sessions', item(/Needs approval, Clean the build/));
  };

  const rowOf = (title: string) => `.pane-body .monaco-list-row:has-text("${title}")`;
  /** Starts a session and lists it. Returns its id. */
  async function listed(title: string, words: string, state = 'Done', agent?: string): Promise<string> {
    const { id } = await sessions.create(title, words, agent);
    await refresh();
    const row = item(new RegExp(`${state}, ${title}`));
    await (state === 'Done' ? workbench().unfold(/^Done/, row) : row.waitFor());
    return id;
  }
  /** Selects several rows and runs an action from their context menu. */
  async function onSeveral(titles: readonly string[], act: string, effect: string): Promise<void> {
    await workbench().untilSeen(effect, async timeout => {
      for (const [index, row] of titles.map(rowOf).entries()) {
        // A plain click on the first row clears an earlier selection.
        const modifiers = index === 0 ? [] : (['ControlOrMeta'] as const);
        await workbench().untilThere(`${row}[aria-selected="true"]`, () =>
          workbench()
            .page.locator(row)
            .click({ modifiers: [...modifiers], timeout }),
        );
      }
      await workbench().treeMenu(titles.at(-1) ?? '', act);
    });
  }
  const said = async (id: string) => (await sessions.events(id, 'user.message')).map(event => JSON.stringify(event.content));

  /** Starts a session whose agent asks to run one command, and allows the command. Returns its id. */
  async function operated(title: string, command: string): Promise<string> {
    const { id } = await sessions.create(title, `ask ${command}`, 'Careful Operator');
    const [call] = await sessions.events(id, 'agent.tool_use');
    await sessions.send(id, { type: 'user.tool_confirmation', tool_use_id: call?.id, result: 'allow' });
    return id;
  }

  it('shows no error for a service without sessions, and how to start the first one @nightly', async () => {
    emulator().setScenario({ faults: [{ name: 'serverError', route: 'sessions.list', status: 404 }] });
    await workbench().runCommand('Managed Agents: Refresh', welcome("This service doesn't support sessions"));
    await workbench().screenshot('sessions-unsupported');
    emulator().setScenario({ faults: [] });

    await workbench().runCommand('Managed Agents: Refresh', welcome('No sessions yet'));
    assert.match((await workbench().texts(welcome('No sessions yet'))).join(), /Start Session/);
    await workbench().screenshot('sessions-empty');
  });

  it('groups sessions by what needs the user, counts asks in a badge, and shows more in the hover @ci', async () => {
    await sessions.create('Read the changelog', 'hello');
    await sessions.create('Clean the build', 'ask rm -rf build && npm run build', 'Careful Operator');
    await sessions.create(undefined, 'price of tea', 'Shopkeeper');
    await sessions.create('Work all day', 'slow 3600');
    await sessions.create('Out of credit', 'terminate');
    await client().sessions.archive((await sessions.create('Long forgotten', 'hello')).id);
    await refresh();
    for (const name of [/^Needs You, 2(?! of)/, /^Running, 1/, /^Failed, 1/, /^Done, 1/, /Needs you, price of tea/]) {
      await item(name).waitFor();
    }
    await item(/Needs approval, Clean the build, bash rm -rf build/).waitFor();
    const rows = (await workbench().treeRows()).map(row => row.replace(/\s+/g, ' '));
    const groups = rows.filter(row => /^(?:Needs|Running|Failed|Done|Archived)/.test(row));
    assert.deepEqual(groups, ['Needs You2', 'Running1', 'Failed1', 'Done1'], rows.join('\n'));
    assert.match(rows.join('\n'), /Clean the build ?bash rm -rf build && npm run build · (?:now|\d+ min)/);
    assert.match(rows.join('\n'), /price of tea ?get_price needs a result/);
    await workbench().page.locator('.activitybar .badge-content', { hasText: /^2$/ }).first().waitFor();
    await workbench().screenshot('sessions-groups');

    const hover = workbench().page.locator('.workbench-hover', { hasText: 'bash rm -rf build && npm run build' }).first();
    await workbench().untilSeen(hover, async timeout => {
      await workbench().page.mouse.move(600, 600);
      await workbench().row('Clean the build').hover({ timeout });
    });
    await eventuallyHolds(async () => assert.match(await hover.innerText(), /Pending/));
    await workbench().screenshot('sessions-hover');
    await workbench().page.mouse.move(600, 600);
  });

  it('filters by state, names the filter, and shows all again @ci', async () => {
    await openMenu();
    await workbench().screenshot('sessions-filter');
    await questions.choose(menu, 'State', asks(states));
    await questions.tick('Running');
    await workbench().screenshot('sessions-filter-states');
    await questions.accept(states, offers('Apply'));
    await questions.choose(menu, 'Apply', named('Running'));
    await item(/^Done/).waitFor({ state: 'hidden' });
    await item(/Running, Work all day/).waitFor();
    await workbench().screenshot('sessions-filtered');
    await workbench().runCommand('Managed Agents: Show All Sessions', item(/^Done, 1/));
    await workbench().unfold(/^Done/, item(/Done, Read the changelog/));
  });

  it('filters by agent and shows archived sessions on request @nightly', async () => {
    await openMenu();
    await questions.choose(menu, 'Archived Sessions', offers('shown'));
    await questions.choose(menu, 'Agent', asks('Select an agent'));
    await workbench().screenshot('sessions-filter-agent');
    await questions.choose('Select an agent', 'Reads, thinks and answers', offers('Apply'));
    await questions.choose(menu, 'Apply', item(/^Archived, 1/));
    await workbench().click(item(/^Archived, 1/), item(/Archived, Long forgotten/));
    await workbench().waitForNone(rowOf('Clean the build'));
    await workbench().screenshot('sessions-archived');
    await showAll();
    await workbench().waitForNone('.pane-body .monaco-list-row:has-text("Long forgotten")');
  });

  it('finds a session by what was said in it @ci', async () => {
    const question = 'Title, agent, ID, or text';
    const onService = offers('Search Messages on the Service');
    await workbench().runCommand('Managed Agents: Search Sessions', asks(question));
    await workbench().untilSeen(onService, timeout =>
      workbench()
        .page.locator(`${asks(question)} .quick-input-box input`)
        .first()
        .fill('rm -rf', { timeout }),
    );
    await workbench().page.locator(offers('Clean the build')).first().waitFor();
    await workbench().screenshot('sessions-search');
    await questions.choose(question, 'on the Service', asks('Sessions with'));
    await workbench().screenshot('sessions-search-service');
    await questions.choose('Sessions with', 'Clean the build', '.tab:has-text("Clean the build")');
    await openMenu();
    await questions.choose(menu, 'Sort', asks('Sort by'));
    await questions.choose('Sort by', 'by cost', named('by cost'));
    await item(/^Done, \d/).waitFor({ state: 'hidden' });
    await workbench().screenshot('sessions-sorted');
    await questions.choose(menu, 'Sort', asks('Sort by'));
    await questions.choose('Sort by', 'needs you first', item(/^Needs You, 2/));
    await workbench().untilGone(asks(menu), () => workbench().page.keyboard.press('Escape'));
  });

  it("opens a session's message field from its row @ci", async () => {
    const id = await listed('Answer me', 'hello');
    await workbench().treeAction('Answer me', 'Send Message', tabOfSession('Answer me'));
    const frame = await panels.live('Answer me');
    await frame.locator('.composer-field:focus').waitFor();
    await new NewSession(workbench).start(frame, 'think about it', frame.getByText('I thought about it twice.'));
    assert.match((await said(id)).join(), /think about it/);
  });

  it('shows one session after another in one preview panel, until it is kept @ci', async () => {
    const titles = ['Look at one', 'Look at two', 'Look at three'];
    for (const title of titles) {
      await listed(title, 'hello');
    }
    const [one = '', two = '', three = ''] = titles;
    const preview = (title: string) => tabOfSession(`${title} (preview)`);
    const kept = (title: string) => `${tabOfSession(title)}:not([aria-label*="(preview)"])`;
    const anyTab = (title: string) => `.tab[aria-label*=${JSON.stringify(title)}]`;
    await workbench().clickTreeRow(one, preview(one));
    await workbench().clickTreeRow(two, preview(two));
    await workbench().waitForNone(anyTab(one));
    await workbench().screenshot('sessions-preview');
    await workbench().untilSeen(kept(two), timeout => workbench().page.locator(rowOf(two)).dblclick({ timeout }));
    await workbench().clickTreeRow(three, preview(three));
    await workbench().waitFor(anyTab(two));
    const frame = await panels.live(three);
    await workbench().untilSeen(kept(three), timeout => frame.locator('.composer-field').fill('a draft', { timeout }));
    await workbench().clickTreeRow(one, preview(one));
    // A permanent panel is revealed again.
    await workbench().clickTreeRow(two, kept(two));
    await workbench().waitFor(anyTab(three));
    await workbench().clickTreeRow(one, preview(one));
  });

  it('groups the sessions of one deployment in one row @ci', async () => {
    const [agent] = (await client().agents.list({ limit: 1 })).items;
    const environment = (await client().environments.list()).items.find(({ name }) => name === 'Default');
    const initial_events = [{ type: 'user.message', content: [{ type: 'text', text: 'hello' }] }];
    const fields = { name: 'Nightly greeting', agent: agent?.id, environment_id: environment?.id, initial_events };
    const { data } = await client().deployments.create(fields);
    for (const _ of [1, 2]) {
      await client().deployments.run(data.id);
    }
    await emulator().advanceClock(0);
    await refresh();
    await workbench().unfold(/^Done/, item(/^Nightly greeting, 2 sessions/));
    await workbench().unfold('Nightly greeting', item(/^Done, Nightly greeting|^Done, hello/));
    await workbench().screenshot('sessions-deployment');
  });

  it('archives several rows after one question that names them, and reports the outcome @ci', async () => {
    const ids = [await listed('Several of one', 'hello'), await listed('Several of two', 'slow 3600', 'Running')];
    await onSeveral(['Several of one', 'Several of two'], 'Archive...', `${dialog}:has-text("Archive 2 sessions")`);
    assert.match(await workbench().dialogText(), /Archive 2 sessions[\s\S]*Several of one[\s\S]*Running, will be interrupted first: 1/);
    await workbench().screenshot('sessions-archive-several');
    await workbench().dialogButton('Archive');
    await workbench().toast('Sessions archived: 2').first().waitFor();
    for (const id of ids) {
      assert.ok((await client().sessions.retrieve(id)).data.archived_at);
    }
    await workbench().waitForNone(rowOf('Several of one'));
  });

  it('exports several rows into a folder, each as a file @nightly', async () => {
    const titles = ['Export one', 'Export two'];
    for (const title of titles) {
      await listed(title, 'hello');
    }
    await onSeveral(titles, 'Export Session', `${picker} .monaco-list-row:has-text("Markdown")`);
    await workbench().quickPick('Markdown');
    const folder = `${workbench().folder}/`;
    await workbench().inputHolds(folder);
    await workbench().screenshot('sessions-export-several');
    await workbench().chooseFile(folder, folder, workbench().toast(/Sessions exported to .*: 2/));
    await workbench().screenshot('sessions-exported-several');
    for (const title of titles) {
      assert.match(workbench().fileText(`${title}.session.md`), /hello/);
    }
  });

  it('renames a session from the palette by asking which one, by ID too @ci', async () => {
    await listed('Let me', 'ask rm -rf build', 'Needs approval', 'Careful Operator');
    await workbench().runCommand('Managed Agents: Rename...', asks('Select a type'));
    await questions.choose('Select a type', 'Sessions', asks('Sessions of Lab'));
    for (const offered of ['Needs You', 'Let me']) {
      await workbench().waitFor(offers(offered));
    }
    await workbench().screenshot('sessions-choose');
    const { id } = await sessions.create('By its id');
    await workbench().fillInput('Session ID');
    await questions.choose('Sessions of Lab', 'Enter Session ID', asks('ID of the session'));
    await questions.write('ID of the session', id, asks('Title of the session'));
    await workbench().inputHolds('By its id');
    await questions.write('Title of the session', 'Found by id', item(/Done, Found by id/));
  });

  it('compares two sessions: lists differences, shows both sides, in the diff editor and in either session, and refreshes both @ci', async () => {
    const tab = '.tab.active[aria-label*="Mend once and Mend twice"]';
    const first = await operated('Mend once', 'make clean');
    const second = await operated('Mend twice', 'make test');
    await refresh();
    await workbench().unfold(/^Done/, item(/Done, Mend twice/));
    await workbench().beginCommand(offers('Mend twice'), 'managedAgents.compare', { connection: 'Lab', sessionId: first });
    await workbench().screenshot('compare-sessions-choose');
    await workbench().quickPick('Mend twice', tab);
    const frame = await workbench().webview('main.sessionComparison');
    const call = frame.locator('.extent > .row').filter({ hasText: 'different arguments' }).filter({ hasText: 'make test' });
    await call.waitFor();
    await workbench().screenshot('compare-sessions');
    const pair = frame.getByRole('region', { name: /^Both sessions, Turn 1: bash/ });
    await workbench().click(call, pair.getByText('make clean'));
    await workbench().screenshot('compare-sessions-pair');
    await workbench().click(pair.getByRole('button', { name: 'Open in Session B' }), '.tab.active[aria-label^="Mend twice"]');
    await panels.live('Mend twice');
    await sessions.say(second, 'hello again');
    await workbench().command('workbench.action.closeActiveEditor');
    const again = await workbench().webview('main.sessionComparison');
    await workbench().click(
      again.getByRole('button', { name: 'Refresh' }),
      again.locator('.extent > .row.isTurn').filter({ hasText: 'Only in B' }),
    );
    await workbench().click(
      again.getByRole('button', { name: 'Show Transcripts in Diff Editor' }),
      '.monaco-diff-editor .view-line:has-text("clean")',
    );
    await workbench().screenshot('compare-sessions-difference');
    await workbench().command('workbench.action.closeAllEditors');
  });

  it('compares two selected sessions, also after a reload, and says which one is deleted @nightly', async () => {
    const ids = [await operated('Keep this', 'make a'), await operated('Lose this', 'make b')];
    await refresh();
    await workbench().unfold(/^Done/, item(/Done, Lose this/));
    const [kept, lost] = ids.map(sessionId => ({ connection: 'Lab', sessionId }));
    const both = '.tab.active[aria-label*="Keep this and Lose this"]';
    await workbench().beginCommand(both, 'managedAgents.compare', kept, [kept, lost]);
    const frame = await workbench().webview('main.sessionComparison');
    await frame.locator('.extent > .row').filter({ hasText: 'different arguments' }).waitFor();
    await workbench().panelWrittenDown('Keep this and Lose this');
    await workbench().reloadWindow();
    const reloaded = await workbench().webview('main.sessionComparison');
    await reloaded.locator('.extent > .row').filter({ hasText: 'different arguments' }).waitFor();
    await client().sessions.delete(ids[1] ?? '');
    await workbench().click(reloaded.getByRole('button', { name: 'Refresh' }), workbench().toast('Session not found on Lab: Lose this'));
    await reloaded.locator('.extent > .row').filter({ hasText: 'different arguments' }).waitFor();
    await workbench().screenshot('compare-sessions-gone');
  });

  it('loads page by page @ci', async () => {
    for (let number = 0; number < 22; number++) {
      await sessions.create(`Number ${number}`);
    }
    // The list starts again at its first page.
    await workbench().command('managedAgents.sessions.clearFilter');
    await workbench().unfold(/^Done/, item(/Done, Number 21/));
    const more = workbench().row('Load More');
    const goTo = async (command: string) => {
      await workbench().command('managedAgents.sessions.focus');
      await workbench().command(command);
    };
    await workbench().untilSeen(more, () => goTo('list.focusLast'));
    await workbench().untilGone(more, timeout => more.click({ timeout }));
    await workbench().untilThere(item(/Needs approval, Clean the build/), () => goTo('list.focusFirst'));
  });

  it('creates a test from a row, which runs on its service with a budget, after a question @ci', async () => {
    const w = workbench();
    const testRow = (text: string, state = '') => `.test-explorer .monaco-list-row:has-text(${JSON.stringify(text)})${state}`;
    const { id } = await sessions.create('Shop for tea', 'price tea', 'Shopkeeper');
    const [call] = await sessions.events(id, 'agent.custom_tool_use');
    const content = [{ type: 'text', text: '3.20' }];
    await sessions.send(id, { type: 'user.custom_tool_result', custom_tool_use_id: call?.id, content, is_error: false });
    await w.runCommand('Managed Agents: Refresh', rowOf('Shop for tea'));
    await w.beginCommand(offers('Latest at run time'), 'managedAgents.session.makeTest', { connection: 'Lab', sessionId: id });
    await w.quickPick('Latest');
    const file = 'Shop for tea.session-test.json';
    await w.chooseFile(path.join(w.folder, file), path.join(w.folder, file));
    await w.waitFor(tabOf(file));
    await w.notification('Messages: 1, tool calls: 1. Run it in the Testing view.');
    await w.screenshot('session-test-file');
    const test = JSON.parse(w.fileText(file));
    assert.deepEqual(test.messages, ['price tea']);
    assert.deepEqual(test.answers, [{ tool: 'get_price', input: { item: 'tea' }, content: '3.20' }]);

    await w.openViewContainer('Testing');
    const row = testRow('Shop for tea');
    await w.waitFor(row);
    w.writeFile(file, JSON.stringify({ ...test, budget: '0.50', messages: ['price milk'] }, null, 2));
    await w.menuOf(w.page.locator(row).first(), 'Execute Using Profile...', offers('On Lab'));
    await w.quickPick('On Lab', dialog);
    assert.match(await w.dialogText(), /Run tests on this service \(1\)\?.*up to \$0\.50/s);
    await w.screenshot('session-test-question');
    await w.dialogButton('Run');
    await w.waitFor(testRow('Shop for tea', ' .codicon-testing-failed-icon'));
    await w.untilThere('.test-output-peek-message-container', timeout => w.page.locator(row).first().click({ timeout }));
    await w.screenshot('session-test-differs');
    const ran = (await client().sessions.list({ includeArchived: true })).items.find(({ title }) => title === 'Test: Shop for tea');
    assert.deepEqual(ran?.budget, { type: 'limit', max_list_cost: { amount: '50', currency: 'USD' } });
    assert.ok(ran?.archived_at);
  });
});
