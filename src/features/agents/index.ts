import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import type { Connections } from '../connection/connection';
import type { EmulatorHost } from '../emulator/emulatorHost';

export interface AgentsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
}

/** The Agents view, agents as documents with versions, and everything one does with an agent. */
export function registerAgents(_deps: AgentsDependencies): vscode.Disposable {
  return combine();
}
