import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { isWrittenDown } from '../inPage.mjs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, offers, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0020';
const token = 'CANARY-of-the-repository-7f3a';
const newToken = 'CANARY-that-came-after-91bc';
const menu = 'Enter starts the session on';
const repositories = 'Repositories that the session gets';
const stores = 'Memory stores are attached when the session is started, and stay';
const vaults = 'The session can use the credentials of these vaults';
/** Words on what is wrong take the place of a question, and leave its placeholder. */
const address = 'https://example.com/team/project';
const amount = '2.50';
const list = 'Choose one to see what can be done with it';
const dialog = '.monaco-dialog-box';
const says = (words: string) => `.quick-input-widget .quick-input-message:has-text(${JSON.stringify(words)})`;

describe('what belongs to a session', function () {
  // Each test goes on with the session of the first.
  this.bail(true);
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({
    settings: connectedTo(emulator()),
    files: { 'docs/plan.md': '# Plan\n', 'notes.txt': 'Notes of the workspace.\n' },
  }));
  const questions = new Questions(workbench);
  const panels = new SessionPanels(workbench);
  before('give the key, and make a vault', async () => {
    await workbench().setKey(key);
    await client().vaults.create({ display_name: 'Keys of the shop' });
  });

  const fact = (frame: Frame, name: string) => frame.locator('.header-fact', { has: frame.getByText(name, { exact: true }) });
  const button = (frame: Frame, name: string) => frame.getByRole('button', { name, exact: true });
  const only = async () => {
    const [session] = (await client().sessions.list({ limit: 1 })).items;
    assert.equal(session?.title, 'With everything');
    return session;
  };

  /** Answers what is asked of a token. */
  async function giveToken(value: string, effect: string): Promise<void> {
    await questions.choose('How do you give the token?', 'Enter the Token', asks('Token that may read the repository'));
    await workbench().waitFor('.quick-input-widget input[type="password"]');
    await questions.write('Token that may read the repository', value, effect);
  }

  it('starts with a repository, files and a budget, and keeps all of it when the service refuses', async () => {
    await workbench().runCommand('Managed Agents: Start Session', asks('Start a session of which agent?'));
    await questions.choose('Start a session of which agent?', 'Researcher', asks(menu));
    await questions.choose(menu, 'Title', asks('Title of the session; may be empty'));
    await questions.write('Title of the session; may be empty', 'With everything', offers('With everything'));
    await questions.choose(menu, 'Repositories', asks('Address of the repository'));
    await questions.write(address, 'http://example.com/acme/repo', says('begins with https://'));
    await questions.write(address, 'https://example.com/acme/repo.git', asks('What of repo is checked out?'));
    await questions.choose('What of repo is checked out?', 'A Branch...', asks('Name of the branch'));
    await questions.write('Name of the branch', 'main', asks('Folder for the repository in the session'));
    await questions.accept('Folder for the repository in the session', asks('How do you give the token?'));
    await giveToken(token, asks(repositories));
    await workbench().screenshot('session-resources-repositories');
    await questions.choose(repositories, 'Done', asks(menu));
    await questions.choose(menu, 'Memory Stores', asks(stores));
    await questions.choose(stores, 'Add Memory Stores', asks('Which memory stores should the session get?'));
    await questions.tick('Team Notes');
    await questions.accept('Which memory stores should the session get?', asks(stores));
    await questions.choose(stores, 'Team Notes', asks('What may the agent do with Team Notes?'));
    await questions.choose(
      'What may the agent do with Team Notes?',
      'Read Only',
      `${asks(stores)} .monaco-list-row:has-text("Team Notes"):has-text("read only")`,
    );
    await questions.choose(stores, 'Team Notes', asks('What may the agent do with Team Notes?'));
    await questions.choose('What may the agent do with Team Notes?', 'Take Out of the List', asks(stores));
    await questions.choose(stores, 'Done', asks(menu));
    await questions.choose(menu, 'Vaults', asks(vaults));
    await questions.choose(vaults, 'Add Vaults', asks('Which vaults should the session get?'));
    await questions.tick('Keys of the shop');
    await questions.accept('Which vaults should the session get?', asks(vaults));
    await questions.choose(vaults, 'Done', asks(menu));
    await questions.choose(menu, 'Files', asks('Which files should the session get?'));
    await questions.tick('notes.txt');
    await questions.accept('Which files should the session get?', offers('1 file'));
    await questions.choose(menu, 'Budget', asks('Most that the session may cost'));
    await questions.write(amount, '1.005', says('at most two decimals'));
    await questions.write(amount, '1.50', offers('$1.50'));
    await workbench().screenshot('session-resources-start');
    // A service of another kind, which knows no budgets.
    emulator().setScenario({ serverStyle: 'serverB' });
    await questions.choose(menu, 'Start Session', offers('Try Again'));
    assert.match((await workbench().quickPickTexts()).join('\n'), /budget: is not supported[\s\S]*With everything[\s\S]*repo/);
    // The list shows as many rows as there is room for.
    await workbench().fillInput('budget');
    await workbench().waitFor(offers('$1.50'));
    await workbench().fillInput('');
    await workbench().waitFor(offers('Try Again'));
    await workbench().screenshot('session-resources-refused');
    emulator().setScenario({ serverStyle: 'vendor' });
    await questions.choose(menu, 'Try Again', '.tab.active[aria-label*="With everything"]');
    const { resources, budget, vault_ids: used } = await only();
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
    // What was uploaded for the attempt that failed is not uploaded again.
    assert.equal((await client().files.list()).items.length, 1);
  });

  it('shows them in the panel, adds a file, and removes it after a question', async () => {
    const { id } = await only();
    const frame = await panels.open('With everything', id);
    await fact(frame, 'Cost').getByText('of $1.50').waitFor();
    await fact(frame, 'Resources').getByText('3 attached').waitFor();
    await workbench().click(fact(frame, 'Resources').locator('summary'), fact(frame, 'Resources').getByText('/workspace/repo'));
    await workbench().pictures('session-resources-panel');
    await workbench().click(button(frame, 'Session Resources…'), asks(list));
    await workbench().screenshot('session-resources-list');
    await questions.choose(list, 'Add Files', asks('Which files should the session get?'));
    await questions.tick('plan.md');
    await questions.accept('Which files should the session get?', asks('Folder for the files in the session'));
    await questions.write('Folder for the files in the session', '/in', offers('/in/docs/plan.md'));
    await fact(frame, 'Resources').getByText('4 attached').waitFor();
    await questions.choose(list, '/in/docs/plan.md', asks('What should be done with plan.md?'));
    await workbench().screenshot('session-resources-acts');
    await questions.choose('What should be done with plan.md?', 'Remove from the Session', dialog);
    await workbench().dialogButton('Remove');
    await workbench().waitFor(offers('notes.txt'));
    await workbench().waitForNone(offers('/in/docs/plan.md'));
    await fact(frame, 'Resources').getByText('3 attached').waitFor();
  });

  it('gives a repository a new token', async () => {
    const { id, resources } = await only();
    const repository = resources?.find(({ type }) => type === 'git_repository')?.id ?? '';
    await emulator().advanceClock(60_000);
    await workbench().beginCommand(asks(list), 'managedAgents.session.resources', { connection: 'Lab', sessionId: id });
    await questions.choose(list, '/workspace/repo', asks('What should be done with repo?'));
    await questions.choose('What should be done with repo?', 'Rotate Token', asks('How do you give the token?'));
    await giveToken(newToken, asks(list));
    const { data } = await client().sessions.retrieveResource(id, repository);
    assert.notEqual(data.updated_at, data.created_at);
    // What the service refuses is told, and the list comes back.
    await questions.choose(list, 'Add a Repository', asks('Address of the repository'));
    await questions.write('Address of the repository', 'https://example.com/acme/late', asks('What of late is checked out?'));
    await questions.choose('What of late is checked out?', 'Default Branch', asks('Folder for the repository in the session'));
    await questions.accept('Folder for the repository in the session', asks('How do you give the token?'));
    await giveToken(newToken, asks(list));
    await workbench().notification('The repository was not added. Many services take one only when a session is started.');
    await workbench().closePicker();
  });

  it('raises the budget to more than what is spent, and takes it away after a question', async () => {
    const { id } = await only();
    const frame = await panels.open('With everything', id);
    await sessions.say(id, 'spend 60');
    await fact(frame, 'Cost').getByText('$0.61 of $1.50').waitFor();
    await workbench().click(button(frame, 'Change Budget…'), asks('$0.61 of $1.50 spent.'));
    await workbench().screenshot('session-resources-budget');
    await questions.choose('of $1.50 spent.', 'Raise or Lower', asks('Most that the session may cost'));
    await questions.write(amount, '0.10', says('more than what is spent already'));
    await questions.write(amount, '5', fact(frame, 'Cost').getByText('of $5.00'));
    await workbench().click(button(frame, 'Change Budget…'), asks('of $5.00 spent.'));
    await questions.choose('of $5.00 spent.', 'Take the Budget Away', dialog);
    await workbench().dialogButton('Take Away');
    await frame.locator('.header-budget').waitFor({ state: 'detached' });
    assert.equal((await only()).budget, null);
  });

  it('opens what the session made', async () => {
    const { id } = await only();
    const frame = await panels.open('With everything', id);
    await sessions.say(id, 'file report.md');
    await fact(frame, 'Made').getByText('57 B').waitFor();
    await workbench().pictures('session-resources-made');
    await workbench().click(button(frame, 'Open report.md'), tabOf('report.md'));
    assert.match(await workbench().activeText('Made by session'), /# Report/);
  });

  it('has written a token nowhere', async () => {
    const user = path.dirname(workbench().logs);
    const files = readdirSync(user, { recursive: true, withFileTypes: true }).filter(file => file.isFile());
    const holds = files.filter(({ parentPath, name }) => contentsOf(path.join(parentPath, name)).includes('CANARY-'));
    assert.ok(files.some(({ name }) => name.endsWith('.log')));
    assert.deepEqual(
      holds.map(({ name }) => name),
      [],
    );
    assert.equal(await workbench().page.evaluate(isWrittenDown, { text: 'CANARY-', isPanel: false }), false);
    const { id } = await only();
    const frame = await panels.open('With everything', id);
    assert.doesNotMatch(await frame.content(), /CANARY-/);
    await workbench().command('managedAgents.session.showJson', { connection: 'Lab', sessionId: id });
    assert.doesNotMatch(await workbench().activeText('"sesn_'), /CANARY-/);
  });
});

/** What a file holds; nothing when VS Code took it away meanwhile. */
function contentsOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
