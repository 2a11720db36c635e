import type { Model } from '../../client/schemas/models';
import type { ServiceClient } from '../../client/serviceClient';
import type { Connection } from '../connection';

/** Maximum number of pages of models to read. A workspace has a few. */
const mostPages = 20;

/** Models of each connection, requested once in the background on first use. */
export class ConnectionModels {
  /** Models by connection name and address; `undefined` while loading and after a failure. */
  private readonly known = new Map<string, readonly Model[] | undefined>();
  private readonly lifetime = new AbortController();

  /** Calls `onKnown` when models arrive, or `onFailure` if the request fails. */
  constructor(
    private readonly reach: (connection: Connection) => Promise<Pick<ServiceClient, 'models'>>,
    private readonly onKnown: () => void,
    private readonly onFailure: (connection: Connection, error: unknown) => void,
  ) {}

  /** Returns the models of a connection, or `undefined` if they are unknown. The first call requests them. */
  of(connection: Connection): readonly Model[] | undefined {
    const key = `${connection.name} ${connection.baseUrl}`;
    if (!this.known.has(key)) {
      this.known.set(key, undefined);
      this.ask(connection).then(
        models => {
          this.known.set(key, models);
          this.onKnown();
        },
        (error: unknown) => this.onFailure(connection, error),
      );
    }
    return this.known.get(key);
  }

  dispose(): void {
    this.lifetime.abort();
  }

  private async ask(connection: Connection): Promise<readonly Model[] | undefined> {
    const client = await this.reach(connection);
    const { signal } = this.lifetime;
    const found: Model[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages && (page === 0 || cursor !== undefined); page++) {
      const { items, nextCursor, isCut } = await client.models.list({ signal, ...(cursor === undefined ? {} : { cursor }) });
      if (isCut === true) {
        return undefined;
      }
      found.push(...items);
      cursor = nextCursor;
    }
    // An incomplete list can't prove that a model is unknown.
    return cursor === undefined ? found : undefined;
  }
}
