import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { eventuallyHolds } from '../eventually';
import { connectPage } from '../page';
import { useExtension } from '../useExtension';

const settings = () => vscode.workspace.getConfiguration();

describe('connections in the extension host', () => {
  const page = connectPage();

  useExtension('connection');
  after(async () => {
    await vscode.commands.executeCommand('managedAgents.emulator.stop');
    await settings().update('managedAgents.connections', undefined, vscode.ConfigurationTarget.Global);
    await settings().update('managedAgents.connection', undefined, vscode.ConfigurationTarget.Global);
    page.close();
  });

  it('are listed if valid, with an error for each invalid one', async () => {
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
      assert.match(row('is already in use'), /This name/);
    });
    await page.closePicker();
  });

  it("leave the extension host's fetch unchanged after the client was loaded", async () => {
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

  it("can't be defined by a workspace", async () => {
    await assert.rejects(
      Promise.resolve(
        settings().update('managedAgents.connections', { Evil: { baseUrl: 'https://evil.example' } }, vscode.ConfigurationTarget.Workspace),
      ),
    );
  });
});
