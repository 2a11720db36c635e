import type { Model } from '../../client/schemas/models';
import type { ServiceClient } from '../../client/serviceClient';
import type { Connection } from '../connection';

/** Pages of models that are read; a workspace exposes a handful. */
const mostPages = 20;

/** The models that connections serve, each connection asked once, in the background, when they are first wanted. */
export class ConnectionModels {
  /** By name and address; undefined while they are asked for and when they could not be had. */
  private readonly known = new Map<string, readonly Model[] | undefined>();
  private readonly lifetime = new AbortController();

  /** `onKnown` is called when an answer came; `onFailure` when there will be none. */
  constructor(
    private readonly reach: (connection: Connection) => Promise<Pick<ServiceClient, 'models'>>,
    private readonly onKnown: () => void,
    private readonly onFailure: (connection: Connection, error: unknown) => void,
  ) {}

  /** Undefined while they are not known; the first call for a connection asks for them. */
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
    // What is cut off is not known, so nothing can be said of a name that is not among them.
    return cursor === undefined ? found : undefined;
  }
}
