import type { Sessions } from '../../../client/resources/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { describeTrust } from '../../../common/text/describeTrust';
import type { Translate } from '../../../common/text/translate';
import type { SessionReference } from '../../../contributions';
import type { Connection, Connections } from '../../connection';
import type { EmulatorHost } from '../../emulator';

/** The APIs that a session's panel uses. */
export interface SessionService extends Pick<ServiceClient, 'sessions'> {
  readonly vaults: Pick<ServiceClient['vaults'], 'retrieve'>;
}

interface SessionAccessOptions {
  readonly reference: SessionReference;
  readonly connections: Pick<Connections, 'find'>;
  readonly reach: (connection: Connection) => Promise<SessionService>;
  readonly emulator: Pick<EmulatorHost, 'running' | 'isStarting'>;
  readonly isTrusted: () => boolean;
  readonly t: Translate;
}

/**
 * Access to the service of one session, with the current settings of its connection. In an untrusted workspace, nothing is read before the
 * user asks for it, and nothing is sent. The emulator is started only when the user asks.
 */
export class SessionAccess {
  /** True if the user asked for this session in this window, by opening it with a command or by retrying. */
  isAsked = false;

  constructor(private readonly options: SessionAccessOptions) {}

  /** Reason why the session can't be read now. `undefined` if nothing prevents it. */
  get obstacle(): string | undefined {
    const { reference, emulator, isTrusted, t } = this.options;
    const { connection } = this;
    if (connection === undefined) {
      return t('The connection {0} no longer exists. Add it again.', reference.connection);
    }
    if (!isTrusted() && !this.isAsked) {
      return describeTrust(t);
    }
    // A starting emulator is no obstacle, whichever window starts it.
    const isStopped = connection.isEmulator && emulator.running === undefined && !emulator.isStarting;
    return isStopped ? t('The emulator is stopped.') : undefined;
  }

  /** Settings of the connection as JSON. If the text changes, requests go to another service or are sent differently. */
  get setUp(): string {
    return JSON.stringify(this.connection);
  }

  /** Returns the client. Throws a `ServiceError` if there is an obstacle. */
  async service(): Promise<SessionService> {
    const { connection, obstacle } = this;
    if (connection === undefined || obstacle !== undefined) {
      throw this.toError(obstacle ?? '');
    }
    return await this.options.reach(connection);
  }

  /** Returns the sessions API. Throws a `ServiceError` if there is an obstacle. */
  async read(): Promise<Sessions> {
    return (await this.service()).sessions;
  }

  /** Returns the sessions API for changes. Throws unless the workspace is trusted. */
  async write(): Promise<Sessions> {
    if (!this.options.isTrusted()) {
      throw this.toError(describeTrust(this.options.t));
    }
    return await this.read();
  }

  /** Allows reading at the user's request. Starts the emulator if needed. */
  async ask(): Promise<void> {
    this.isAsked = true;
    const { connection } = this;
    if (connection?.isEmulator === true) {
      await this.options.reach(connection);
    }
  }

  private get connection(): Connection | undefined {
    return this.options.connections.find(this.options.reference.connection);
  }

  private toError(message: string): Error {
    const { reference } = this.options;
    return new ServiceError(message, {
      kind: 'no_credential',
      outcome: 'not_sent',
      method: 'GET',
      host: reference.connection,
      path: `/v1/sessions/${reference.sessionId}`,
    });
  }
}
