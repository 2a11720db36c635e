import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import type { Connections } from '../connection/connection';
import type { EmulatorHost } from '../emulator/emulatorHost';

export interface SessionsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
}

/** The Sessions view, the panels that show sessions, and everything one does with a session. */
export function registerSessions(_deps: SessionsDependencies): vscode.Disposable {
  return combine();
}
