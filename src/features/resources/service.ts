import * as vscode from 'vscode';
import type { Connection, Connections, Reached, Use } from '../connection';
import { mayUse, reach, refuseUntrusted } from '../connection';
import type { EmulatorHost } from '../emulator';

/** Origin of a request: a person who wants to see something, a person who wants to change something, or a background task. */
export type Asker = 'user' | 'userToChange' | 'nobody';

const uses: Readonly<Record<Asker, Use>> = { user: 'read', userToChange: 'change', nobody: 'look' };

export type { Reached } from '../connection';

/** Access to services (`reach` of the connection feature), by origin of the request. */
export class Service {
  constructor(
    readonly connections: Connections,
    private readonly emulator: Pick<EmulatorHost, 'running'>,
    private readonly isTrusted: () => boolean = () => vscode.workspace.isTrusted,
  ) {}

  /**
   * Throws an `UntrustedError` with a message for the user if requests of this origin are not allowed now. Called before the user is asked
   * anything.
   */
  demand(asker: Asker): void {
    refuseUntrusted(uses[asker], this.isTrusted());
  }

  /**
   * Returns a connection and its client. Throws an error with a message for the user if the connection is gone or the request is not
   * allowed. Background requests don't start an emulator.
   */
  reach(name: string, asker: Asker): Promise<Reached> {
    return reach(this.connections, name, uses[asker], this.isTrusted());
  }

  /** Connection of this window. `undefined` if background requests must not be sent to it now. */
  get lookedAt(): Connection | undefined {
    const { current, state } = this.connections;
    const isReachable = current?.isEmulator === false || this.emulator.running !== undefined;
    return state === 'ready' && mayUse('look', this.isTrusted()) && isReachable ? current : undefined;
  }
}
