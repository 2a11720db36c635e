import assert from 'node:assert/strict';
import { picker } from '../quickInputs.mjs';
import { useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { allText, userSettings } from './userProfile';
import { useWorkbench } from './workbench';

const key = 'sk-canary-4711-right';
const statusBar = '.statusbar-item[id$="managedAgents.connection"]';
const running = `${statusBar}:has(.codicon-vm-running)`;
const welcome = (words: string) => `.pane-body .welcome-view-content:has-text("${words}")`;

describe('connections that are offered', () => {
  describe('the emulator', function () {
    // Each test goes on from where the one before it left it.
    this.bail(true);
    const workbench = useWorkbench({ files: { 'notes.txt': 'x' } });

    it('starts from the welcome view and becomes the connection', async () => {
      await workbench().openViewContainer('Managed Agents');
      await workbench().welcomeButton('Start Emulator', running);
      await workbench().waitFor(welcome('No batches yet'));
      await workbench().untilSo(() => userSettings(workbench())['managedAgents.connection'] === 'Emulator');
      const hover = '.monaco-hover:not(.hidden):has-text("no real service is used")';
      await workbench().untilSeen(hover, async timeout => {
        await workbench().page.mouse.move(0, 0);
        await workbench().page.locator(`${statusBar} a`).hover({ timeout });
      });
      await workbench().screenshot('connection-emulator');
    });

    it('runs again by itself after a reload of the window, with the batches it had', async () => {
      // The logs hold those of the files that this code-server served before, too.
      const timesOfAnother = () => allText(workbench().logs).split('emulator of another window').length - 1;
      const before = timesOfAnother();
      await workbench().reloadWindow();
      await workbench().waitFor(running);
      // That of before has ended.
      assert.equal(timesOfAnother(), before);
    });

    it('stays stopped when the user stops it', async () => {
      await workbench().runCommand('Managed Agents: Stop Emulator', `${statusBar}:has-text("stopped")`);
      await workbench().openViewContainer('Managed Agents');
      await workbench().waitFor(welcome('Start Emulator'));
      await workbench().screenshot('connection-emulator-stopped');
      await workbench().welcomeButton('Start Emulator', running);
    });
  });

  describe('in a workspace that nobody trusts', () => {
    const contract = useEmulator({ key });
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
    const questions = new Questions(workbench);

    it('the choice of the user stays, nothing is started, and no connection of the workspace is taken', async () => {
      await workbench().waitFor(`${statusBar}:has-text("stopped")`);
      await workbench().runCommand('Managed Agents: Switch Connection...', asks('Connection for all windows'));
      const offered = (await workbench().quickPickTexts()).join('\n');
      assert.match(offered, /Emulator/);
      assert.equal(offered.includes('Trap'), false, offered);
      assert.equal(offered.includes('This Workspace'), false, offered);
    });

    it('a connection is held back until the user asks', async () => {
      const address = 'https://agents.example.com';
      const found = 'Go on with what it understood';
      await workbench().runCommand('Managed Agents: Add Connection...', asks(address));
      await questions.write(address, contract().url, `${picker} input[type="password"]`);
      await questions.write('API key', key, asks(found));
      await questions.accept(found, asks('Add Connection (4/4)'));
      await questions.write('Add Connection (4/4)', 'Team', `${statusBar}:has-text("Team: held back")`);
      await workbench().openViewContainer('Managed Agents');
      await workbench().waitFor(welcome('Until you trust'));
      await workbench().screenshot('connection-untrusted');
    });
  });
});
