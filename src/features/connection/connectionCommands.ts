import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import type { ConnectionCommandContext } from './connectionCommandContext';

/** Registers the connection commands. Their handlers are loaded on first use. */
export function registerConnectionCommands(commands: CommandRegistry, context: ConnectionCommandContext): vscode.Disposable {
  const flows = async () => (await import('./flows/connectionFlows')).createConnectionFlows(context);
  return combine(
    context.reports,
    commands.register('managedAgents.connection.add', async () => (await flows()).add()),
    commands.register('managedAgents.connection.switch', async () => (await flows()).switch()),
    commands.register('managedAgents.connection.edit', async name => (await flows()).edit(name)),
    commands.register('managedAgents.connection.setKey', async name => (await flows()).setKey(name)),
    commands.register('managedAgents.connection.test', async name => (await flows()).test(name)),
    commands.register('managedAgents.connection.forget', async name => (await flows()).forget(name)),
  );
}
