import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { eventually } from '../eventually';
import { isWrittenDown } from '../page/inPage.mjs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { NewSession } from './newSession';
import { asks, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { SessionPanels, tabOfSession } from './sessionPanels';
import { stopAtFailure } from './stopAtFailure';
import { useWorkbench } from './workbench';
import { filesWithSecrets } from './writtenSecrets';

const key = 'local-test-key-0005';
const which = 'Select an agent';
const more = 'Select what to set';
const token = 'CANARY-of-the-repository-7f3a';
const repositories = 'Add Repository...';
const stores = 'Add Memory Stores...';
const vaults = 'Add Vaults...';
/** Placeholders that identify inputs. The placeholder stays when a problem replaces the question. */
const address = 'https://example.com/team/project';
const amount = '2.50';
const says = (words: string) => `.quick-input-widget .quick-input-message:has-text(${JSON.stringify(words)})`;

describe('starting a session', function () {
  // Some tests continue with the session of the first test.
  stopAtFailure(this);
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({
    settings: connectedTo(emulator()),
    files: {
      'docs/plan.md': '# Plan\n\n1. Begin.\n',
      'notes.txt': 'Notes of the workspace.\n',
      '.managed-agents/prompts/review.md': '---\ndescription: Reviews a change\n---\nReview {{what}}\nand say what is missing.\n',
    },
  }));
  const questions = new Questions(workbench);
  const panels = new SessionPanels(workbench);
  const start = new NewSession(workbench);
  const chip = (frame: Frame, text: string) => frame.getByRole('button', { name: text, exact: true });
  before('start a session that waits', async () => {
    await sessions.create(undefined, 'price of tea', 'Shopkeeper');
    await workbench().setKey(key);
  });

  it('counts asks in the badge of a window that shows the Explorer @ci', async () => {
    await workbench().waitFor('.explorer-folders-view');
    await workbench().page.locator('.activitybar .badge-content', { hasText: /^1$/ }).first().waitFor();
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

  it('accepts files and a first message, and keeps all input after a failure @ci', async () => {
    const frame = await start.open();
    await chip(frame, 'Environment: Default').waitFor();
    await workbench().screenshot('sessions-start');
    await start.choose(frame, 'Title', 'Title of the session; may be empty');
    await questions.write('Title of the session; may be empty', 'From the editor', chip(frame, 'Title: From the editor'));
    await start.choose(frame, 'Files', 'Select files for the session');
    await questions.tick('notes.txt');
    await questions.tick('plan.md');
    await workbench().screenshot('sessions-start-files');
    await questions.accept('Select files for the session', frame.getByRole('button', { name: /^Files: 2 files/ }));
    emulator().setScenario({ faults: [{ name: 'overloaded', route: 'sessions.create' }] });
    // Without a last used agent, Enter asks for an agent.
    await start.start(frame, 'ask npm test', asks(which));
    await workbench().screenshot('sessions-start-agent');
    await questions.choose(which, 'Asks before it runs anything', chip(frame, 'Try Again'));
    await workbench().screenshot('sessions-start-failed');
    await chip(frame, 'Agent: Careful Operator v1').waitFor();
    emulator().setScenario({ faults: [] });
    await start.start(frame, 'ask npm test', item(/Needs approval, From the editor, bash npm test/));
    await workbench().waitFor(tabOfSession('From the editor'));
    const { id, resources } = await newest();
    assert.equal(resources?.length, 2);
    assert.equal((await client().files.list()).items.length, 2);
    assert.equal((await sessions.events(id, 'user.message')).length, 1);
    // The session's panel is open, so there is no notification that the session waits.
    assert.deepEqual(
      (await workbench().notifications()).filter(text => text.includes('needs you')),
      [],
    );
    await workbench().screenshot('sessions-started');
  });

  it('reports once that a session started here waits, and opens it, only once after a reload too @ci', async () => {
    const { id } = await newest();
    await sessions.send(id, { type: 'user.tool_confirmation', tool_use_id: await lastAsk(id), result: 'allow' });
    await sessions.say(id, 'ask make release');
    await workbench().notification('"From the editor" needs you: bash make release');
    await workbench().screenshot('sessions-notification');
    await workbench().notificationButton('needs you', 'Open');
    await workbench().waitFor(tabOfSession('From the editor'));
    await workbench().tidy();
    await workbench().writtenDown(await lastAsk(id));
    await workbench().reloadWindow();
    await showSessions();
    await item(/Needs approval, From the editor, bash make release/).waitFor();
    // The first refresh has reported its findings when the second refresh ends.
    await workbench().command('managedAgents.refresh');
    await workbench().command('managedAgents.refresh');
    assert.deepEqual(await workbench().notifications(), []);
  });

  it('accepts a version number if the service lists none @nightly', async () => {
    emulator().setScenario({ faults: [{ name: 'notFound', route: 'agents.versions' }] });
    const frame = await start.open();
    await start.choose(frame, 'More', more);
    await questions.choose(more, 'Version', asks('Select a version of'));
    await workbench().screenshot('sessions-start-version');
    await questions.write('Select a version of', '7', chip(frame, 'Agent: Careful Operator v7'));
    await workbench().command('workbench.action.closeActiveEditor');
    emulator().setScenario({ faults: [] });
  });

  it('goes to open asks, latest first @nightly', async () => {
    await workbench().runCommand('Managed Agents: Go to Next Session That Needs You', tabOfSession('From the editor'));
    await workbench().runCommand('Managed Agents: Go to Next Session That Needs You', tabOfSession('price of tea'));
    await workbench().screenshot('sessions-next-waiting');
  });

  it('starts a session with a prompt of several lines, and with the last agent @ci', async () => {
    const frame = await start.open();
    await chip(frame, 'Agent: Careful Operator v1').waitFor();
    await start.choose(frame, 'Agent', which);
    await questions.choose(which, 'Researcher', chip(frame, 'Agent: Researcher v1'));
    const field = frame.getByRole('textbox', { name: 'Message to the agent' });
    const prompt = frame.getByRole('option', { name: /review/ });
    await workbench().untilSeen(prompt, timeout => field.fill('/rev', { timeout }));
    await workbench().screenshot('sessions-start-prompts');
    // The inserted prompt has a placeholder, which is selected.
    await workbench().click(prompt, frame.getByRole('button', { name: /^Next Placeholder/ }));
    await workbench().page.keyboard.type('the plan');
    await workbench().press('Enter', tabOfSession('Review the plan'));
    const live = await panels.live('Review the plan');
    await live.locator('.timelineArea').getByText('and say what is missing.').first().waitFor();
    const [session] = (await client().sessions.list({ limit: 1 })).items;
    const [message] = await sessions.events(session?.id ?? '', 'user.message');
    assert.deepEqual(message?.content, [{ type: 'text', text: 'Review the plan\nand say what is missing.' }]);
  });

  it('starts with a repository, files and a budget, keeps all input when the service rejects it, and writes the token nowhere @ci', async () => {
    const filesBefore = (await client().files.list()).items.length;
    await client().vaults.create({ display_name: 'Keys of the shop' });
    const frame = await start.open();
    await start.choose(frame, 'Title', 'Title of the session; may be empty');
    await questions.write('Title of the session; may be empty', 'With everything', chip(frame, 'Title: With everything'));
    await start.choose(frame, 'More', more);
    await questions.choose(more, 'Repositories', asks('Enter an address such as https://example.com/team/project'));
    await questions.write(address, 'http://example.com/acme/repo', says('Enter an address such as'));
    await questions.write(address, 'https://example.com/acme/repo.git', asks('Branch or commit'));
    await questions.write('Branch or commit', 'main', asks('Folder in the session'));
    await questions.accept('Folder in the session', asks('Enter a token'));
    await questions.choose('Enter a token', 'Enter Secret', '.quick-input-widget input[type="password"]');
    await questions.write('Enter a token', token, asks(repositories));
    await workbench().screenshot('session-resources-repositories');
    await questions.choose(repositories, 'Done', frame.getByRole('button', { name: /^Repositories: .*repo/ }));
    await start.choose(frame, 'More', more);
    await questions.choose(more, 'Memory Stores', asks(stores));
    await questions.choose(stores, 'Add Memory Stores', asks('Select memory stores'));
    await questions.tick('Team Notes');
    await questions.accept('Select memory stores', asks(stores));
    await questions.choose(stores, 'Team Notes', asks('Instructions...'));
    await questions.choose('Instructions...', 'Read Only', `${asks(stores)} .monaco-list-row:has-text("Team Notes"):has-text("read only")`);
    await questions.choose(stores, 'Team Notes', asks('Instructions...'));
    await questions.choose('Instructions...', 'Remove from List', asks(stores));
    await workbench().untilGone(asks(stores), timeout => questions.once(stores, 'Done', timeout));
    await start.choose(frame, 'More', more);
    await questions.choose(more, 'Vaults', asks(vaults));
    await questions.choose(vaults, 'Add Vaults', asks('Select vaults'));
    await questions.tick('Keys of the shop');
    await questions.accept('Select vaults', asks(vaults));
    await questions.choose(vaults, 'Done', chip(frame, 'Vaults: Keys of the shop'));
    await start.choose(frame, 'Files', 'Select files for the session');
    await questions.tick('notes.txt');
    await questions.accept('Select files for the session', frame.getByRole('button', { name: /^Files: 1 file/ }));
    await start.choose(frame, 'Budget', 'Maximum cost in US dollars');
    await questions.write(amount, '1.005', says('Enter an amount in US dollars'));
    await questions.write(amount, '1.50', chip(frame, 'Budget: $1.50'));
    await workbench().screenshot('session-resources-start');
    // A service that doesn't support budgets.
    emulator().setScenario({ serverStyle: 'serverB' });
    await start.start(frame, 'hello', frame.getByText('budget: is not supported'));
    for (const kept of ['Title: With everything', 'Budget: $1.50']) {
      await chip(frame, kept).waitFor();
    }
    await workbench().screenshot('session-resources-refused');
    emulator().setScenario({ serverStyle: 'vendor' });
    assert.ok(!(await frame.content()).includes(token));
    await start.start(frame, 'hello', '.tab.active[aria-label*="With everything"]');
    const [session] = (await client().sessions.list({ limit: 1 })).items;
    assert.equal(session?.title, 'With everything');
    const { id, resources, budget, vault_ids: used } = session;
    assert.deepEqual(
      resources?.map(({ type, checkout }) => [type, checkout?.name]),
      [
        ['file', undefined],
        ['git_repository', 'main'],
      ],
    );
    assert.equal(budget?.max_list_cost?.amount, '150');
    assert.deepEqual(
      used,
      (await client().vaults.list()).items.map(({ id }) => id),
    );
    // The failed attempt's uploads are reused.
    assert.equal((await client().files.list()).items.length, filesBefore + 1);

    assert.deepEqual(filesWithSecrets(workbench(), [token]), []);
    assert.equal(await workbench().page.evaluate(isWrittenDown, { text: token, isPanel: false }), false);
    const live = await panels.live('With everything');
    assert.ok(!(await live.content()).includes(token));
    await workbench().command('managedAgents.showJson', { connection: 'Lab', sessionId: id });
    assert.ok(!(await workbench().activeText('"sesn_')).includes(token));
  });

  it('starts a new session from a row of another, and says so @nightly', async () => {
    const { id } = await sessions.create('Session first', 'hello once');
    const frame = await panels.open('Session first', id);
    const row = frame.getByRole('article').filter({ hasText: 'You wrote: "hello once"' }).first();
    await row.waitFor();
    await workbench().untilSeen(tabOfSession('Start Again From Here'), async timeout => {
      await row.hover({ timeout });
      await row.getByRole('button', { name: 'Start Again From Here...' }).click({ timeout });
    });
    const again = await start.frame('Start Again From Here');
    await again.getByText("approximation, because the service can't fork").waitFor();
    await workbench().screenshot('start-again');
    await start.start(again, 'hello again', tabOfSession('Continued: Session first'));
    const live = await panels.live('Continued: Session first');
    await live.getByText('hello again').first().waitFor();
    await workbench().screenshot('start-again-begun');
    const [made] = (await client().sessions.list()).items.filter(({ title }) => title === 'Continued: Session first');
    const messages = await sessions.events(made?.id ?? '', 'user.message');
    assert.equal(messages.length, 1);
    assert.match(JSON.stringify(messages[0]), /go on from a point in an earlier one.*hello once.*hello again/);
  });

  it('sends one message to two versions of an agent, side by side, and says that it costs twice @nightly', async () => {
    const { data: first } = await client().agents.create({ name: 'Twofold', model: 'vendor-sonnet-5' });
    await client().agents.update(first.id, { version: 1, description: 'Another one' });
    const heading = 'Run Twofold v1 and v2';
    await workbench().beginCommand(tabOfSession(heading), 'managedAgents.session.runOnVersions', { connection: 'Lab', agentId: first.id }, [
      { connection: 'Lab', agentId: first.id, version: 2 },
      { connection: 'Lab', agentId: first.id, version: 1 },
    ]);
    const frame = await start.frame(heading);
    await frame.getByText('costs about twice as much as one').waitFor();
    await workbench().screenshot('versions-question');
    await start.start(frame, 'hello both', '.tab[aria-label*="hello both · v2"]');
    for (const title of ['hello both · v1', 'hello both · v2']) {
      await workbench().waitFor(`.tab[aria-label*=${JSON.stringify(title)}]`);
    }
    await workbench().waitFor('.editor-group-container + .editor-group-container, .split-view-view:nth-child(2) .editor-group-container');
    const both = (await client().sessions.list()).items.filter(({ title }) => title?.startsWith('hello both'));
    assert.deepEqual(both.map(({ agent }) => agent?.version).sort(), [1, 2]);
    for (const { id } of both) {
      assert.equal((await sessions.events(id, 'user.message')).length, 1);
    }
    await workbench().screenshot('versions-side-by-side');
    await workbench().notificationButton('Sent to both versions.', 'Compare Sessions');
    await workbench().waitFor('.tab.active[aria-label*="hello both · v1 and hello both · v2"]');
  });

  it('starts no second session when the response is lost and Enter is pressed again @ci', async () => {
    const before = (await client().sessions.list({ limit: 100 })).items.length;
    const frame = await start.open();
    await start.choose(frame, 'Title', 'Title of the session; may be empty');
    await questions.write('Title of the session; may be empty', 'Lost and found', chip(frame, 'Title: Lost and found'));
    emulator().setScenario({ faults: [{ name: 'lostReplyAfterCommit', route: 'sessions.create', times: 1 }] });
    await start.start(frame, 'hello', chip(frame, 'Open Lost and found'));
    await workbench().screenshot('sessions-start-unknown');
    // Enter searches for the session again.
    await workbench().untilDone(timeout => frame.getByRole('textbox', { name: 'Message to the agent' }).press('Enter', { timeout }));
    await workbench().click(chip(frame, 'Open Lost and found'), tabOfSession('Lost and found'));
    const live = await panels.live('Lost and found');
    await eventually(async () => (await live.getByRole('textbox', { name: 'Message to the agent' }).inputValue()) === 'hello');
    assert.equal((await client().sessions.list({ limit: 100 })).items.length, before + 1);
  });
});
