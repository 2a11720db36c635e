import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeEditors } from '../useExtension';

describe('commands', () => {
  after('close what they say', closeEditors);

  it('give something that VS Code can hand on where they come to nothing', async () => {
    const given = await vscode.commands.executeCommand('managedAgents.request.revealSource');
    assert.notEqual(given, undefined);
    // The palette gets it as JSON, and says that an unknown error occurred where there is none.
    assert.equal(typeof JSON.stringify(given), 'string');
  });
});
