import assert from 'node:assert/strict';
import { manifestText } from '../../helpers/skillFiles';
import { WebhookEndpoint } from '../../helpers/webhookEndpoint';
import { eventuallyHolds } from '../eventually';
import { picker } from '../page/quickInputs';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, offers, Questions } from './questions';
import { plainTyping, tabOf, useWorkbench } from './workbench';
import { filesWithSecrets } from './writtenSecrets';

const key = 'local-test-key-0014';
const dialog = '.monaco-dialog-box';
const secretBox = `${picker} input[type="password"]`;
const typed = 'CANARY-vault-typed-41d7';
const skillFolder = 'skills/changelog-writer';
const manifest = `${skillFolder}/SKILL.md`;
const skillBody = '\n# How\n\nRead [the guide](docs/guide.md), then run `scripts/collect.py`.\n';
const lens = (words: string) => `.editor-group-container.active .codelens-decoration:has-text(${JSON.stringify(words)})`;
const difference = (name: string) => `.multiDiffEntry .header:has-text(${JSON.stringify(name)})`;
/** Test vector of the Standard Webhooks libraries. */
const delivery = [
  'webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp: 1614265330',
  'webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  '',
  '{"test": 2432232314}',
].join('\n');
const spring = {
  name: 'Spring',
  agent: 'agent_1',
  environment_id: 'env_1',
  schedule: { type: 'cron', expression: '30 25 * * *', timezone: 'Europe/Berlin' },
  initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Greet the shop' }] }],
};

