import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { eventually } from '../eventually';
import { picker } from '../page/quickInputs';
import { useEmulator } from './emulator';
import { asks, offers, Questions } from './questions';
import { stopAtFailure } from './stopAtFailure';
import { allText, userFolder, userSettings } from './userProfile';
import { useWorkbench } from './workbench';

const rightKey = 'sk-canary-4711-right';
const wrongKey = 'sk-canary-0815-wrong';
const statusBar = '.statusbar-item[id$="managedAgents.connection"]';
const keyBox = `${picker} input[type="password"]`;
const address = 'https://agents.example.com';
const naming = 'Add Connection (3/3)';
const which = 'Select a connection';

/** Starts a web server that isn't a service, and reserves a port at which nothing listens. */
function useOtherServers() {
  const server = http.createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'));
  let holder: net.Socket | undefined;
  const portOf = () => (server.address() as AddressInfo).port;
  before('start other servers', async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // While this connection is open, no other process can get or listen on its local port.
    holder = net.connect(portOf(), '127.0.0.1');
    await once(holder, 'connect');
  });
  after('stop the other servers', async () => {
    holder?.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { html: () => `http://127.0.0.1:${portOf()}`, closed: () => `http://127.0.0.1:${holder?.localPort}` };
}

describe('a connection @ci', function () {
  // Each test continues with the settings of the previous test.
  stopAtFailure(this);
  const contract = useEmulator({ key: rightKey });
  const vendor = useEmulator({ key: rightKey, dialect: 'anthropic-2023' });
  const { html, closed } = useOtherServers();
  const workbench = useWorkbench({ files: { 'notes.txt': 'x' } });
  const questions = new Questions(workbench);

  /** Writes a text into the input of a question, and waits for the message below the input. */
  async function expectMessage(question: string, text: string, message: string): Promise<void> {
    const input = workbench()
      .page.locator(`${asks(question)} .quick-input-box input`)
      .first();
    await workbench().untilSeen(`.quick-input-message:has-text("${message}")`, timeout => input.fill(text, { timeout }));
  }

  async function test(result: string): Promise<void> {
    await workbench().runCommand('Managed Agents: Test Connection', asks(which));
    await questions.choose(which, 'Team', workbench().toast(result));
  }

  const settled = (setting: string, value: unknown) =>
    eventually(() => JSON.stringify(userSettings(workbench())[setting]) === JSON.stringify(value));

  it('is set up with errors for an address, a key, and a service, keeps its input, and is saved with a name @floor', async () => {
    await workbench().openViewContainer('Managed Agents');
    await workbench().waitFor('.welcome-view-content:has-text("Try It with a Sample")');
    await workbench().screenshot('connection-welcome');
    await workbench().welcomeButton('add your service', asks(address));
    await expectMessage(address, 'https://sk-x@host.example', 'Remove keys, user names and parameters');
    await workbench().screenshot('connection-add-address');
    await expectMessage(address, 'ftp://host.example', 'Enter an address such as');
    await questions.write(address, closed(), keyBox);
    await expectMessage('API key', 'sk-a b', 'Remove spaces');
    await workbench().screenshot('connection-add-key');
    const refused = 'No response from this host and port.';
    await questions.write('API key', wrongKey, asks(refused));
    await workbench().screenshot('connection-add-refused');
    await questions.choose(refused, 'Change Address', asks(address));
    await workbench().inputHolds(closed());
    await questions.write(address, html(), keyBox);
    await workbench().inputHolds(wrongKey);
    const other = 'No supported service found';
    await questions.accept('API key', asks(other));
    await workbench().screenshot('connection-add-html');
    await questions.choose(other, 'Change Address', asks(address));
    await questions.write(address, vendor().url, keyBox);
    const wrong = 'The service rejected the API key.';
    await questions.accept('API key', asks(wrong));
    await workbench().screenshot('connection-add-wrong-key');
    await questions.choose(wrong, 'Enter Another API Key', keyBox);
    await questions.write('API key', rightKey, asks(naming));
    await workbench().screenshot('connection-add-found');
    await workbench().inputHolds(new URL(vendor().url).host);
    await expectMessage(naming, 'Emulator', 'already in use');
    await questions.write(naming, 'Team', workbench().toast('"Team" is ready'));
    await workbench().statusBarItem('Team');
    await workbench().screenshot('connection-ready');
    assert.deepEqual(userSettings(workbench())['managedAgents.connections'], {
      Team: { baseUrl: vendor().url, auth: 'x-api-key', dialect: 'anthropic-2023' },
    });
    assert.equal(userSettings(workbench())['managedAgents.connection'], 'Team');
  });

  it('is set up step by step, also backwards, and leaves nothing behind on Escape @nightly', async () => {
    const plain = "Plain http isn't encrypted";
    await workbench().runCommand('Managed Agents: Add Connection...', asks(address));
    await questions.write(address, 'http://agents.example.com', asks(plain));
    await workbench().screenshot('connection-add-insecure');
    await workbench().click('.quick-input-titlebar .codicon-quick-input-back', asks(address));
    await workbench().inputHolds('http://agents.example.com');
    await questions.accept(address, asks(plain));
    await questions.choose(plain, 'Change Address', asks(address));
    await workbench().closePicker();
    assert.deepEqual(Object.keys(userSettings(workbench())['managedAgents.connections'] as object), ['Team']);
  });

  it('is tested @nightly', async () => {
    await test('"Team" works');
    assert.match(await workbench().notification('"Team" works'), /\d+ ms\)\. Supports Models, Batches/);
    await workbench().screenshot('connection-test');
  });

  it('is edited: a key stays with its address @nightly', async () => {
    const what = 'Select an action';
    await workbench().runCommand('Managed Agents: Edit Connection...', asks(what));
    await workbench().screenshot('connection-edit');
    await questions.choose(what, 'Address', asks(address));
    await questions.write(address, contract().url, offers('The stored key belongs to'));
    await workbench().screenshot('connection-edit-other-address');
    await workbench().closePicker();
    await workbench().waitFor(`${statusBar}:has-text("Team"):has-text("no key")`);
    await workbench().openViewContainer('Managed Agents');
    await workbench().waitFor('.pane-body .welcome-view-content:has-text("no API key")');
    await workbench().screenshot('connection-no-key');
    assert.equal(JSON.stringify(contract().requests).includes('/v1/'), false, 'something was sent with the old key');
  });

  it('gets a key for the new address, and other names are reported @nightly', async () => {
    await workbench().welcomeButton('Set API Key', keyBox);
    await workbench().waitFor(asks(`sent only to ${contract().url}`));
    await questions.write('API key', rightKey, `${statusBar}:not(:has-text("no key"))`);
    await test('responds, but needs different settings');
    await workbench().screenshot('connection-test-other-names');
    await workbench().notificationButton('responds, but needs different settings', 'Use Detected Settings');
    // The extension is notified of changed settings a moment after the file was written.
    await workbench().untilSeen(workbench().toast('"Team" works'), async () => {
      await workbench().clearNotifications();
      await test('Team');
    });
    const settings = userSettings(workbench())['managedAgents.connections'];
    assert.deepEqual(settings, { Team: { baseUrl: contract().url, auth: 'x-api-key', dialect: 'contract' } });
  });

  it('is replaced from the status bar, by the emulator and for this workspace only', async () => {
    const everywhere = 'Connection for all windows';
    const here = 'Connection for this workspace only';
    await workbench().click(`${statusBar} a`, asks(everywhere));
    await workbench().screenshot('connection-switch');
    await questions.choose(everywhere, 'Select for This Workspace Only', asks(here));
    await questions.choose(here, 'Emulator', `${statusBar}:has(.codicon-vm-running)`);
    assert.equal(JSON.parse(workbench().fileText('.vscode/settings.json'))['managedAgents.connection'], 'Emulator');
    assert.equal(userSettings(workbench())['managedAgents.connection'], 'Team');
    await workbench().click(`${statusBar} a`, asks(here));
    await workbench().screenshot('connection-switch-workspace');
    await questions.choose(here, 'Use Connection for All Windows', `${statusBar}:has-text("Team")`);
  });

  it('is forgotten with its key after a question, and left no key in any file of the profile, its logs or the workspace @floor', async () => {
    await workbench().runCommand('Managed Agents: Forget Connection...', '.monaco-dialog-box');
    assert.match(await workbench().dialogText(), /Forget the connection "Team"\?/);
    await workbench().screenshot('connection-forget');
    await workbench().dialogButton('Forget');
    await workbench().waitForNone(statusBar);
    await settled('managedAgents.connections', undefined);
    await settled('managedAgents.connection', undefined);
    const written = [userFolder(workbench()), workbench().logs, workbench().folder].map(allText).join('\n');
    assert.match(written, /Trying 127\.0\.0\.1/, 'the log was not read');
    assert.equal(written.includes(rightKey), false);
    assert.equal(written.includes(wrongKey), false);
  });
});
