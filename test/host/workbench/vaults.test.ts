import assert from 'node:assert/strict';
import path from 'node:path';
import { picker } from '../page/quickInputs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { SessionPanels } from './sessionPanels';
import { useWorkbench } from './workbench';
import { filesWithSecrets } from './writtenSecrets';

const key = 'local-test-key-0014';
const secretBox = `${picker} input[type="password"]`;
const rotated = 'CANARY-vault-rotated-expired-90be';
const ofVariable = 'CANARY-vault-variable-7f02';

describe('vaults in the Resources view @nightly', () => {
  const emulator = useEmulator({ key });
  const client = useClient(emulator);
  const served = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: { ...connectedTo(emulator()), 'files.autoSave': 'off' } }));
  const questions = new Questions(workbench);
  const panels = new SessionPanels(workbench);

  before('list a vault with a credential', async () => {
    await workbench().setKey(key);
    const { data: vault } = await client().vaults.create({ display_name: 'Team' });
    const auth = { type: 'static_bearer', mcp_server_url: 'https://mcp.example.com/issues', token: 'not typed here' };
    await client().vaults.credentials(vault.id).create({ display_name: 'Issues', auth });
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Resources');
    await workbench().unfold('Vaults', item(/^Team/));
    await workbench().unfold('Team', item(/^Issues/));
  });

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const title = (words: string) => asks(words);
  const vaultId = async () => (await client().vaults.list()).items.find(({ display_name: name }) => name === 'Team')?.id ?? '';

  /** Types a secret into the password input, until `effect` is visible. */
  async function typeSecret(secret: string, effect: Parameters<Questions['write']>[2]): Promise<void> {
    await questions.choose('Enter Secret', 'Enter Secret', secretBox);
    await workbench().untilSeen(effect, async timeout => {
      const box = workbench().page.locator(secretBox);
      await box.fill(secret, { timeout });
      await box.press('Enter', { timeout });
    });
  }

  it('ask for the hosts of an environment variable, and change them', async () => {
    await workbench().treeMenu('Team', 'New...', title('Add Credential to Team'));
    await questions.choose('Select a type', 'Environment Variable of Sessions', asks('Name of the environment variable'));
    await questions.write('Name of the environment variable', 'API_TOKEN', `${asks('Name')}:not(:has-text("environment variable"))`);
    await questions.write('Name', 'API token', asks('Allowed hosts'));
    await questions.choose('Allowed hosts', 'Only to Hosts You Choose', asks('Hosts, separated by commas'));
    await questions.write('Hosts, separated by commas', '::1', asks("isn't a host name"));
    await workbench().fillInput('api.example.com');
    await questions.accept('Hosts, separated by commas', asks('Select where the secret is sent'));
    await questions.choose('Select where the secret is sent', 'Headers', asks('Enter Secret'));
    await typeSecret(ofVariable, item(/^API token, environment variable, API_TOKEN, to api\.example\.com/));
    await workbench().treeMenu('API token', 'Edit...', title('Edit API token'));
    await questions.choose('Select what to edit', 'Hosts', asks('Allowed hosts'));
    await questions.choose('Allowed hosts', 'Only to Hosts You Choose', asks('Hosts, separated by commas'));
    await questions.write('Hosts, separated by commas', 'api.example.com, *.example.org', item(/^API token, .*to 2 hosts/));
    await workbench().screenshot('vaults-list');
  });

  it('validate an OAuth credential, show the error, and ask for another secret', async () => {
    const auth = {
      type: 'mcp_oauth',
      mcp_server_url: 'https://mcp.example.org/mcp',
      access_token: 'fine',
      expires_at: '2099-01-01T00:00:00Z',
    };
    await client()
      .vaults.credentials(await vaultId())
      .create({ display_name: 'Sign-in', auth });
    await workbench().command('managedAgents.refresh');
    await item(/^Sign-in, expires .*, OAuth/).waitFor();
    await workbench().treeMenu('Sign-in', 'Validate Credential', item(/^Sign-in, valid/));
    await workbench().toast('Sign-in is valid.').waitFor();
    await workbench().clearNotifications();
    await workbench().treeMenu('Sign-in', 'Rotate Credential', title('Rotate Sign-in'));
    await typeSecret(rotated, asks('Expiration, such as'));
    await questions.accept('Expiration, such as', workbench().toast('Secret of Sign-in rotated'));
    await item(/^Sign-in, OAuth/).waitFor();
    await workbench().clearNotifications();
    await workbench().treeMenu('Sign-in', 'Validate Credential', item(/^Sign-in, invalid/));
    await workbench().toast('The server rejected Sign-in. Response to "initialize": 401 invalid_token').waitFor();
    await workbench().screenshot('vaults-invalid');
    await workbench().notificationButton('The server rejected Sign-in', 'Rotate Credential...');
    await workbench().waitFor(title('Rotate Sign-in'));
    await workbench().closePicker();
    await workbench().clearNotifications();
  });

  it('read a secret from an environment variable, by name and without showing it', async () => {
    await workbench().treeMenu('Sign-in', 'Rotate Credential', title('Rotate Sign-in'));
    await questions.choose('Enter Secret', 'Use Environment Variable', asks('Name of the environment variable'));
    const offered = await workbench().texts(`${picker} .monaco-list-row`);
    assert.ok(offered.length > 1);
    assert.deepEqual(
      offered.filter(text => text.includes(path.sep)),
      [],
    );
    await questions.choose('Name of the environment variable', 'HOME', asks('Expiration, such as'));
    await questions.accept('Expiration, such as', workbench().toast('Secret of Sign-in rotated'));
    await item(/^Sign-in, OAuth/).waitFor();
    await workbench().clearNotifications();
    await workbench().treeMenu('Sign-in', 'Validate Credential', item(/^Sign-in, valid/));
    await workbench().clearNotifications();
  });

  it("lead from a session's error to the credential that fixes it", async () => {
    const vault = await vaultId();
    const { items: agents } = await client().agents.list();
    const agent = agents.find(({ name }) => name === 'Researcher')?.id ?? '';
    const [environment] = (await client().environments.list()).items;
    const { data } = await client().sessions.create({ agent, environment_id: environment?.id, title: 'Locked out', vault_ids: [vault] });
    await served.say(data.id, 'locked');
    const frame = await panels.open('Locked out', data.id);
    await workbench().screenshot('vaults-session-error');
    await workbench().click(frame.getByRole('button', { name: 'Fix Credential' }), asks('Credential Issues'));
    await workbench().closePicker();
  });

  it('left no secret in what VS Code wrote, logged or shows', async () => {
    const secrets = [rotated, ofVariable];
    assert.deepEqual(filesWithSecrets(workbench(), secrets), []);
    const shown = await workbench().page.content();
    for (const secret of secrets) {
      assert.ok(!shown.includes(secret));
      assert.ok(!JSON.stringify(emulator().requests).includes(secret));
    }
  });
});
