import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isWindowThere } from '../../../src/common/windowUse';

describe('common/windowUse', () => {
  it('is true while VS Code responds to one of its commands', async () => {
    await vscode.commands.executeCommand('noop');
    assert.equal(await isWindowThere(), true);
  });
});
