import type { ServiceClient, Sessions } from '../../../../client/serviceClient';
import { createServiceError } from '../../../../client/transport/errors';
import { describeTrust } from '../../../../common/text/describeTrust';
import type { Translate } from '../../../../common/text/translate';
import type { SessionReference } from '../../../../contributions';
import type { Connection, Connections } from '../../../connection';
import type { EmulatorHost } from '../../../emulator';

/** What of a service a session's panel reads and changes. */
export interface SessionService extends Pick<ServiceClient, 'sessions'> {
  readonly vaults: Pick<ServiceClient['vaults'], 'retrieve'>;
}

export interface SessionAccessOptions {
  readonly reference: SessionReference;
  readonly connections: Pick<Connections, 'find'>;
  /** The client of a connection, for the user who asked to see the session. */
  readonly reach: (connection: Connection) => Promise<SessionService>;
  readonly emulator: Pick<EmulatorHost, 'running' | 'isStarting'>;
  readonly isTrusted: () => boolean;
  readonly t: Translate;
}

/**
 * The way to the service of one session, as its connection is set up now. In an untrusted workspace nothing is read before the
 * user asked for it, and nothing is sent; the emulator is started only when the user asks.
 */
export class SessionAccess {
  /** The user asked for this session in this window: opened it by a command, or chose to try again. */
  isAsked = false;

  constructor(private readonly options: SessionAccessOptions) {}

  /** Why the session cannot be read as things stand, in words; undefined when nothing speaks against trying. */
  get obstacle(): string | undefined {
    const { emulator, isTrusted, t } = this.options;
    const { connection } = this;
    if (connection === undefined) {
      return this.goneText;
    }
    if (!isTrusted() && !this.isAsked) {
      return describeTrust(t);
    }
    // One that is starting, here or in place of the one of a window that closed, is waited for.
    if (connection.isEmulator && emulator.running === undefined && !emulator.isStarting) {
      return t('The emulator is stopped.');
    }
    return undefined;
  }

  /** What the connection is set up to be: another text means that it leads elsewhere, or in another way. */
  get setUp(): string {
    return JSON.stringify(this.connection);
  }

  /** The sessions of the connection; a `ServiceError` when there is an obstacle. */
  async read(): Promise<Sessions> {
    const { obstacle } = this;
    if (obstacle !== undefined) {
      throw this.toError(obstacle);
    }
    return (await this.client()).sessions;
  }

  /** What a vault of the connection is called; empty where it has no name. A `ServiceError` when there is an obstacle. */
  async vaultName(id: string, signal: AbortSignal): Promise<string> {
    if (this.obstacle !== undefined) {
      throw this.toError(this.obstacle);
    }
    const { data } = await (await this.client()).vaults.retrieve(id, { signal });
    return data.display_name ?? '';
  }

  /** The sessions of the connection, to change something: only from a trusted workspace. */
  async write(): Promise<Sessions> {
    if (!this.options.isTrusted()) {
      throw this.toError(describeTrust(this.options.t));
    }
    return await this.read();
  }

  /** The user wants to read now, whatever that takes: the emulator is started, too. */
  async ask(): Promise<void> {
    this.isAsked = true;
    if (this.connection?.isEmulator === true) {
      await this.client();
    }
  }

  private get connection(): Connection | undefined {
    return this.options.connections.find(this.options.reference.connection);
  }

  private get goneText(): string {
    const { reference, t } = this.options;
    return t('The connection {0} no longer exists. Add it again to reach the session.', reference.connection);
  }

  private async client(): Promise<SessionService> {
    const { connection } = this;
    if (connection === undefined) {
      throw this.toError(this.goneText);
    }
    return await this.options.reach(connection);
  }

  private toError(message: string): Error {
    const { reference } = this.options;
    return createServiceError(message, {
      kind: 'no_credential',
      outcome: 'not_sent',
      method: 'GET',
      host: reference.connection,
      path: `/v1/sessions/${reference.sessionId}`,
    });
  }
}
