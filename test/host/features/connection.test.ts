import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { eventuallyHolds } from '../eventually';
import { connectPage } from '../page';
import { useExtension } from '../useExtension';

const settings = () => vscode.workspace.getConfiguration();

describe('connections inside the extension host', () => {
  const page = connectPage();

  useExtension('connection');
  after(async () => {
    await vscode.commands.executeCommand('managedAgents.emulator.stop');
    await settings().update('managedAgents.connections', undefined, vscode.ConfigurationTarget.Global);
    await settings().update('managedAgents.connection', undefined, vscode.ConfigurationTarget.Global);
    page.close();
  });

  it('shows good connections and says what is wrong with bad ones', async () => {
    const value = {
      Bad: { baseUrl: 'ftp://a.example' },
      Good: { baseUrl: 'https://good.example' },
      emulator: { baseUrl: 'https://x.example' },
    };
    await settings().update('managedAgents.connections', value, vscode.ConfigurationTarget.Global);
    void vscode.commands.executeCommand('managedAgents.connection.switch');
    await eventuallyHolds(async () => {
      const offered = await page.quickPickTexts();
      const row = (words: string) =>
        offered.find(text => text.includes(words)) ?? assert.fail(`${words} is not among ${JSON.stringify(offered)}`);
      assert.match(row('good.example'), /no key/);
      assert.match(row('Bad'), /Enter an address such as/);
      assert.match(row('is already used'), /This name/);
    });
    await page.closePicker();
  });

  it('leaves the fetch of the extension host as it was when the client has been loaded', async () => {
    await vscode.commands.executeCommand('managedAgents.emulator.start');
    await vscode.commands.executeCommand('managedAgents.refresh');
    const server = http.createServer((_, response) => response.end('as ever')).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}/`);
      assert.equal(await response.text(), 'as ever');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('cannot be told by a workspace which connections there are', async () => {
    await assert.rejects(
      Promise.resolve(
        settings().update('managedAgents.connections', { Evil: { baseUrl: 'https://evil.example' } }, vscode.ConfigurationTarget.Workspace),
      ),
    );
  });
});
