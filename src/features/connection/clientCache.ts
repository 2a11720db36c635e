import type { Credential, NetworkOptions, ServiceClientOptions } from '../../client/clientOptions';
import { dialects, type ResourceGroup } from '../../client/dialect';
import type { ServiceClient } from '../../client/serviceClient';
import { ServiceError, type ServiceHealth } from '../../client/transport/errors';
import { hostOf } from '../../common/text/presentation';
import type { Connection } from './connection';

interface ClientCacheOptions {
  /** Creates a client. The first call loads the modules for it. */
  readonly create: (options: ServiceClientOptions) => Promise<ServiceClient>;
  readonly network: () => Promise<NetworkOptions>;
  readonly credential: (connection: Connection) => Promise<Credential | undefined>;
  /** Returns why a connection has no usable key, as text for the user. */
  readonly describeMissingKey: (connection: Connection) => string;
  /** Called with the state of a service after a call, if its client is the current one of the connection. */
  readonly onHealth: (connection: Connection, health: ServiceHealth) => void;
  /** Called after each listing of a resource group. */
  readonly onServed?: (connection: Connection, group: ResourceGroup, isServed: boolean) => void;
  /** Client settings shared by all connections. */
  readonly shared: Pick<ServiceClientOptions, 'log' | 'userAgent' | 'onCall'>;
}

/**
 * Cache of one client per definition of a connection. Clients are never shared between definitions. An older definition keeps its own
 * client, which has no access to the key of a changed origin.
 */
export class ClientCache {
  private readonly clients = new Map<string, Promise<ServiceClient>>();
  // Holds only a few clients, one per changed setting.
  private readonly retired = new Set<Promise<ServiceClient>>();
  private isDisposed = false;

  constructor(private readonly options: ClientCacheOptions) {}

  /** Returns the client of a connection. Throws a `ServiceError` of kind `no_credential` if the connection has no usable key. */
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

  /** Drops the clients of definitions that are not in `connections`. Their running calls complete. */
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

  /** Closes all clients, including dropped clients. Aborts their calls. */
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
      // `dispose` ran while the client was being created, so it must be closed here.
      await client.close();
    }
    return client;
  }
}

function identify({ name, baseUrl, auth, dialect, extraBetas, userProfileId, allowInsecureHttp }: Connection): string {
  return JSON.stringify([name, baseUrl, auth, dialect, extraBetas, userProfileId, allowInsecureHttp]);
}
