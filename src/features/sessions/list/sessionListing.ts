import type { Session } from '../../../client/schemas/sessions';
import type { ServiceClient, SessionFilters } from '../../../client/serviceClient';
import type { ListOptions, Page } from '../../../client/transport/answer';
import { ServiceError } from '../../../client/transport/errors';
import { isIgnoredBy, toServiceFilters } from './sessionFilter';
import type { SessionStore } from './sessionStore';

/** Why the filter works on what was loaded only: the service refuses it, or takes no notice of it. */
export type FilterNote = 'refused' | 'ignored';

/**
 * Lists the sessions that a store wants, filtered by the service as far as it can. A service that refuses a filter is asked
 * without it from then on; the store filters in any case.
 */
export class SessionListing {
  // Per scope of the store: pages of one listing have to be asked for in one way.
  private scope: string | undefined;
  private attempts: SessionFilters[] = [];
  private currentNote: FilterNote | undefined;

  constructor(private readonly store: SessionStore) {}

  /** What to tell about the filter of the current listing. */
  get note(): FilterNote | undefined {
    return this.scope === this.store.list.scope ? this.currentNote : undefined;
  }

  /** One page of what the store lists now. */
  async page(client: Pick<ServiceClient, 'sessions'>, options: ListOptions): Promise<Page<Session>> {
    const { store } = this;
    if (this.scope !== store.list.scope) {
      this.scope = store.list.scope;
      this.currentNote = undefined;
      this.attempts = attemptsFor(toServiceFilters(store.filter, store.filteredSince));
    }
    for (;;) {
      const { scope } = this;
      const [asked = {}, ...easier] = this.attempts;
      try {
        const page = await client.sessions.list({ ...options, ...asked });
        if (scope === this.scope && page.items.some(session => isIgnoredBy(session, asked))) {
          this.currentNote ??= 'ignored';
        }
        return page;
      } catch (error) {
        // A bad cursor is refused as well: only the first page tells about the filter.
        const isRefusal = error instanceof ServiceError && error.kind === 'invalid_request' && error.status !== undefined;
        if (!isRefusal || easier.length === 0 || options.cursor !== undefined || scope !== this.scope) {
          throw error;
        }
        this.attempts = easier;
        this.currentNote = 'refused';
      }
    }
  }
}

/** Ways to ask, each with less than the one before. */
function attemptsFor(filters: SessionFilters): SessionFilters[] {
  const { includeArchived, ...rest } = filters;
  const attempts: SessionFilters[] = [filters];
  if (includeArchived && Object.keys(rest).length > 0) {
    attempts.push({ includeArchived });
  }
  if (Object.keys(filters).length > 0) {
    attempts.push({});
  }
  return attempts;
}
