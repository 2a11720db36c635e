import type { Event } from 'vscode';
import type { Session } from '../../../client/schemas/sessions';
import type { Clock } from '../../../common/clock';
import { Emitter } from '../../../common/emitter';
import type { SessionReference } from '../../../contributions';
import type { SeenSession } from '../sessionPanels';
import { asksOfView, type ListedSession, sessionOfView, stateOf, withView } from './listedSession';
import { SessionLooks } from './sessionLooks';
import { lookKey, SessionRecords } from './sessionRecords';
import { restOfSession, restOfView } from './sessionRest';

/** Whether something happened in a session, by its `updated_at`, since the user looked at it. */
export type UnreadTest = (reference: SessionReference, updatedAt: string | null | undefined) => boolean;

/**
 * All that is known of sessions, from pages of a list, single sessions that were retrieved, their newest events, and open
 * panels, put together to one state for each: what a live panel sees wins, then what was asked for last.
 */
export class KnownSessions {
  readonly looks: SessionLooks;
  private readonly records = new SessionRecords();
  private readonly stale = new Emitter<SessionReference>();
  /** What was last made of all this, and of what. */
  private made: { readonly of: readonly unknown[]; readonly all: readonly ListedSession[] } | undefined;
  private version = 0;

  /** Fires with a session whose open panel cannot know what the service just said of it: that it is archived. */
  readonly onDidOutdate: Event<SessionReference> = this.stale.event;

  /** `seen` gives what open panels know, `pinned` sessions that count though they may be of another connection. */
  constructor(
    private readonly clock: Clock,
    private readonly seen: () => readonly SeenSession[],
    private readonly pinned: () => readonly SessionReference[],
    private readonly isUnread: UnreadTest,
  ) {
    this.looks = new SessionLooks(clock);
  }

  /** Every session of a connection, and the pinned and open ones of others; newest first where the order of `items` does not tell. */
  all(connection: string, items: readonly Session[]): readonly ListedSession[] {
    const seen = this.seen();
    const pinned = this.pinned().map(lookKey);
    const of = [this.version, connection, items, ...seen.map(({ view }) => view), pinned.join('\n')];
    if (this.made !== undefined && isSame(this.made.of, of)) {
      return this.made.all;
    }
    const views = new Map(seen.map(one => [lookKey(one), one.view]));
    const pins = new Set(pinned);
    const known = new Map<string, ListedSession>();
    const add = (reference: SessionReference, session: Session) => {
      const key = lookKey(reference);
      if (!known.has(key)) {
        known.set(key, this.toListed(reference.connection, connection, session, views.get(key)));
      }
    };
    for (const session of items) {
      const reference = { connection, sessionId: session.id };
      add(reference, this.records.get(lookKey(reference))?.session ?? session);
    }
    const listed = known.size;
    for (const record of this.records.all()) {
      if (record.connection === connection || pins.has(lookKey(record))) {
        add(record, record.session);
      }
    }
    for (const { view, ...reference } of seen.filter(one => one.view.state !== 'deleted')) {
      add(reference, sessionOfView(reference.sessionId, view));
    }
    // The list is in the service's order; what is not on it goes where it would be.
    const all = known.size === listed ? [...known.values()] : [...known.values()].sort(byCreation);
    this.made = { of, all };
    return all;
  }

  /** One session, whatever its connection. */
  find(reference: SessionReference, current: string | undefined, items: readonly Session[]): ListedSession | undefined {
    const { connection, sessionId } = reference;
    const key = lookKey(reference);
    const view = this.seen().find(seen => lookKey(seen) === key)?.view;
    const onList = connection === current ? items.find(({ id }) => id === sessionId) : undefined;
    const session = this.records.get(key)?.session ?? onList ?? (view && sessionOfView(sessionId, view));
    return session === undefined ? undefined : this.toListed(connection, current, session, view);
  }

  /** When what is known of a session was asked for, in monotonic milliseconds; undefined where nothing is. */
  asOf(reference: SessionReference): number | undefined {
    return this.records.get(lookKey(reference))?.asOf;
  }

  /** Those of a page, asked for at `asOf`, that were not found to be gone since. */
  withoutGone(connection: string, sessions: readonly Session[], asOf: number): readonly Session[] {
    return sessions.filter(({ id }) => !this.records.wasGone(lookKey({ connection, sessionId: id }), asOf));
  }

  /** Takes in what was asked for at `asOf`, monotonic milliseconds. Answers whether any of it is news. */
  take(connection: string, sessions: readonly Session[], asOf: number): boolean {
    let isNews = false;
    for (const session of sessions) {
      isNews = this.records.take(connection, session, asOf) || isNews;
      const reference = { connection, sessionId: session.id };
      const view = session.archived_at ? this.seen().find(seen => lookKey(seen) === lookKey(reference))?.view : undefined;
      if (view !== undefined && view.state !== 'archived' && view.state !== 'deleted') {
        this.stale.fire(reference);
      }
    }
    return isNews;
  }

  /** Takes in what a live panel sees. */
  see({ view, ...reference }: SeenSession): void {
    const asOf = this.clock.monotonic();
    const key = lookKey(reference);
    const session = withView(this.records.get(key)?.session ?? sessionOfView(reference.sessionId, view), view);
    this.records.take(reference.connection, session, asOf);
    this.looks.put(key, session, { asks: asksOfView(view), firstWords: view.firstWords || undefined, rest: restOfView(view) }, asOf);
  }

  /** Takes out a session that is gone from the service. */
  remove(reference: SessionReference): void {
    this.records.remove(lookKey(reference), this.clock.monotonic());
  }

  /** Whether a session was found to be gone from the service, and nothing was told of it since. */
  isGone(reference: SessionReference): boolean {
    return this.records.wasGone(lookKey(reference), Number.NEGATIVE_INFINITY);
  }

  /** Notes that something changed that sessions are made of. */
  outdate(): void {
    this.version++;
  }

  clear(): void {
    this.looks.clear();
    this.records.clear();
  }

  private toListed(connection: string, current: string | undefined, told: Session, view: SeenSession['view'] | undefined): ListedSession {
    const look = this.looks.get(lookKey({ connection, sessionId: told.id }));
    const session = view === undefined ? told : withView(told, view);
    const asks = view === undefined ? (look?.asks ?? []) : asksOfView(view);
    const isResting = session.status === 'idle' && asks.length === 0 && !session.archived_at;
    const rest = isResting ? (view === undefined ? (look?.rest ?? restOfSession(session)) : restOfView(view)) : undefined;
    return {
      connection,
      ...(connection === current ? {} : { isElsewhere: true }),
      session,
      state: stateOf(session, asks, rest),
      asks,
      ...(this.isUnread({ connection, sessionId: told.id }, session.updated_at) ? { isUnread: true } : {}),
      ...(rest === undefined ? {} : { rest }),
      name: session.title?.trim() || view?.firstWords || look?.firstWords,
    };
  }
}

function byCreation(a: ListedSession, b: ListedSession): number {
  return (Date.parse(b.session.created_at ?? '') || 0) - (Date.parse(a.session.created_at ?? '') || 0);
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
}
