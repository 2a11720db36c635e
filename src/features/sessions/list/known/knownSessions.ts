import type { Event } from 'vscode';
import type { Session } from '../../../../client/schemas/sessions';
import type { Clock } from '../../../../common/clock';
import { Emitter } from '../../../../common/emitter';
import type { SessionReference } from '../../../../contributions';
import { askLogOf } from '../../facts/askLog';
import type { SeenSession } from '../../sessionPanels';
import { asksOfView, type ListedSession, sessionOfView, withView } from '../listedSession';
import { type AllSessions, MadeSessions, type RuleOf, type UnreadTest } from './madeSessions';
import { SessionLooks } from './sessionLooks';
import { lookKey, SessionRecords } from './sessionRecords';

/**
 * All that is known of sessions, from pages of a list, single sessions that were retrieved, their newest events, and open
 * panels, put together to one state for each: what a live panel sees wins, then what was asked for last.
 */
export class KnownSessions {
  readonly looks: SessionLooks;
  private readonly records: SessionRecords;
  private readonly stale = new Emitter<SessionReference>();
  private readonly made: MadeSessions;

  /** Fires with a session whose open panel cannot know what the service just said of it: that it is archived. */
  readonly onDidOutdate: Event<SessionReference> = this.stale.event;

  /** `seen` gives what open panels know, `pinned` sessions that count though they may be of another connection. */
  constructor(
    private readonly clock: Clock,
    private readonly seen: () => readonly SeenSession[],
    private readonly pinned: () => readonly SessionReference[],
    tests: { readonly isUnread: UnreadTest; readonly ruleOf: RuleOf },
  ) {
    const outdate = (key: string) => this.made.outdate(key);
    this.looks = new SessionLooks(clock, outdate);
    this.records = new SessionRecords(outdate);
    this.made = new MadeSessions({ records: this.records, looks: this.looks, ...tests });
  }

  /** Every session of a connection, and the pinned and open ones of others; newest first where the order of `items` does not tell. */
  all(connection: string, items: readonly Session[]): AllSessions {
    const seen = this.seen().map(({ sessionId, view, ...of }) => ({ connection: of.connection, sessionId, view }));
    return this.made.take({ connection, items, seen, pinned: this.pinned().map(lookKey) });
  }

  /** One session, whatever its connection. */
  find(reference: SessionReference, current: string | undefined, items: readonly Session[]): ListedSession | undefined {
    const { connection, sessionId } = reference;
    const key = lookKey(reference);
    const view = this.seen().find(seen => lookKey(seen) === key)?.view;
    const onList = connection === current ? items.find(({ id }) => id === sessionId) : undefined;
    const session = this.records.get(key)?.session ?? onList ?? (view && sessionOfView(sessionId, view));
    return session === undefined ? undefined : this.made.toListed(reference, current, session, view);
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
  see({ view, transcript, ...reference }: SeenSession): void {
    const asOf = this.clock.monotonic();
    const key = lookKey(reference);
    const session = withView(this.records.get(key)?.session ?? sessionOfView(reference.sessionId, view), view);
    this.records.take(reference.connection, session, asOf);
    const asks = asksOfView(view);
    const log = transcript && askLogOf(transcript, asks);
    this.looks.put(key, session, { asks, log, firstWords: view.firstWords || undefined, rest: view.rest, endId: view.endId }, asOf);
  }

  /** Takes out a session that is gone from the service. */
  remove(reference: SessionReference): void {
    this.records.remove(lookKey(reference), this.clock.monotonic());
  }

  /** Whether a session was found to be gone from the service, and nothing was told of it since. */
  isGone(reference: SessionReference): boolean {
    return this.records.wasGone(lookKey(reference), Number.NEGATIVE_INFINITY);
  }

  /** Notes that something changed that a session is made of; any of them where none is named. */
  outdate(reference?: SessionReference): void {
    this.made.outdate(reference && lookKey(reference));
  }

  clear(): void {
    this.looks.clear();
    this.records.clear();
    this.made.outdate();
  }
}
