import type { Credential, NetworkOptions, ServiceClientOptions } from '../../client/clientOptions';
import { dialects, type ResourceGroup } from '../../client/dialect';
import type { ServiceClient } from '../../client/serviceClient';
import { ServiceError } from '../../client/transport/errors';
import type { ServiceHealth } from '../../client/transport/serviceHealth';
import { hostOf } from '../../common/text/presentation';
import type { Connection } from './connection';

export interface ClientCacheOptions {
  /** Creates a client. Loads the modules for it on the first call. */
  readonly create: (options: ServiceClientOptions) => Promise<ServiceClient>;
  readonly network: () => Promise<NetworkOptions>;
  readonly credential: (connection: Connection) => Promise<Credential | undefined>;
  /** Returns the reason why a connection has no usable key, as text for the user. */
  readonly describeMissingKey: (connection: Connection) => string;
  /** Called when a call shows the state of a connection's service, as long as its client is the current one. */
  readonly onHealth: (connection: Connection, health: ServiceHealth) => void;
  /** Called after each listing of a group's collection. */
  readonly onServed?: (connection: Connection, group: ResourceGroup, isServed: boolean) => void;
  /** Client settings shared by all connections. */
  readonly shared: Pick<ServiceClientOptions, 'log' | 'userAgent' | 'onCall'>;
}

/**
 * One client per definition of a connection, created on first use and shared. Two definitions never share one: the user of an older
 * definition gets its own client, which has no access to the key of a changed origin.
 */
export class ClientCache {
  private readonly clients = new Map<string, Promise<ServiceClient>>();
  // At most a few per window: one per change of a setting.
  private readonly retired = new Set<Promise<ServiceClient>>();
  private isDisposed = false;

  constructor(private readonly options: ClientCacheOptions) {}

  /** Throws a `ServiceError` of kind `no_credential` if the connection has no usable key. */
  async client(connection: Connection): Promise<ServiceClient> {
    if ((await this.options.credential(connection)) === undefined) {
      throw new ServiceError(this.options.describeMissingKey(connection), {
        kind: 'no_credential',
        outcome: 'not_sent',
        method: 'GET',
        host: hostOf(connection),
        path: '/v1',
      });
    }
    const id = identify(connection);
    const cached = this.clients.get(id);
    if (cached !== undefined) {
      return cached;
    }
    const client: Promise<ServiceClient> = this.make(connection, health => {
      if (this.clients.get(id) === client) {
        this.options.onHealth(connection, health);
      }
    });
    this.clients.set(id, client);
    client.catch(() => {
      // A failed attempt must not be cached.
      if (this.clients.get(id) === client) {
        this.clients.delete(id);
      }
    });
    return client;
  }

  /** Drops the clients of definitions that are not in `connections`. Their running calls still end. */
  keepOnly(connections: readonly Connection[]): void {
    const kept = new Set(connections.map(identify));
    for (const [id, cached] of this.clients) {
      if (!kept.has(id)) {
        this.clients.delete(id);
        this.retired.add(cached);
        cached.then(client => client.retire()).catch(() => undefined);
      }
    }
  }

  clear(): void {
    this.keepOnly([]);
  }

  /** Closes all clients, including dropped ones, and aborts their calls. */
  dispose(): void {
    this.isDisposed = true;
    for (const cached of [...this.clients.values(), ...this.retired]) {
      cached.then(client => client.close()).catch(() => undefined);
    }
    this.clients.clear();
    this.retired.clear();
  }

  private async make(connection: Connection, onHealth: (health: ServiceHealth) => void): Promise<ServiceClient> {
    const { create, network, credential, shared, onServed } = this.options;
    const client = await create({
      ...shared,
      baseUrl: connection.baseUrl,
      auth: connection.auth,
      dialect: dialects[connection.dialect],
      extraBetas: connection.extraBetas,
      ...(connection.userProfileId === undefined ? {} : { userProfileId: connection.userProfileId }),
      allowInsecureHttp: connection.allowInsecureHttp,
      network: await network(),
      credential: () => credential(connection),
      onHealth,
      onServed: (group, isServed) => onServed?.(connection, group, isServed),
    });
    if (this.isDisposed) {
      // Disposed while it was being created, so only this method can close it.
      await client.close();
    }
    return client;
  }
}

function identify({ name, baseUrl, auth, dialect, extraBetas, userProfileId, allowInsecureHttp }: Connection): string {
  return JSON.stringify([name, baseUrl, auth, dialect, extraBetas, userProfileId, allowInsecureHttp]);
}
