import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../../src/client/events/eventLog';
import type { Session } from '../../../../../src/client/resources/sessions';
import type { ServiceClient } from '../../../../../src/client/serviceClient';
import { ServiceError, type ServiceErrorDetails } from '../../../../../src/client/transport/errors';
import type { Connection } from '../../../../../src/features/connection/connection';
import { FollowedSessions } from '../../../../../src/features/sessions/list/followedSessions';
import { SessionListing, SessionStore } from '../../../../../src/features/sessions/list/sessionStore';
import { SessionWatcher } from '../../../../../src/features/sessions/list/sessionWatcher';
import { MemoryMemento } from '../memoryMemento';

export const start = Date.parse('2026-11-21T12:00:00Z');
export const hour = 3_600_000;
export const failing = (details: Partial<ServiceErrorDetails>) =>
  new ServiceError('no', { kind: 'api', outcome: 'unknown', method: 'GET', host: 'a', path: '/', ...details });

/** A service, a window and a workspace around one watcher. */
export class World {
  readonly calls: string[] = [];
  readonly looked: string[] = [];
  readonly sessions = new Map<string, Session>();
  readonly events = new Map<string, SessionEvent[]>();
  readonly opened = new Set<string>();
  /** Sessions that no page of the list contains. */
  readonly offPage = new Set<string>();
  failure: unknown;
  eventsFailure: unknown;
  keepsOrder = true;
  watched = false;
  used = false;
  trusted = true;
  reachable = true;
  now = start;
  underWay = 0;
  maxUnderWay = 0;
  readonly clock = { now: () => this.now, monotonic: () => this.now };
  readonly followed = new FollowedSessions(new MemoryMemento());
  readonly store = new SessionStore(this.clock, () => []);
  readonly connection = { name: 'A', baseUrl: 'http://a', isEmulator: false } as Connection;

  readonly watcher = new SessionWatcher({
    connections: {
      current: this.connection,
      access: 'A 1',
      state: 'ready',
      find: name => (name === 'A' ? this.connection : undefined),
    },
    reach: async () => this.client(),
    store: this.store,
    listing: new SessionListing(this.store),
    followed: this.followed,
    isWatched: () => this.watched,
    isUsed: () => this.used,
    isTrusted: () => this.trusted,
    isReachable: () => this.reachable,
    isOpen: ({ sessionId }) => this.opened.has(sessionId),
    onPolled: (_, { session, asks }) => this.looked.push(`${session.id}: ${asks.map(({ eventId }) => eventId).join(' ')}`),
    warn: () => {},
    clock: this.clock,
  });

  constructor() {
    this.store.reset('A');
  }

  add(id: string, status = 'idle', asks: readonly string[] = []): void {
    this.sessions.set(id, { id, type: 'session', status, updated_at: new Date(this.now - hour).toISOString() });
    this.events.set(id, [
      { type: 'user.message', id: `${id}-m`, content: [{ type: 'text', text: `words of ${id}` }] },
      { type: 'session.status_idle', id: `${id}-i`, stop_reason: { type: 'requires_action', event_ids: asks } },
    ]);
  }

  change(id: string, change: Partial<Session>): void {
    const session = this.sessions.get(id);
    assert.ok(session !== undefined);
    this.sessions.set(id, { ...session, updated_at: new Date(this.now - 10_000).toISOString(), ...change });
  }

  look(): Promise<number | undefined> {
    return this.watcher.poll(new AbortController().signal);
  }

  /** Returns the service calls since the previous call of `asked`. */
  asked(): string[] {
    return this.calls.splice(0);
  }

  private client(): ServiceClient {
    const answer = async <T>(call: string, data: () => T, failure = this.failure): Promise<T> => {
      this.calls.push(call);
      this.underWay++;
      this.maxUnderWay = Math.max(this.maxUnderWay, this.underWay);
      await new Promise(resolve => setImmediate(resolve));
      this.underWay--;
      if (failure !== undefined) {
        throw failure;
      }
      return data();
    };
    return {
      sessions: {
        list: () =>
          answer('list', () => ({
            items: [...this.sessions.values()].filter(({ id }) => !this.offPage.has(id)),
            nextCursor: undefined,
            requestId: undefined,
          })),
        retrieve: (id: string) =>
          answer(`retrieve ${id}`, () => {
            const data = this.sessions.get(id);
            if (data === undefined) {
              throw failing({ kind: 'not_found' });
            }
            return { data, requestId: undefined };
          }),
        listThreads: async (session_id: string) => ({ items: [{ id: `own ${session_id}`, session_id, parent_thread_id: null }] }),
        events: (id: string) => ({
          list: ({ order, limit }: { readonly order: string; readonly limit: number }) =>
            answer(
              order === 'asc' ? `first events ${id}` : `events ${id}`,
              () => {
                const events = [...(this.events.get(id) ?? [])];
                const items = (order === 'asc' && this.keepsOrder ? events : events.reverse()).slice(0, limit);
                return { items, nextCursor: items.length < events.length ? 'more' : undefined, requestId: undefined };
              },
              this.failure ?? this.eventsFailure,
            ),
        }),
      },
    } as unknown as ServiceClient;
  }
}
