import type { Session } from '../../../client/schemas/sessions';
import type { ServiceClient, SessionFilters } from '../../../client/serviceClient';
import type { ListOptions, Page } from '../../../client/transport/callResult';
import { ServiceError } from '../../../client/transport/errors';
import { isIgnoredBy, toServiceFilters } from './sessionFilter';
import type { SessionStore } from './sessionStore';

/**
 * Lists the sessions that a store needs, filtered by the service if possible. If the service refuses a filter, it is no longer sent. The
 * store filters in any case.
 */
export class SessionListing {
  // Per scope of the store: all pages of one listing must use the same filter.
  private scope: string | undefined;
  private attempts: SessionFilters[] = [];
  private isRefused = false;

  constructor(private readonly store: SessionStore) {}

  /** True if only the loaded sessions are filtered: the service refuses or ignores the filter of the current listing. */
  get isFilteredHere(): boolean {
    return this.scope === this.store.list.scope && this.isRefused;
  }

  /** Returns one page of the current listing. */
  async page(client: Pick<ServiceClient, 'sessions'>, options: ListOptions): Promise<Page<Session>> {
    const { store } = this;
    if (this.scope !== store.list.scope) {
      this.scope = store.list.scope;
      this.isRefused = false;
      this.attempts = attemptsFor(toServiceFilters(store.filter, store.filteredSince));
    }
    for (;;) {
      const { scope } = this;
      const [asked = {}, ...easier] = this.attempts;
      try {
        const page = await client.sessions.list({ ...options, ...asked });
        this.isRefused ||= scope === this.scope && page.items.some(session => isIgnoredBy(session, asked));
        return page;
      } catch (error) {
        // A bad cursor is refused too, so only the first page says something about the filter.
        const isRefusal = error instanceof ServiceError && error.kind === 'invalid_request' && error.status !== undefined;
        if (!isRefusal || easier.length === 0 || options.cursor !== undefined || scope !== this.scope) {
          throw error;
        }
        this.attempts = easier;
        this.isRefused = true;
      }
    }
  }
}

/** Returns filters to try, each less specific than the one before. */
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
