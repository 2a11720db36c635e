import assert from 'node:assert/strict';
import { eventually } from '../eventually';
import { picker } from '../page/quickInputs';
import { useEmulator } from './emulator';
import { asks, Questions } from './questions';
import { userSettings } from './userProfile';
import { useWorkbench } from './workbench';

const key = 'sk-canary-4711-right';
const statusBar = '.statusbar-item[id$="managedAgents.connection"]';
const running = `${statusBar}:has(.codicon-vm-running)`;
const welcome = (words: string) => `.pane-body .welcome-view-content:has-text("${words}")`;

describe('offered connections @nightly', () => {
  describe('the emulator', () => {
    const workbench = useWorkbench({ files: { 'notes.txt': 'x' } });

    it('stays stopped after the user stopped it', async () => {
      await workbench().openViewContainer('Managed Agents');
      await workbench().runCommand('Managed Agents: Start Emulator', running);
      await eventually(() => userSettings(workbench())['managedAgents.connection'] === 'Emulator');
      await workbench().runCommand('Managed Agents: Stop Emulator', `${statusBar}:has-text("stopped")`);
      await workbench().waitFor(welcome('Try It with a Sample'));
      await workbench().screenshot('connection-emulator-stopped');
      await workbench().runCommand('Managed Agents: Start Emulator', running);
    });
  });

  describe('in an untrusted workspace', () => {
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

    it("the user's choice stays, nothing is started, and no connection of the workspace is used", async () => {
      await workbench().waitFor(`${statusBar}:has-text("stopped")`);
      await workbench().runCommand('Managed Agents: Switch Connection...', asks('Connection for all windows'));
      const offered = (await workbench().quickPickTexts()).join('\n');
      assert.match(offered, /Emulator/);
      assert.equal(offered.includes('Trap'), false, offered);
      assert.equal(offered.includes('This Workspace'), false, offered);
    });

    it('a connection is withheld until the user asks', async () => {
      const address = 'https://agents.example.com';
      await workbench().runCommand('Managed Agents: Add Connection...', asks(address));
      await questions.write(address, contract().url, `${picker} input[type="password"]`);
      await questions.write('API key', key, asks('Add Connection (3/3)'));
      await questions.write('Add Connection (3/3)', 'Team', `${statusBar}:has-text("Team: not trusted yet")`);
      await workbench().openViewContainer('Managed Agents');
      await workbench().waitFor(welcome('until you trust'));
      await workbench().screenshot('connection-untrusted');
    });
  });
});
