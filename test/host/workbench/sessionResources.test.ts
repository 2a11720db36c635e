import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, offers, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { stopAtFailure } from './stopAtFailure';
import { tabOf, useWorkbench } from './workbench';
import { filesWithSecrets } from './writtenSecrets';

const key = 'local-test-key-0020';
const newToken = 'CANARY-that-came-after-91bc';
const amount = '2.50';
const list = 'Resources of';
const dialog = '.monaco-dialog-box';
const says = (words: string) => `.quick-input-widget .quick-input-message:has-text(${JSON.stringify(words)})`;

describe("a session's resources @nightly", function () {
  // Each test continues with the same session.
  stopAtFailure(this);
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({
    settings: connectedTo(emulator()),
    files: { 'docs/plan.md': '# Plan\n' },
  }));
  const questions = new Questions(workbench);
  const panels = new SessionPanels(workbench);
  before('start a session with a repository, a file, a vault and a budget', async () => {
    await workbench().setKey(key);
    const { data: vault } = await client().vaults.create({ display_name: 'Keys of the shop' });
    const content = {
      byteLength: 1,
      async *open() {
        yield Buffer.from('1');
      },
    };
    const { data: file } = await client().files.upload({ name: 'notes.txt', content });
    const agent = (await client().agents.list()).items.find(({ name }) => name === 'Researcher');
    const [environment] = (await client().environments.list()).items;
    await client().sessions.create({
      ...{ agent: agent?.id ?? '', environment_id: environment?.id, title: 'With everything', vault_ids: [vault.id] },
      budget: { type: 'limit', max_list_cost: { amount: '150', currency: 'USD' } },
      resources: [
        { type: 'file', file_id: file.id },
        { type: 'git_repository', url: 'https://example.com/acme/repo.git', authorization_token: 'token', mount_path: '/workspace/repo' },
      ],
    });
  });

  const fact = (frame: Frame, name: string) => frame.locator('.header-fact', { has: frame.getByText(name, { exact: true }) });
  const button = (frame: Frame, name: string) => frame.getByRole('button', { name, exact: true });
  const only = async () => {
    const [session] = (await client().sessions.list({ limit: 1 })).items;
    assert.equal(session?.title, 'With everything');
    return session;
  };

  /** Opens the panel of the session with its details. */
  async function openDetails(id: string): Promise<Frame> {
    const frame = await panels.open('With everything', id);
    const facts = fact(frame, 'Resources');
    if (!(await facts.isVisible())) {
      await workbench().click(button(frame, 'Show Session Details'), facts);
    }
    return frame;
  }

  /** Answers the questions about a token. */
  async function giveToken(value: string, effect: string): Promise<void> {
    await questions.choose('Enter a token', 'Enter Secret', '.quick-input-widget input[type="password"]');
    await questions.write('Enter a token', value, effect);
  }

  it('appear in the panel, which adds a file, and removes it after a question', async () => {
    const { id } = await only();
    const frame = await openDetails(id);
    await frame.getByTitle('Cost').getByText('of $1.50').waitFor();
    await fact(frame, 'Resources').getByText('3 attached').waitFor();
    await workbench().click(fact(frame, 'Resources').locator('summary'), fact(frame, 'Resources').getByText('/workspace/repo'));
    await workbench().screenshot('session-resources-panel');
    await workbench().click(button(frame, 'Session Resources...'), asks(list));
    await workbench().screenshot('session-resources-list');
    await questions.choose(list, 'Add Files', asks('Select files for the session'));
    await questions.tick('plan.md');
    await questions.accept('Select files for the session', asks('Folder in the session'));
    await questions.write('Folder in the session', '/in', offers('/in/docs/plan.md'));
    await fact(frame, 'Resources').getByText('4 attached').waitFor();
    await questions.choose(list, '/in/docs/plan.md', asks('Select an action'));
    await workbench().screenshot('session-resources-acts');
    await questions.choose('Select an action', 'Remove from Session', dialog);
    await workbench().dialogButton('Remove');
    await workbench().waitFor(offers('notes.txt'));
    await workbench().waitForNone(offers('/in/docs/plan.md'));
    await fact(frame, 'Resources').getByText('3 attached').waitFor();
  });

  it('get a new repository token, which is written nowhere', async () => {
    const { id, resources } = await only();
    const repository = resources?.find(({ type }) => type === 'git_repository')?.id ?? '';
    await emulator().advanceClock(60_000);
    await workbench().beginCommand(asks(list), 'managedAgents.session.resources', { connection: 'Lab', sessionId: id });
    await questions.choose(list, '/workspace/repo', asks('Select an action'));
    await questions.choose('Select an action', 'Rotate Token', asks('Enter a token'));
    await giveToken(newToken, offers('Add Repository'));
    const { data } = await client().sessions.retrieveResource(id, repository);
    assert.notEqual(data.updated_at, data.created_at);
    // The extension shows an error of the service, and opens the list again.
    await questions.choose(list, 'Add Repository', asks('Enter an address such as https://example.com/team/project'));
    await questions.write(
      'Enter an address such as https://example.com/team/project',
      'https://example.com/acme/late',
      asks('Branch or commit'),
    );
    await questions.accept('Branch or commit', asks('Folder in the session'));
    await questions.accept('Folder in the session', asks('Enter a token'));
    await giveToken(newToken, offers('Add Repository'));
    await workbench().notification("Couldn't add the repository.");
    await workbench().closePicker();
    assert.deepEqual(filesWithSecrets(workbench(), [newToken]), []);
  });

  it('include the budget, which is raised above the cost, and removed after a question', async () => {
    const { id } = await only();
    const frame = await openDetails(id);
    await sessions.say(id, 'spend 60');
    await frame.getByTitle('Cost').getByText('$0.61 of $1.50').waitFor();
    await workbench().click(button(frame, 'Change Budget...'), asks('$0.61 of $1.50 spent.'));
    await workbench().screenshot('session-resources-budget');
    await questions.write(amount, '0.10', says('Enter more than'));
    await questions.write(amount, '5', frame.getByTitle('Cost').getByText('of $5.00'));
    await workbench().click(button(frame, 'Change Budget...'), asks('of $5.00 spent.'));
    await questions.write('of $5.00 spent.', '', dialog);
    await workbench().dialogButton('Remove');
    await fact(frame, 'Budget').waitFor({ state: 'detached' });
    assert.equal((await only()).budget, null);
  });

  it("include the session's files, which open", async () => {
    const { id } = await only();
    const frame = await openDetails(id);
    await sessions.say(id, 'file report.md');
    await fact(frame, 'Output files').getByText('57 B').waitFor();
    await workbench().screenshot('session-resources-made');
    await workbench().click(button(frame, 'Open report.md'), tabOf('report.md'));
    assert.match(await workbench().activeText('Made by session'), /# Report/);
  });
});
