import * as vscode from 'vscode';
import type { CommandId, Commands } from '../contributions';
import { CancelledError, isCancellation } from './cancellation';

/** Result of a command that failed or was cancelled. VS Code passes it on as JSON, which has no symbols. */
const notDone = Object.freeze({ isDone: false });

type Handler<K extends CommandId> = (...args: Commands[K]) => unknown;

/** Command handlers by id. */
export type Handlers = { readonly [K in CommandId]: Handler<K> };

/** Registers commands. An error that a handler throws is reported once, by `showError`. Cancellations are not reported. */
export class CommandRegistry {
  constructor(private readonly showError: (error: unknown) => Promise<void>) {}

  /** Registers one command of `contributes.commands`. */
  register<K extends CommandId>(id: K, handler: Handler<K>): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        // Keyboard shortcuts and other extensions pass null for absent arguments.
        return await handler(...(args.map(arg => arg ?? undefined) as Commands[K]));
      } catch (error) {
        if (!isCancellation(error)) {
          // Not awaited: the message stays until the user answers it, but the command has ended.
          void this.showError(error);
        }
        return notDone;
      }
    });
  }

  /** Registers commands whose handlers are loaded when one of them first runs. */
  registerLate<K extends CommandId>(ids: readonly K[], load: () => Promise<Pick<Handlers, K>>): vscode.Disposable {
    return vscode.Disposable.from(...ids.map(id => this.register(id, async (...args: Commands[K]) => (await load())[id](...args))));
  }
}

/** Runs one of our own commands. */
export async function runCommand<K extends CommandId>(id: K, ...args: Commands[K]): Promise<void> {
  await vscode.commands.executeCommand(id, ...args);
}

/** Runs one of our own commands as part of a larger action. Throws if it failed or was cancelled, so that the whole action stops. */
export async function demandCommand<K extends CommandId>(id: K, ...args: Commands[K]): Promise<void> {
  if ((await vscode.commands.executeCommand(id, ...args)) === notDone) {
    throw new CancelledError();
  }
}

/** Creates a command with checked arguments for a tree item, lens or link. */
export function commandLink<K extends CommandId>(id: K, title: string, ...args: Commands[K]): vscode.Command {
  return { command: id, title, arguments: args };
}
