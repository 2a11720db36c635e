import * as vscode from 'vscode';
import { CommandRegistry } from './common/commands';
import { Log } from './common/log';
import { createShowError } from './common/showError';

/** Builds the parts of the extension and hands them to each other. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const channel = vscode.window.createOutputChannel('Managed Agents', { log: true });
  const log = new Log(channel);
  const commands = new CommandRegistry(createShowError(log));
  context.subscriptions.push(
    channel,
    commands.register('managedAgents.log.show', () => log.show()),
  );
}
