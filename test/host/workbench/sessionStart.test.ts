import assert from 'node:assert/strict';
import { isWrittenDown } from '../page/inPage.mjs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, offers, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { SessionPanels, tabOfSession } from './sessionPanels';
import { stopAtFailure } from './stopAtFailure';
import { useWorkbench } from './workbench';
import { filesWithSecrets } from './writtenSecrets';

const key = 'local-test-key-0005';
const menu = 'Enter starts the session on';
const written = '.tab[data-resource-name^="Untitled"]';
const token = 'CANARY-of-the-repository-7f3a';
const repositories = 'Select an action';
const stores = 'Select an action';
const vaults = 'Select an action';
/** Placeholders of inputs. They stay when the description of a problem replaces the question. */
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
  before('start a session that waits', async () => {
    await sessions.create(undefined, 'price of tea', 'Shopkeeper');
    await workbench().setKey(key);
  });

  it('counts what waits in the badge of a window that shows the Explorer @ci', async () => {
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

  it('takes files and a first message, and keeps every answer when that fails @ci', async () => {
    await workbench().runCommand('Managed Agents: Start Session', asks('Select an agent'));
    await workbench().screenshot('sessions-start-agent');
    await questions.choose('Select an agent', 'Asks before it runs anything', asks(menu));
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
    await questions.choose(menu, 'Try Again', item(/Needs approval, From the editor, bash npm test/));
    await workbench().waitFor(tabOfSession('From the editor'));
    const { id, resources } = await newest();
    // The service chose the paths, and they are shown.
    assert.deepEqual(
      resources?.map(({ file_id, mount_path }) => mount_path === `/mnt/session/uploads/${file_id}`),
      [true, true],
    );
    await workbench().notification('notes.txt is /mnt/session/uploads/');
    assert.equal((await client().files.list()).items.length, 2);
    assert.equal((await sessions.events(id, 'user.message')).length, 1);
    // No notification, because the user sees the panel.
    assert.deepEqual(
      (await workbench().notifications()).filter(text => text.includes('needs you')),
      [],
    );
    await workbench().pictures('sessions-started');
  });

  it('tells once that a session that was started here waits, and leads there, also after a reload only once @ci', async () => {
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
    await item(/Needs approval, From the editor, (?:unread, )?bash make release/).waitFor();
    // The notifications of the first refresh appear before the second one has ended.
    await workbench().command('managedAgents.refresh');
    await workbench().command('managedAgents.refresh');
    assert.deepEqual(await workbench().notifications(), []);
  });

  it('takes the number of a version where the service lists none @nightly', async () => {
    emulator().setScenario({ faults: [{ name: 'notFound', route: 'agents.versions' }] });
    await workbench().runCommand('Managed Agents: Start Session', asks('Select an agent'));
    await questions.choose('Select an agent', 'Asks before it runs anything', asks(menu));
    await questions.choose(menu, 'latest, now', asks('This service lists no versions'));
    await workbench().screenshot('sessions-start-version');
    await questions.write('This service lists no versions', '1', `${offers('Version')}:has-text("1"):not(:has-text("latest"))`);
    await workbench().closePicker();
  });

  it('goes to what waits, the latest first @nightly', async () => {
    await workbench().runCommand('Managed Agents: Go to What Waits for You', tabOfSession('From the editor'));
    await workbench().runCommand('Managed Agents: Go to What Waits for You', tabOfSession('price of tea'));
    await workbench().screenshot('sessions-next-waiting');
  });

  it('begins a session with a prompt of several lines, written in an editor @ci', async () => {
    await workbench().runCommand('Managed Agents: Start Session', asks('Select an agent'));
    await questions.choose('Select an agent', 'Researcher', asks(menu));
    await questions.choose(menu, 'Write in an Editor', asks('beginning with what?'));
    await workbench().screenshot('sessions-start-prompts');
    await questions.choose(
      'beginning with what?',
      'review',
      '.editor-group-container.active .view-lines:has-text("and say what is missing.")',
    );
    // The placeholder is selected.
    await workbench().type('the plan');
    assert.equal(await workbench().activeText('the plan'), 'Review the plan\nand say what is missing.');
    await workbench().screenshot('sessions-start-editor');
    await workbench().codeLens('Start Session with This Message', asks(menu));
    assert.match((await workbench().quickPickTexts()).join('\n'), /Review the plan and say what is missing\./);
    // The tab of the document has the same name.
    await questions.choose(menu, 'Start Session', `${tabOfSession('Review the plan')}:not(${written})`);
    const frame = await panels.live('Review the plan');
    await frame.locator('.timelineArea').getByText('and say what is missing.').first().waitFor();
    const [session] = (await client().sessions.list({ limit: 1 })).items;
    const [message] = await sessions.events(session?.id ?? '', 'user.message');
    assert.deepEqual(message?.content, [{ type: 'text', text: 'Review the plan\nand say what is missing.' }]);
    // The document of the prompt closes once it is sent.
    await workbench().page.locator(written).waitFor({ state: 'detached' });
  });

  it('starts with a repository, files and a budget, keeps all of it when the service refuses, and writes the token nowhere @ci', async () => {
    const filesBefore = (await client().files.list()).items.length;
    await client().vaults.create({ display_name: 'Keys of the shop' });
    await workbench().runCommand('Managed Agents: Start Session', asks('Select an agent'));
    await questions.choose('Select an agent', 'Researcher', asks(menu));
    await questions.choose(menu, 'Title', asks('Title of the session; may be empty'));
    await questions.write('Title of the session; may be empty', 'With everything', offers('With everything'));
    await questions.choose(menu, 'Repositories', asks('Enter an address such as https://example.com/team/project'));
    await questions.write(address, 'http://example.com/acme/repo', says('Enter an address such as'));
    await questions.write(address, 'https://example.com/acme/repo.git', asks('Select what to check out'));
    await questions.choose('Select what to check out', 'A Branch...', asks('Enter the name of a branch'));
    await questions.write('Enter the name of a branch', 'main', asks('Folder in the session'));
    await questions.accept('Folder in the session', asks('Select how to enter the token'));
    await questions.choose('Select how to enter the token', 'Enter the Token', asks('Enter a token'));
    await workbench().waitFor('.quick-input-widget input[type="password"]');
    await questions.write('Enter a token', token, asks(repositories));
    await workbench().screenshot('session-resources-repositories');
    await questions.choose(repositories, 'Done', asks(menu));
    await questions.choose(menu, 'Memory Stores', asks(stores));
    await questions.choose(stores, 'Add Memory Stores', asks('Select memory stores'));
    await questions.tick('Team Notes');
    await questions.accept('Select memory stores', asks(stores));
    await questions.choose(stores, 'Team Notes', asks('Select an action'));
    await questions.choose(
      'Select an action',
      'Read Only',
      `${asks(stores)} .monaco-list-row:has-text("Team Notes"):has-text("read only")`,
    );
    await questions.choose(stores, 'Team Notes', asks('Select an action'));
    await questions.choose('Select an action', 'Take Out of the List', asks(stores));
    await questions.choose(stores, 'Done', asks(menu));
    await questions.choose(menu, 'Vaults', asks(vaults));
    await questions.choose(vaults, 'Add Vaults', asks('Select vaults'));
    await questions.tick('Keys of the shop');
    await questions.accept('Select vaults', asks(vaults));
    await questions.choose(vaults, 'Done', asks(menu));
    await questions.choose(menu, 'Files', asks('Which files should the session get?'));
    await questions.tick('notes.txt');
    await questions.accept('Which files should the session get?', offers('{0} files'));
    await questions.choose(menu, 'Budget', asks('Maximum cost in US dollars'));
    await questions.write(amount, '1.005', says('Enter an amount in US dollars'));
    await questions.write(amount, '1.50', offers('$1.50'));
    await workbench().screenshot('session-resources-start');
    // A service that doesn't support budgets.
    emulator().setScenario({ serverStyle: 'serverB' });
    await questions.choose(menu, 'Start Session', offers('Try Again'));
    assert.match((await workbench().quickPickTexts()).join('\n'), /budget: is not supported[\s\S]*With everything[\s\S]*repo/);
    // The list may be too short to show the row, so filter it.
    await workbench().fillInput('budget');
    await workbench().waitFor(offers('$1.50'));
    await workbench().fillInput('');
    await workbench().waitFor(offers('Try Again'));
    await workbench().screenshot('session-resources-refused');
    emulator().setScenario({ serverStyle: 'vendor' });
    await questions.choose(menu, 'Try Again', '.tab.active[aria-label*="With everything"]');
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
    const frame = await panels.live('With everything');
    assert.ok(!(await frame.content()).includes(token));
    await workbench().command('managedAgents.showJson', { connection: 'Lab', sessionId: id });
    assert.ok(!(await workbench().activeText('"sesn_')).includes(token));
  });

  it('begins a new session at a row of another, after a question that says what it is @nightly', async () => {
    const { id } = await sessions.create('Session first', 'hello once');
    const frame = await panels.open('Session first', id);
    const row = frame.getByRole('article').filter({ hasText: 'You wrote: "hello once"' }).first();
    await row.waitFor();
    const wish = 'What is it to do?';
    await workbench().untilSeen(asks(wish), async timeout => {
      await row.hover({ timeout });
      await row.getByRole('button', { name: 'Start Again From Here…' }).click({ timeout });
    });
    await questions.write(wish, 'hello again', '.monaco-dialog-box');
    assert.match(await workbench().dialogText(), /approximation: the service has no way to fork/);
    await workbench().screenshot('start-again');
    await workbench().dialogButton('Start Session');
    const again = await panels.live('Again: Session first');
    await again.getByText('hello again').first().waitFor();
    await workbench().screenshot('start-again-begun');
    const [made] = (await client().sessions.list()).items.filter(({ title }) => title === 'Again: Session first');
    const messages = await sessions.events(made?.id ?? '', 'user.message');
    assert.equal(messages.length, 1);
    assert.match(JSON.stringify(messages[0]), /go on from a point in an earlier one.*hello once.*hello again/);
  });

  it('runs one message on two versions of an agent, side by side, after a question that says that it costs twice @nightly', async () => {
    const { data: first } = await client().agents.create({ name: 'Twofold', model: 'vendor-sonnet-5' });
    await client().agents.update(first.id, { version: 1, description: 'Another one' });
    const message = 'First message, to both of them';
    await workbench().beginCommand(asks(message), 'managedAgents.session.runOnVersions', { connection: 'Lab', agentId: first.id }, [
      { connection: 'Lab', agentId: first.id, version: 2 },
      { connection: 'Lab', agentId: first.id, version: 1 },
    ]);
    await questions.write(message, 'hello both', '.monaco-dialog-box');
    assert.match(await workbench().dialogText(), /version 1 and version 2 of Twofold\?.*costs about twice as much as one/s);
    await workbench().screenshot('versions-question');
    await workbench().dialogButton('Start Two Sessions');
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
    await workbench().notificationButton('Both versions have the message.', 'Compare Sessions');
    await workbench().waitFor('.tab.active[aria-label*="hello both · v1 and hello both · v2"]');
  });

  it('starts no second session when the answer is lost and Enter is pressed again @ci', async () => {
    const before = (await client().sessions.list({ limit: 100 })).items.length;
    await workbench().runCommand('Managed Agents: Start Session', asks('Select an agent'));
    await questions.choose('Select an agent', 'Asks before it runs anything', asks(menu));
    await questions.choose(menu, 'Title', asks('Title of the session; may be empty'));
    await questions.write('Title of the session; may be empty', 'Lost and found', offers('Lost and found'));
    emulator().setScenario({ faults: [{ name: 'lostReplyAfterCommit', route: 'sessions.create', times: 1 }] });
    await questions.choose(menu, 'Start Session', offers('Open Lost and found'));
    const [first, second, , fourth] = await workbench().quickPickTexts();
    assert.match(first ?? '', /Open Lost and found/);
    assert.match(second ?? '', /Look Again/);
    assert.match(fourth ?? '', /Try Again[\s\S]*second session/);
    await workbench().waitFor('.quick-input-widget .monaco-list-row.focused:has-text("Open Lost and found")');
    await questions.choose('The session may have been started on', 'Open Lost and found', tabOfSession('Lost and found'));
    assert.equal((await client().sessions.list({ limit: 100 })).items.length, before + 1);
  });
});
