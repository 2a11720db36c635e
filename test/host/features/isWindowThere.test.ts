import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isWindowThere } from '../../../src/common/windowUse';

describe('common/windowUse', () => {
  it('is so while VS Code answers, by a command that it has', async () => {
    await vscode.commands.executeCommand('noop');
    assert.equal(await isWindowThere(), true);
  });
});