/** One journey for the features of each kind. `resources.test.ts` covers the features that all kinds share. */
describe('kinds of resources', () => {
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({
    settings: {
      ...connectedTo(emulator()),
      ...plainTyping,
    },
    files: {
      'delivery.http': delivery,
      'clock.deployment.json': `${JSON.stringify(spring, null, 2)}\n`,
      [manifest]: manifestText('changelog-writer', skillBody),
      [`${skillFolder}/docs/guide.md`]: '# Guide\n',
      [`${skillFolder}/scripts/collect.py`]: 'print("collected")\n',
      [`${skillFolder}/node_modules/left/index.js`]: 'out\n',
    },
  }));
  const questions = new Questions(workbench);
  const place = new WebhookEndpoint();
  before('show the view', async () => {
    await workbench().setKey(key);
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Resources');
  });
  after('stop listening', () => place.close());
  afterEach('fold all rows', () => workbench().command('workbench.actions.treeView.managedAgents.resources.collapseAll'));

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const line = (text: string) => workbench().page.locator('.editor-group-container.active .view-line', { hasText: text }).first();
  const refresh = () => workbench().command('managedAgents.refresh');
  const unfold = (row: string, below: RegExp) => workbench().unfold(row, item(below));

  it('explains a schedule in a file with its next time, and its errors @ci', async () => {
    await workbench().openFile('clock.deployment.json');
    await workbench().page.locator('.squiggly-error').first().waitFor();
    assert.ok((await workbench().problems()).some(text => text.includes('"25"')));
    await workbench().command('workbench.action.closePanel');
    await workbench().replace('30 25 * * *', '30 2 * * *');
    await workbench().waitFor(lens('At 2:30'));
    await workbench().goTo(7, '    "expression": "30'.length);
    const hover = '.monaco-hover:visible:has-text("Sessions can start up to 9 min late")';
    await workbench().beginCommand(hover, 'editor.action.showHover');
    await eventuallyHolds(async () =>
      assert.match(await workbench().page.locator(hover).first().innerText(), /every day[\s\S]*Europe\/Berlin/),
    );
    await workbench().screenshot('deployments-clock');
    await workbench().replace('Europe/Berlin', 'Mars/Base');
    await workbench().page.locator('.squiggly-error').first().waitFor();
    assert.ok((await workbench().problems()).some(text => text.includes('Use an IANA time zone')));
  });

  it('adds a credential to a vault, one question after the other, and shows and writes its secret nowhere @ci', async () => {
    const { data: vault } = await client().vaults.create({ display_name: 'Team' });
    await refresh();
    await unfold('Vaults', /^Team/);
    await unfold('Team', /^None yet/);
    await workbench().treeMenu('Team', 'New...', asks('Add Credential to Team'));
    await workbench().screenshot('vaults-kinds');
    await questions.choose('Select a type', 'Bearer Token of an MCP Server', asks('Address of the MCP server'));
    await questions.write('Address of the MCP server', 'mcp.example.com', asks('Enter a URL that starts with https://'));
    await workbench().fillInput('https://mcp.example.com/issues');
    await questions.accept('Address of the MCP server', asks('Name'));
    await questions.write('Name', 'Issues', asks('Enter Secret'));
    await workbench().screenshot('vaults-secret-source');
    await questions.choose('Enter Secret', 'Enter Secret', secretBox);
    await workbench().untilSeen(item(/^Issues, bearer token, mcp\.example\.com\/issues/), async timeout => {
      const box = workbench().page.locator(secretBox);
      await box.fill(typed, { timeout });
      await box.press('Enter', { timeout });
    });
    const [made] = (await client().vaults.credentials(vault.id).list()).items;
    assert.deepEqual(made?.auth, { type: 'static_bearer', mcp_server_url: 'https://mcp.example.com/issues' });

    await workbench().treeMenu('Issues', 'Show as JSON', tabOf('Issues.json'));
    await line('"mcp_server_url"').waitFor();
    await workbench().treeMenu('Issues', 'Show Details', '.tab.active:has-text("Preview")');
    await workbench().webview('td:has-text("It can be rotated, but not read.")');
    await workbench().screenshot('vaults-details');

    assert.deepEqual(filesWithSecrets(workbench(), [typed]), []);
    assert.ok(!(await workbench().page.content()).includes(typed));
    assert.ok(!JSON.stringify(emulator().requests).includes(typed));
  });

  it('explains offline what is wrong with a delivery @nightly', async () => {
    await workbench().runCommand('Managed Agents: Verify Webhook Delivery', asks('Headers, a blank line, then the body'));
    await questions.choose('Headers, a blank line, then the body', 'From File...', asks('Select a file'));
    await questions.choose('Select a file', 'delivery.http', secretBox);
    const words = workbench().toast("The delivery isn't valid.");
    await questions.write('Signing secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', words);
    await eventuallyHolds(async () => assert.match(await words.innerText(), /days old. Receivers reject deliveries older than 5 minutes/));
    await workbench().screenshot('webhooks-verify');
    await workbench().clearNotifications();
  });

  it("registers this machine's webhook receiver, shows the secret once, and verified deliveries @ci", async () => {
    const told = workbench().toast('Listening at');
    await workbench().runCommand('Managed Agents: Start Webhook Receiver', told);
    await workbench().notificationButton('Listening at', 'Register Webhook...');
    await questions.accept('Endpoint URL', asks('Name'));
    await questions.write('Name', 'My receiver', asks('Select events'));
    const search = workbench()
      .page.locator(`${asks('Select events')} input[type="text"]`)
      .first();
    await workbench().untilSeen(offers('vault.created'), timeout => search.fill('vault.created', { timeout }));
    await questions.tick('vault.created');
    await questions.accept('Select events', dialog);
    assert.match(await workbench().dialogText(), /whsec_[\w+/]{43}=/);
    await workbench().dialogButton('Keep in VS Code');
    await workbench().unfold('Webhooks', item(/^My receiver, 127\.0\.0\.1:\d+, events: 1/));
    const [made] = (await client().webhooks.list()).items;
    assert.deepEqual(made?.enabled_events, ['vault.created']);

    await client().vaults.create({ display_name: 'Keys' });
    await emulator().advanceClock(0);
    await item(/^vault\.created, verified/).waitFor();
    await workbench().screenshot('webhooks-deliveries');
    await workbench().clickTreeRow('vault.created', '.tab.active:has-text("vault.created")');
    await line('webhook-signature').waitFor();
  });

  it('sends a delivery again, and verifies with the signing secret that was regenerated after a question @nightly', async () => {
    const own = await place.open();
    await unfold('Webhooks', /^My receiver/);
    await unfold('Webhook Deliveries', /^vault\.created/);
    await workbench().treeMenu('vault.created', 'Send Delivery Again', asks('Local address to send to'));
    await questions.write('Local address to send to', own, workbench().toast('Delivered to'));
    const [again] = place.taken;
    assert.equal(JSON.parse(again?.body ?? '{}').data.type, 'vault.created');
    await workbench().clearNotifications();

    await workbench().treeMenu('My receiver', 'Regenerate Signing Secret', dialog);
    assert.match(await workbench().dialogText(), /The old secret stops working/);
    await workbench().screenshot('webhooks-regenerate');
    await workbench().dialogButton('Regenerate Secret');
    await workbench().waitFor(`${dialog}:has-text("The signing secret of My receiver")`);
    assert.match(await workbench().dialogText(), /whsec_[\w+/]{43}=/);
    await workbench().dialogButton('Keep in VS Code');
    await client().vaults.create({ display_name: 'More keys' });
    await emulator().advanceClock(0);
    const verified = workbench().page.getByRole('treeitem', { name: /^vault\.created, verified/ });
    await verified.nth(1).waitFor();
    assert.equal(
      await workbench()
        .page.getByRole('treeitem', { name: /^vault\.created/ })
        .count(),
      2,
    );
  });

  it('disables an endpoint after a question, and enables it again @nightly', async () => {
    await unfold('Webhooks', /^My receiver/);
    await workbench().treeMenu('My receiver', 'Disable', dialog);
    assert.match(await workbench().dialogText(), /never delivered/);
    await workbench().dialogButton('Disable');
    await item(/^My receiver, disabled: by a user/).waitFor();
    await workbench().treeMenu('My receiver', 'Enable Webhook', item(/^My receiver, 127/));
    await workbench().untilGone('.part.sidebar .monaco-list-row:has-text("Webhook Deliveries")', timeout =>
      workbench().runCommandOnce('Managed Agents: Stop Webhook Receiver', timeout),
    );
  });

  it('uploads a folder as a new skill after a question, compares it file by file, and uploads a new version @ci', async () => {
    await unfold('Skills', /^None yet/);
    await workbench().openFile(manifest);
    await workbench().codeLens('Upload as New Skill', dialog);
    const asked = await workbench().dialogText();
    for (const words of ['as a new skill?', 'Connection: Lab (127.0.0.1', `Folder: ${skillFolder}`, 'Files: 3', 'Left out: node_modules']) {
      assert.ok(asked.includes(words), asked);
    }
    await workbench().screenshot('skill-upload');
    await workbench().dialogButton('Upload');
    await workbench().toast('Uploaded changelog-writer').waitFor();
    await item(/^changelog-writer, now/).waitFor();
    await workbench().waitFor(lens('Compare with Latest'));
    assert.equal(await workbench().count(lens('Upload as New Skill')), 0);
    const [skill] = (await client().skills.list()).items;
    assert.equal(skill?.display_title, 'changelog-writer');
    await workbench().screenshot('skill-uploaded');

    workbench().writeFile(manifest, manifestText('changelog-writer', `${skillBody}\nBe brief.\n`));
    await workbench().activeText('Be brief');
    workbench().writeFile(`${skillFolder}/docs/more.md`, '# More\n');
    await workbench().codeLens('Compare with Latest', difference('more.md'));
    await workbench().waitFor(difference('SKILL.md'));
    assert.equal(await workbench().count(difference('guide.md')), 0);
    // The difference has one changed file and no renamed file.
    assert.equal(await workbench().count(difference('skillVersion')), 0);
    await workbench().screenshot('skill-compare');

    await workbench().clearNotifications();
    await workbench().openFile(manifest);
    await workbench().codeLens('Upload as New Version', dialog);
    assert.match(await workbench().dialogText(), /as a new version of the skill changelog-writer\?[\s\S]*Files: 4/);
    await workbench().dialogButton('Upload');
    await workbench().toast('Uploaded changelog-writer').waitFor();
    const versions = await client()
      .skills.versions(skill?.id ?? '')
      .list();
    assert.equal(versions.items.length, 2);
  });

  it("saves an edited memory, merges it with another writer's text, and overwrites only on request @ci", async () => {
    const [store] = (await client().memoryStores.list()).items;
    const memories = client().memoryStores.memories(store?.id ?? '');
    const { data: memory } = await memories.create({ path: '/shared.md', content: 'first\n\nmiddle\n\nlast\n' });
    const content = async () => (await memories.retrieve(memory.id)).data.content;
    const typeAt = async (row: number, text: string) => {
      await workbench().goTo(row);
      await workbench().type(text);
      await line(text.trim()).waitFor();
    };
    await unfold('Memory Stores', /^Team Notes/);
    await unfold('Team Notes', /^shared\.md/);
    await workbench().clickTreeRow('shared.md', tabOf('shared.md'));
    await typeAt(3, 'the ');
    await workbench().save();
    await eventuallyHolds(async () => assert.equal(await content(), 'first\n\nthe middle\n\nlast\n'));
    await workbench().screenshot('memories-document');
    await typeAt(5, 'mine: ');
    // The size stays the same, so VS Code doesn't notice the change. The service refuses the save.
    await memories.update(memory.id, { content: 'other\n\nthe middle\n\nlast\n' });
    await workbench().beginCommand(asks('has changed on the service'), 'workbench.action.files.save');
    await workbench().screenshot('memories-conflict');
    assert.equal(await content(), 'other\n\nthe middle\n\nlast\n');
    await questions.choose('has changed on the service', 'Merge', line('other'));
    await eventuallyHolds(async () => assert.equal(await content(), 'other\n\nthe middle\n\nmine: last\n'));
    const isSaved = '.editor-group-container.active .tab.active:not(.dirty)';
    await workbench().waitFor(isSaved);
    await workbench().clearNotifications();
    await typeAt(5, 'all ');
    await memories.update(memory.id, { content: 'theirs\n' });
    await workbench().beginCommand(workbench().toast('Failed to save'), 'workbench.action.files.save');
    await workbench().screenshot('memories-newer');
    assert.equal(await content(), 'theirs\n');
    await workbench().untilSeen(isSaved, () => workbench().notificationButton('Failed to save', 'Overwrite'));
    await eventuallyHolds(async () => assert.equal(await content(), 'other\n\nthe middle\n\nall mine: last\n'));
  });
});
