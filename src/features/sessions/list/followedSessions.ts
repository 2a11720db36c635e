import type { Event, Memento } from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { SessionReference } from '../../../contributions';

/** Session that was started or opened in this workspace and is polled in the background for a while. */
export interface FollowedSession extends SessionReference {
  /** Event IDs of the asks and ends that the user saw or was notified of. */
  readonly told: readonly string[];
  /** Time of the session's last change, or of the user's last act on it, in milliseconds since 1970. */
  readonly activeAt: number;
  /** True once the session's state is known. The user is only notified of an end after that. */
  readonly isKnown?: boolean;
  /** True if the session is no longer polled. Its entry stays, so that the user is not notified twice. */
  readonly isOver?: boolean;
}

/** Sessions followed from this workspace, saved so that the user is not notified twice after a reload. Limited in number. */
export class FollowedSessions {
  private readonly began = new Emitter<void>();
  /** Fires when another session is followed. */
  readonly onDidFollow: Event<void> = this.began.event;

  constructor(private readonly memento: Pick<Memento, 'get' | 'update'>) {}

  active(): readonly FollowedSession[] {
    return this.all().filter(({ isOver }) => !isOver);
  }

  find(reference: SessionReference): FollowedSession | undefined {
    return this.all().find(followed => isSame(followed, reference));
  }

  async follow(reference: SessionReference, now: number): Promise<void> {
    const { connection, sessionId } = reference;
    const before = this.find(reference);
    await this.save({ connection, sessionId, told: before?.told ?? [], activeAt: now, ...(before?.isKnown ? { isKnown: true } : {}) });
    if (before === undefined || before.isOver) {
      this.began.fire();
    }
  }

  /** Records a change in a session, if it is followed. */
  async touch(reference: SessionReference, now: number): Promise<void> {
    await this.amend(reference, { activeAt: now });
  }

  /** Saves events as notified. Returns the IDs of those that were new. */
  async noteNews(reference: SessionReference, eventIds: readonly string[]): Promise<readonly string[]> {
    const followed = this.find(reference);
    const fresh = eventIds.filter(id => followed !== undefined && !followed.told.includes(id));
    if (fresh.length > 0) {
      await this.amend(reference, { told: [...(followed?.told ?? []), ...fresh].slice(-maxReported) });
    }
    return fresh;
  }

  async noteState(reference: SessionReference): Promise<void> {
    await this.amend(reference, { isKnown: true });
  }

  async end(reference: SessionReference): Promise<void> {
    await this.amend(reference, { isOver: true });
  }

  async forget(reference: SessionReference): Promise<void> {
    await this.memento.update(
      key,
      this.all().filter(followed => !isSame(followed, reference)),
    );
  }

  /** Returns all followed sessions, also those that are no longer polled, latest first. */
  all(): readonly FollowedSession[] {
    const saved: unknown = this.memento.get(key);
    return Array.isArray(saved) ? saved.filter(isFollowed) : [];
  }

  private async amend(reference: SessionReference, change: Partial<FollowedSession>): Promise<void> {
    const followed = this.find(reference);
    if (followed !== undefined && Object.entries(change).some(([field, value]) => followed[field as keyof FollowedSession] !== value)) {
      await this.save({ ...followed, ...change });
    }
  }

  /** Saves a session in front. Beyond the limit, removes the oldest that are no longer polled, then the oldest of all. */
  private async save(followed: FollowedSession): Promise<void> {
    const saved = [followed, ...this.all().filter(other => !isSame(other, followed))];
    while (saved.length > maxFollowed) {
      const over = saved.findLastIndex(({ isOver }, index) => isOver === true && index > 0);
      saved.splice(over === -1 ? saved.length - 1 : over, 1);
    }
    await this.memento.update(key, saved);
  }
}

const key = 'managedAgents.followedSessions';
const maxFollowed = 200;
const maxReported = 100;

function isSame(a: SessionReference, b: SessionReference): boolean {
  return a.connection === b.connection && a.sessionId === b.sessionId;
}

function isFollowed(value: unknown): value is FollowedSession {
  const { connection, sessionId, told, activeAt } = (value ?? {}) as Partial<Record<keyof FollowedSession, unknown>>;
  return typeof connection === 'string' && typeof sessionId === 'string' && Array.isArray(told) && typeof activeAt === 'number';
}
