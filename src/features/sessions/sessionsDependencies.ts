import type { ExtensionContext } from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import type { Log } from '../../common/log';
import type { Connections } from '../connection';
import type { EmulatorHost } from '../emulator';

export interface SessionsDependencies {
  readonly context: ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
}
