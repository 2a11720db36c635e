import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('extension', () => {
  const extension = vscode.extensions.getExtension('managed-agents.managed-agents');

  it('activates', async () => {
    assert.ok(extension !== undefined);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command of the manifest, and no other', async () => {
    const manifest = extension?.packageJSON as { contributes: { commands: { command: string }[] } };
    const registered = (await vscode.commands.getCommands(true)).filter(id => /^managedAgents\.[a-z]+\.[a-zA-Z]+$/.test(id));
    const ours = registered.filter(
      id => !/\.(focus|open|removeView|resetViewLocation|toggleVisibility)$/.test(id) || !id.startsWith('managedAgents.batches.'),
    );
    assert.deepEqual(ours.sort(), manifest.contributes.commands.map(({ command }) => command).sort());
  });
});
