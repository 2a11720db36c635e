import type { Event, Memento } from 'vscode';
import { Emitter } from '../../../common/emitter';
import { areTexts, StoredList } from '../../../common/storedList';
import type { SessionReference } from '../../../contributions';
import { referenceOf, sessionKey } from '../facts/listedSession';
import type { SessionStore } from './sessionStore';

/** Session that was started or opened in this workspace and is polled in the background for a while. */
export interface FollowedSession extends SessionReference {
  /** Event IDs of the asks and ends that the user saw or was notified of. */
  readonly told: readonly string[];
  /** Time of the session's last change, or of the user's last action on it, in milliseconds since 1970. */
  readonly activeAt: number;
  /** True once the session's state is known. The user is only notified of an end after that. */
  readonly isKnown?: boolean;
  /** True if the session is no longer polled. Its entry stays, so that the user is not notified twice. */
  readonly isOver?: boolean;
}

const maxReported = 100;

/** Sessions followed from this workspace, saved so that the user is not notified twice after a reload. Limited in number. */
export class FollowedSessions {
  private readonly list: StoredList<FollowedSession>;
  private readonly began = new Emitter<void>();
  /** Fires when a session is added, or is polled again. */
  readonly onDidFollow: Event<void> = this.began.event;

  constructor(memento: Pick<Memento, 'get' | 'update'>) {
    this.list = new StoredList<FollowedSession>(memento, {
      key: 'managedAgents.followedSessions',
      max: 200,
      identity: sessionKey,
      isEntry: ({ connection, sessionId, told, activeAt }) =>
        areTexts(connection, sessionId) && Array.isArray(told) && typeof activeAt === 'number',
    });
  }

  /** Returns all followed sessions, including sessions that are no longer polled, latest first. */
  all(): readonly FollowedSession[] {
    return this.list.all();
  }

  active(): readonly FollowedSession[] {
    return this.all().filter(({ isOver }) => !isOver);
  }

  find(reference: SessionReference): FollowedSession | undefined {
    return this.list.find(followed => sessionKey(followed) === sessionKey(reference));
  }

  async follow(reference: SessionReference, now: number): Promise<void> {
    const { connection, sessionId } = reference;
    const before = this.find(reference);
    await this.list.put({ connection, sessionId, told: before?.told ?? [], activeAt: now, ...(before?.isKnown ? { isKnown: true } : {}) });
    if (before === undefined || before.isOver) {
      this.began.fire();
    }
  }

  /** Saves events as reported to the user. Returns the IDs of the new events. */
  async noteNews(reference: SessionReference, eventIds: readonly string[]): Promise<readonly string[]> {
    const followed = this.find(reference);
    const fresh = eventIds.filter(id => followed !== undefined && !followed.told.includes(id));
    if (fresh.length > 0) {
      await this.amend(reference, { told: [...(followed?.told ?? []), ...fresh].slice(-maxReported) });
    }
    return fresh;
  }

  async end(reference: SessionReference): Promise<void> {
    await this.amend(reference, { isOver: true });
  }

  async forget(reference: SessionReference): Promise<void> {
    await this.list.remove(followed => sessionKey(followed) === sessionKey(reference));
  }

  /** Changes fields of a session, if the session is followed. */
  async amend(reference: SessionReference, change: Partial<FollowedSession>): Promise<void> {
    const followed = this.find(reference);
    if (followed !== undefined && Object.entries(change).some(([field, value]) => followed[field as keyof FollowedSession] !== value)) {
      await this.list.put({ ...followed, ...change });
    }
  }
}

/** Sessions with open asks as last known, limited in number. After a reload they are polled first, whatever page they are on. */
export class WaitedSessions {
  constructor(private readonly memento: Pick<Memento, 'get' | 'update'>) {}

  all(): readonly SessionReference[] {
    const saved: unknown = this.memento.get(key);
    return Array.isArray(saved) ? saved.filter(isReference) : [];
  }

  /** Saves the sessions with open asks. Keeps saved sessions whose asks are unknown. */
  note(store: Pick<SessionStore, 'waiting' | 'facts'>): void {
    const waiting = store.waiting().map(referenceOf);
    const known = new Set(waiting.map(sessionKey));
    const before = this.all();
    const isUnknown = (one: SessionReference) => (store.facts.logOf(one) ?? { isUnknown: true }).isUnknown === true;
    const unknown = before.filter(one => !known.has(sessionKey(one)) && isUnknown(one) && !store.facts.isGone(one));
    const saved = [...waiting, ...unknown].slice(0, maxSaved);
    const isSame = saved.map(sessionKey).sort().join('\n') === before.map(sessionKey).sort().join('\n');
    if (!isSame) {
      // A failed write only delays the next search.
      this.memento.update(key, saved).then(undefined, () => undefined);
    }
  }
}

const key = 'managedAgents.waitedSessions';
const maxSaved = 100;

function isReference(value: unknown): value is SessionReference {
  const { connection, sessionId } = (value ?? {}) as Partial<Record<keyof SessionReference, unknown>>;
  return typeof connection === 'string' && typeof sessionId === 'string';
}
