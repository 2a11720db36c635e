import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Emulator } from '../../../src/emulator/emulator';
import { startEmulator } from '../../../src/emulator/server';
import { useWorkbench, type Workbench } from './workbench';

const rightKey = 'sk-canary-4711-right';
const wrongKey = 'sk-canary-0815-wrong';
const statusBar = '.statusbar-item[id$="managedAgents.connection"]';

/** A server on this machine that answers as `answer` says, and counts what it was asked. */
async function startServer(answer: http.RequestListener) {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, port, requests, close };
}

function userFolder(workbench: Workbench): string {
  return path.join(workbench.globalStorage, '../..');
}

function userSettings(workbench: Workbench): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(userFolder(workbench), 'settings.json'), 'utf8'));
}

/** Every file below a folder, as one text. */
function allText(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** Fills the open input box and waits for the message about it. */
async function expectMessage(workbench: Workbench, text: string, message: string): Promise<void> {
  await workbench.fillInput(text);
  await workbench.waitFor(`.quick-input-message:has-text(${JSON.stringify(message)})`);
}

/** Waits for the question whose placeholder begins like this. */
async function waitForQuestion(workbench: Workbench, placeholder: string): Promise<void> {
  await workbench.waitFor(`.quick-input-box input[placeholder^=${JSON.stringify(placeholder)}]`);
}

describe('connections', function () {
  // Each test goes on from where the one before it left VS Code.
  this.bail(true);
  let contract: Emulator;
  let vendor: Emulator;
  let html: Awaited<ReturnType<typeof startServer>>;
  let closedPort: number;

  before(async () => {
    contract = await startEmulator({ key: rightKey });
    vendor = await startEmulator({ key: rightKey, dialect: 'anthropic-2023' });
    html = await startServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'));
    const closed = await startServer(() => undefined);
    closedPort = closed.port;
    await closed.close();
  });
  after(async () => {
    await Promise.all([contract?.stop(), vendor?.stop(), html?.close()]);
  });

  describe('set up from nothing', () => {
    const workbench = useWorkbench({ files: { 'notes.txt': 'x' } });

    it('offers the emulator and a first connection', async () => {
      await workbench().openViewContainer('Managed Agents');
      const words = await workbench().welcomeText();
      assert.match(words, /Start Emulator/);
      assert.match(words, /Add Connection/);
      assert.equal(await workbench().count(statusBar), 0);
      await workbench().screenshot('connection-welcome');
    });

    it('says what is wrong with an address, a key, and a service, and keeps what was entered', async () => {
      await workbench().welcomeButton('Add Connection');
      await expectMessage(workbench(), 'https://sk-x@host.example', 'Leave user names, passwords and keys out of the address');
      await workbench().screenshot('connection-add-address');
      await expectMessage(workbench(), 'ftp://host.example', 'must start with https:');
      await workbench().inputBox(`http://127.0.0.1:${closedPort}`);
      await workbench().waitFor('.quick-input-box input[type="password"]');
      await expectMessage(workbench(), 'sk-a b', 'no spaces or line breaks');
      await workbench().screenshot('connection-add-key');
      await workbench().inputBox(wrongKey);

      await waitForQuestion(workbench(), 'Nothing answers at this host and port.');
      await workbench().screenshot('connection-add-refused');
      await workbench().quickPick('Change the Address');
      await waitForQuestion(workbench(), 'https://agents.example.com');
      assert.equal((await workbench().inputTexts()).value, `http://127.0.0.1:${closedPort}`);
      await workbench().inputBox(html.url);
      await waitForQuestion(workbench(), 'API key');
      assert.equal((await workbench().inputTexts()).value, wrongKey);
      await workbench().press('Enter');

      await waitForQuestion(workbench(), 'Something else than the service answers');
      await workbench().screenshot('connection-add-html');
      await workbench().quickPick('Change the Address');
      await waitForQuestion(workbench(), 'https://agents.example.com');
      await workbench().inputBox(vendor.url);
      await waitForQuestion(workbench(), 'API key');
      await workbench().press('Enter');

      await waitForQuestion(workbench(), 'The service did not accept the API key.');
      await workbench().screenshot('connection-add-wrong-key');
      await workbench().quickPick('Enter Another API Key');
      await waitForQuestion(workbench(), 'API key');
      await workbench().inputBox(rightKey);
    });

    it('proposes what the service understands, and saves it with a name', async () => {
      await waitForQuestion(workbench(), '127.0.0.1:');
      await workbench().screenshot('connection-add-found');
      const [proposed] = await workbench().quickPickTexts();
      assert.match(proposed ?? '', /Anthropic names, version 2023-06-01/);
      assert.match(proposed ?? '', /X-Api-Key/);
      assert.match(proposed ?? '', /Serves models, batches/);
      await workbench().press('Enter');
      await workbench().waitFor('.quick-input-title:has-text("Add Connection (4/4)")');
      assert.equal((await workbench().inputTexts()).value, new URL(vendor.url).host);
      await expectMessage(workbench(), 'Emulator', 'built-in');
      await workbench().inputBox('Team');
      await workbench().notification('"Team" is ready and in use');
      await workbench().statusBarItem('Team');
      await workbench().screenshot('connection-ready');
      assert.deepEqual(userSettings(workbench())['managedAgents.connections'], {
        Team: { baseUrl: vendor.url, auth: 'x-api-key', dialect: 'anthropic-2023' },
      });
      assert.equal(userSettings(workbench())['managedAgents.connection'], 'Team');
      await workbench().clearNotifications();
    });

    it('goes back step by step, and leaves nothing behind on Escape', async () => {
      await workbench().runCommand('Managed Agents: Add Connection...');
      await waitForQuestion(workbench(), 'https://agents.example.com');
      await workbench().inputBox('http://agents.example.com');
      await waitForQuestion(workbench(), 'Plain http:');
      await workbench().screenshot('connection-add-insecure');
      await workbench().click('.quick-input-titlebar .codicon-quick-input-back');
      await waitForQuestion(workbench(), 'https://agents.example.com');
      assert.equal((await workbench().inputTexts()).value, 'http://agents.example.com');
      await workbench().press('Enter');
      await waitForQuestion(workbench(), 'Plain http:');
      await workbench().quickPick('Change the Address');
      await waitForQuestion(workbench(), 'https://agents.example.com');
      await workbench().press('Escape');
      await workbench().waitForNone('.quick-input-widget');
      assert.deepEqual(Object.keys(userSettings(workbench())['managedAgents.connections'] as object), ['Team']);
    });

    it('tests a connection and shows a report', async () => {
      await workbench().runCommand('Managed Agents: Test Connection');
      await workbench().quickPick('Team');
      const words = await workbench().notification('"Team" works');
      assert.match(words, /answered in \d+ ms\. Serves models, batches/);
      await workbench().screenshot('connection-test');
      await workbench().notificationButton('"Team" works', 'Show Report');
      await workbench().waitFor('.editor-group-container.active .view-line:has-text("Test of connection")');
      const report = await workbench().editorText();
      assert.match(report, /Models: answered in \d+ ms, request-id req_/);
      assert.match(report, /Batches: answered in \d+ ms, request-id req_/);
      await workbench().screenshot('connection-report');
    });

    it('edits: a key stays with its address', async () => {
      await workbench().runCommand('Managed Agents: Edit Connection...');
      await waitForQuestion(workbench(), 'What do you want to change?');
      await workbench().screenshot('connection-edit');
      await workbench().quickPick('Address');
      await waitForQuestion(workbench(), 'https://agents.example.com');
      await workbench().inputBox(contract.url);
      await workbench().waitFor('.quick-input-list .monaco-list-row:has-text("was given for")');
      await workbench().screenshot('connection-edit-other-address');
      await workbench().press('Escape');
      assert.match(await workbench().statusBarItem('Team'), /no key/);
      await workbench().openViewContainer('Managed Agents');
      assert.match(await workbench().welcomeText(), /no API key/);
      await workbench().screenshot('connection-no-key');
      assert.equal(JSON.stringify(contract.requests).includes('/v1/'), false, 'something was sent with the old key');
    });

    it('sets the key for the new address and finds out that names are others there', async () => {
      await workbench().welcomeButton('Set API Key');
      await waitForQuestion(workbench(), 'API key');
      assert.match((await workbench().inputTexts()).prompt, new RegExp(`sent to ${contract.url} only`));
      await workbench().inputBox(rightKey);
      await workbench().waitForNone(`${statusBar}:has-text("no key")`);
      await workbench().runCommand('Managed Agents: Test Connection');
      await workbench().quickPick('Team');
      await workbench().notification('answers to other names');
      await workbench().screenshot('connection-test-other-names');
      await workbench().notificationButton('answers to other names', 'Use What It Understands');
      await workbench().waitForNone('.notification-toast:has-text("answers to other names")');
      // A settings file that was just written reaches the extension a moment later.
      await workbench().untilDone(async () => {
        await workbench().runCommand('Managed Agents: Test Connection');
        await workbench().quickPick('Team');
        await workbench().toast('"Team" works').waitFor({ timeout: 5000 });
      });
      const settings = userSettings(workbench())['managedAgents.connections'];
      assert.deepEqual(settings, { Team: { baseUrl: contract.url, auth: 'x-api-key', dialect: 'contract' } });
      await workbench().clearNotifications();
    });

    it('switches from the status bar, to the emulator and for this workspace only', async () => {
      await workbench().click(`${statusBar} a`);
      await waitForQuestion(workbench(), 'Connection for all windows');
      await workbench().screenshot('connection-switch');
      await workbench().quickPick('Choose for This Workspace Only');
      await waitForQuestion(workbench(), 'Connection for this workspace only');
      await workbench().quickPick('Emulator');
      await workbench().waitFor(`${statusBar}:has(.codicon-vm-running)`);
      assert.equal(JSON.parse(workbench().fileText('.vscode/settings.json'))['managedAgents.connection'], 'Emulator');
      assert.equal(userSettings(workbench())['managedAgents.connection'], 'Team');
      await workbench().click(`${statusBar} a`);
      await waitForQuestion(workbench(), 'Connection for this workspace only');
      await workbench().screenshot('connection-switch-workspace');
      await workbench().quickPick('Use the Same as in All Windows Again');
      await workbench().waitFor(`${statusBar}:has-text("Team")`);
    });

    it('forgets a connection with its key after asking', async () => {
      await workbench().runCommand('Managed Agents: Forget Connection...');
      assert.match(await workbench().dialogText(), /Forget the connection "Team"\?/);
      await workbench().screenshot('connection-forget');
      await workbench().dialogButton('Forget');
      await workbench().waitForNone(statusBar);
      assert.equal(userSettings(workbench())['managedAgents.connections'], undefined);
      assert.equal(userSettings(workbench())['managedAgents.connection'], undefined);
    });

    it('left no key in any file of the profile, its logs or the workspace', () => {
      const written = [userFolder(workbench()), workbench().logs, workbench().folder].map(allText).join('\n');
      assert.match(written, /Trying 127\.0\.0\.1/, 'the log was not read');
      assert.equal(written.includes(rightKey), false);
      assert.equal(written.includes(wrongKey), false);
    });
  });

  describe('with the emulator', () => {
    const workbench = useWorkbench({ files: { 'notes.txt': 'x' } });

    it('starts from the welcome view and becomes the connection', async () => {
      await workbench().openViewContainer('Managed Agents');
      await workbench().welcomeButton('Start Emulator');
      await workbench().waitFor(`${statusBar}:has(.codicon-vm-running)`);
      await workbench().page.locator('.welcome-view-content', { hasText: 'No batches yet' }).waitFor();
      assert.equal(userSettings(workbench())['managedAgents.connection'], 'Emulator');
      await workbench().page.locator(`${statusBar} a`).hover();
      await workbench().waitFor('.monaco-hover:not(.hidden):has-text("no real service is used")');
      await workbench().screenshot('connection-emulator');
    });

    it('runs again by itself after a reload of the window, with the batches it had', async () => {
      await workbench().reloadWindow();
      await workbench().waitFor(`${statusBar}:has(.codicon-vm-running)`);
      // It would start without them when the one of before still ran.
      assert.equal(allText(workbench().logs).includes('Another emulator uses'), false);
    });

    it('stays stopped when the user stops it', async () => {
      await workbench().runCommand('Managed Agents: Stop Emulator');
      await workbench().waitFor(`${statusBar}:has-text("stopped")`);
      await workbench().openViewContainer('Managed Agents');
      assert.match(await workbench().welcomeText(), /Start Emulator/);
      await workbench().screenshot('connection-emulator-stopped');
      await workbench().welcomeButton('Start Emulator');
      await workbench().waitFor(`${statusBar}:has(.codicon-vm-running)`);
    });
  });

  describe('in a workspace that nobody trusts', () => {
    const workbench = useWorkbench({
      trusted: false,
      settings: { 'managedAgents.connection': 'Emulator' },
      files: {
        '.vscode/settings.json': JSON.stringify({
          'managedAgents.connection': 'Trap',
          'managedAgents.connections': { Trap: { baseUrl: 'http://127.0.0.1:9' }, Emulator: { baseUrl: 'http://127.0.0.1:9' } },
        }),
      },
    });

    it('keeps the choice of the user, starts nothing, and takes no connection from the workspace', async () => {
      await workbench().waitFor(`${statusBar}:has-text("stopped")`);
      await workbench().runCommand('Managed Agents: Switch Connection...');
      await waitForQuestion(workbench(), 'Connection for all windows');
      const offered = (await workbench().quickPickTexts()).join('\n');
      assert.equal(offered.includes('Trap'), false, offered);
      assert.equal(offered.includes('This Workspace'), false, offered);
      await workbench().press('Escape');
    });

    it('holds a connection back until the user asks', async () => {
      await workbench().runCommand('Managed Agents: Add Connection...');
      await waitForQuestion(workbench(), 'https://agents.example.com');
      await workbench().inputBox(contract.url);
      await waitForQuestion(workbench(), 'API key');
      await workbench().inputBox(rightKey);
      await waitForQuestion(workbench(), '127.0.0.1:');
      await workbench().press('Enter');
      await workbench().waitFor('.quick-input-title:has-text("Add Connection (4/4)")');
      await workbench().inputBox('Team');
      await workbench().waitFor(`${statusBar}:has-text("Team: held back")`);
      await workbench().openViewContainer('Managed Agents');
      assert.match(await workbench().welcomeText(), /do not trust/);
      await workbench().screenshot('connection-untrusted');
    });
  });
});
