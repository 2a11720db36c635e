import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually';
import { useExtension } from '../useExtension';

describe('diagnostics in the extension host', () => {
  useExtension('diagnostics');
  after(async () => {
    await vscode.workspace.getConfiguration().update('managedAgents.connection', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('managedAgents.emulator.stop');
  });

  it('copy a report with the last calls and nothing personal', async () => {
    await vscode.commands.executeCommand('managedAgents.emulator.start');
    await vscode.workspace.getConfiguration().update('managedAgents.connection', 'Emulator', vscode.ConfigurationTarget.Global);
    await vscode.lm.invokeTool('managed-agents_list_batches', { input: {}, toolInvocationToken: undefined });
    // Doesn't wait for the command, because its notification stays open.
    void vscode.commands.executeCommand('managedAgents.diagnostics.copy');
    const report = await eventually(async () => {
      const text = await vscode.env.clipboard.readText();
      return text.startsWith('# Managed Agents diagnostics\n') ? text : undefined;
    });
    assert.match(report, /\| GET \/v1\/messages\/batches \| 200 \| \d+ ms \| [\w-]+ \|/);
    assert.match(report, new RegExp(`\\| VS Code \\| ${vscode.version.replace(/\./g, '\\.')}, `));
    assert.ok(!report.includes('127.0.0.1'));
    assert.ok(!report.includes(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? 'none'));
  });
});
