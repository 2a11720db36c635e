import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { internalCommands } from '../../../src/contributions';

describe('extension', () => {
  const extension = vscode.extensions.getExtension('managed-agents.managed-agents');

  it('activates', async () => {
    assert.ok(extension !== undefined);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command of the manifest, and no other', async () => {
    assert.ok(extension !== undefined);
    const { contributes } = extension.packageJSON as {
      contributes: { commands: { command: string }[]; views: Record<string, { id: string }[]> };
    };
    // VS Code itself creates some commands for every view.
    const views = Object.values(contributes.views).flatMap(all => all.map(({ id }) => id));
    const ofViews = ['focus', 'open', 'removeView', 'resetViewLocation', 'toggleVisibility'].flatMap(name =>
      views.map(view => `${view}.${name}`),
    );
    const registered = (await vscode.commands.getCommands(true)).filter(id => /^managedAgents(?:\.[a-zA-Z]+){1,2}$/.test(id));
    const ours = registered.filter(id => !ofViews.includes(id));
    assert.deepEqual(ours.sort(), [...contributes.commands.map(({ command }) => command), ...internalCommands].sort());
  });
});
