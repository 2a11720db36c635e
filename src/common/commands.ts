import * as vscode from 'vscode';
import type { CommandId, Commands } from '../contributions';
import { isCancellation } from './cancellation';

type Handler<K extends CommandId> = (...args: Commands[K]) => unknown;

/** Registers commands. Whatever a handler throws is reported once, by `showError`; a cancellation is not reported. */
export class CommandRegistry {
  constructor(private readonly showError: (error: unknown) => Promise<void>) {}

  /** Registers one command of `contributes.commands`. */
  register<K extends CommandId>(id: K, handler: Handler<K>): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        return await handler(...(args as Commands[K]));
      } catch (error) {
        if (!isCancellation(error)) {
          // Not awaited: the message stays until the user answers it, the command has ended.
          void this.showError(error);
        }
        return undefined;
      }
    });
  }
}

/** Runs one of our own commands. */
export async function runCommand<K extends CommandId>(id: K, ...args: Commands[K]): Promise<void> {
  await vscode.commands.executeCommand(id, ...args);
}

/** A command for a tree item, lens or link, checked against its arguments. */
export function commandLink<K extends CommandId>(id: K, title: string, ...args: Commands[K]): vscode.Command {
  return { command: id, title, arguments: args };
}
