import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CommandRegistry } from '../../../src/common/commands';
import { closeEditors } from '../useExtension';

describe('commands', () => {
  after('close what they say', closeEditors);

  it('treat null as a missing argument, as shortcuts and other extensions pass it', async () => {
    const given: unknown[][] = [];
    // The extension's commands are registered already, so the test uses its own.
    const id = 'managedAgents.ofTest' as 'managedAgents.session.send';
    const registered = new CommandRegistry(async error => assert.fail(String(error)), []).register(id, (...args) => void given.push(args));
    try {
      await vscode.commands.executeCommand(id, null, 'b', null);
      assert.deepEqual(given, [[undefined, 'b', undefined]]);
    } finally {
      registered.dispose();
    }
  });

  it('return serializable values if they do nothing', async () => {
    const given = await vscode.commands.executeCommand('managedAgents.request.revealSource');
    assert.notEqual(given, undefined);
    // The palette receives the return value as JSON, and reports an unknown error for a value that isn't serializable.
    assert.equal(typeof JSON.stringify(given), 'string');
  });
});
