import * as vscode from 'vscode';
import type { Connection, Connections, Reached, Use } from '../connection';
import { mayUse, reach, refuseUntrusted } from '../connection';
import type { EmulatorHost } from '../emulator';

/** Who wants something of a service: a person who asked to see it, a person who wants to change something, or nobody just now. */
export type Asker = 'user' | 'userToChange' | 'nobody';

const uses: Readonly<Record<Asker, Use>> = { user: 'read', userToChange: 'change', nobody: 'look' };

export type { Reached } from '../connection';

/** The one way to a service (`reach` of the connection feature), for who asks. */
export class Service {
  constructor(
    readonly connections: Connections,
    private readonly emulator: Pick<EmulatorHost, 'running'>,
    private readonly isTrusted: () => boolean = () => vscode.workspace.isTrusted,
  ) {}

  /** Throws an `UntrustedError`, in words, for who may ask nothing of any service now: before the user is asked anything. */
  demand(asker: Asker): void {
    refuseUntrusted(uses[asker], this.isTrusted());
  }

  /**
   * A connection by its name, and its client. Throws a sentence when the connection is gone, and when the rule on what may be sent does
   * not allow it; for nobody no emulator is started.
   */
  reach(name: string, asker: Asker): Promise<Reached> {
    return reach(this.connections, name, uses[asker], this.isTrusted());
  }

  /** The connection of this window, where it may be asked by itself now. */
  get lookedAt(): Connection | undefined {
    const { current, state } = this.connections;
    const may = current !== undefined && state === 'ready' && mayUse('look', this.isTrusted()) && this.isReachable(current);
    return may ? current : undefined;
  }

  /** Whether a connection leads anywhere without something being started for it. */
  isReachable(connection: Connection): boolean {
    return !connection.isEmulator || this.emulator.running !== undefined;
  }
}
