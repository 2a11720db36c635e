import type { Disposable, Event } from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { SessionReference } from '../../../contributions';
import type { OpenAsk } from '../asks/openAsks';
import type { FollowedSessions } from '../list/followedSessions';
import { asksOfView, type ListedSession } from '../list/listedSession';
import { lookKey, type SessionStore } from '../list/sessionStore';
import type { SeenSession } from '../sessionPanels';

/** A session in which something waits for the user, as far as is known without asking it. */
export interface WaitingSession extends SessionReference {
  /** Title or first words; undefined where neither is known. */
  readonly name: string | undefined;
  readonly agent: string | undefined;
  /** Never empty. */
  readonly asks: readonly OpenAsk[];
}

/** Who waits for the user. Where that is known from is nobody's business. */
export interface WaitingSessions {
  /** Fires when another session waits, or for something else. */
  readonly onDidChange: Event<void>;
  all(): readonly WaitingSession[];
}

export interface KnownWaitingOptions {
  readonly store: Pick<SessionStore, 'list' | 'connectionName' | 'find' | 'onDidChange'>;
  readonly followed: Pick<FollowedSessions, 'find'>;
  /** What open panels know. */
  readonly seen: () => readonly SeenSession[];
}

/** Who waits by what the list, the looks at followed sessions and open panels have told; the newest of these counts. */
export class KnownWaiting implements WaitingSessions, Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly looked = new Map<string, ListedSession>();
  private readonly subscription: Disposable;
  private told = '[]';

  constructor(private readonly options: KnownWaitingOptions) {
    this.subscription = options.store.onDidChange(() => this.check());
  }

  /** Takes in a look at a followed session, of whichever connection. */
  look(listed: ListedSession): void {
    this.looked.set(keyOf(listed), listed);
    this.check();
  }

  all(): readonly WaitingSession[] {
    const { store, followed, seen } = this.options;
    const known = new Map<string, WaitingSession | undefined>();
    for (const [key, listed] of this.looked) {
      const ours = followed.find({ connection: listed.connection, sessionId: listed.session.id });
      if (ours === undefined || ours.isOver) {
        this.looked.delete(key);
      } else {
        known.set(key, toWaiting(listed));
      }
    }
    const { connectionName } = store;
    for (const { id } of connectionName === undefined ? [] : store.list.items) {
      const listed = store.find({ connection: connectionName ?? '', sessionId: id });
      if (listed !== undefined) {
        known.set(keyOf(listed), toWaiting(listed));
      }
    }
    for (const { connection, sessionId, view } of seen()) {
      const name = view.title || view.firstWords || undefined;
      const asks = asksOfView(view);
      known.set(
        lookKey({ connection, sessionId }),
        asks.length === 0 ? undefined : { connection, sessionId, name, agent: view.agent?.name, asks },
      );
    }
    return [...known.values()].filter(waiting => waiting !== undefined);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private check(): void {
    const now = JSON.stringify(
      this.all().map(({ connection, sessionId, name, agent, asks }) => [connection, sessionId, name, agent, asks.map(ask => ask.eventId)]),
    );
    if (now !== this.told) {
      this.told = now;
      this.changed.fire();
    }
  }
}

function keyOf({ connection, session }: ListedSession): string {
  return lookKey({ connection, sessionId: session.id });
}

function toWaiting({ connection, session, state, asks, name }: ListedSession): WaitingSession | undefined {
  return state === 'waiting' && asks.length > 0
    ? { connection, sessionId: session.id, name, agent: session.agent?.name || undefined, asks }
    : undefined;
}
