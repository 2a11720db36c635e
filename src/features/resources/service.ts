import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/serviceClient';
import type { Connection, Connections } from '../connection';
import { refuseUntrusted, type Use } from '../connection';
import type { EmulatorHost } from '../emulator';

/** Who wants something of a service: a person who asked to see it, a person who wants to change something, or nobody just now. */
export type Asker = 'user' | 'userToChange' | 'nobody';

const uses: Readonly<Record<Asker, Use>> = { user: 'read', userToChange: 'change', nobody: 'look' };

/** A service that can be asked. */
export interface Reached {
  readonly connection: Connection;
  readonly client: ServiceClient;
}

/** The one way to a service: what may be sent from a workspace that is not trusted is decided here, before anybody is asked anything. */
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
  async reach(name: string, asker: Asker): Promise<Reached> {
    const use = uses[asker];
    this.demand(asker);
    await this.connections.whenKnown;
    const connection = this.connections.find(name);
    if (connection === undefined) {
      throw new Error(vscode.l10n.t('The connection {0} no longer exists. Add it again to reach what is on its service.', name));
    }
    if (use === 'look' && !this.isReachable(connection)) {
      throw new Error(vscode.l10n.t('The emulator is stopped. Start it and try again.'));
    }
    return { connection, client: await this.connections.client(connection, use) };
  }

  /** Whether a connection leads anywhere without something being started for it. */
  isReachable(connection: Connection): boolean {
    return !connection.isEmulator || this.emulator.running !== undefined;
  }
}
