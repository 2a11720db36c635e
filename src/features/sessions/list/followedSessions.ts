import type { Event, Memento } from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { SessionReference } from '../../../contributions';

/** A session that was started or opened in this workspace and is looked after in the background for a while. */
export interface FollowedSession extends SessionReference {
  /** Event ids of the asks and ends that the user was told of, or saw. */
  readonly told: readonly string[];
  /** When something last happened in it, or the user last turned to it: milliseconds since 1970. */
  readonly activeAt: number;
  /** It was seen how it stands: an end that comes from here on is news. */
  readonly isKnown?: boolean;
  /** No longer looked after; kept for what was told. */
  readonly isOver?: boolean;
}

/** The sessions followed from this workspace, written down so that nothing is told twice after a reload. Bounded. */
export class FollowedSessions {
  private readonly began = new Emitter<void>();
  /** Fires when one more session is looked after. */
  readonly onDidFollow: Event<void> = this.began.event;

  constructor(private readonly memento: Pick<Memento, 'get' | 'update'>) {}

  /** Those that are looked after. */
  active(): readonly FollowedSession[] {
    return this.all().filter(({ isOver }) => !isOver);
  }

  find(reference: SessionReference): FollowedSession | undefined {
    return this.all().find(followed => isSame(followed, reference));
  }

  /** Begins to look after a session, or goes on. */
  async follow(reference: SessionReference, now: number): Promise<void> {
    const { connection, sessionId } = reference;
    const before = this.find(reference);
    await this.save({ connection, sessionId, told: before?.told ?? [], activeAt: now, ...(before?.isKnown ? { isKnown: true } : {}) });
    if (before === undefined || before.isOver) {
      this.began.fire();
    }
  }

  /** Notes that something happened in a session, if it is followed. */
  async touch(reference: SessionReference, now: number): Promise<void> {
    const followed = this.find(reference);
    if (followed !== undefined) {
      await this.save({ ...followed, activeAt: now });
    }
  }

  /** Notes asks as told; answers those of them that had not been. */
  async tell(reference: SessionReference, eventIds: readonly string[]): Promise<readonly string[]> {
    const followed = this.find(reference);
    const fresh = eventIds.filter(id => followed !== undefined && !followed.told.includes(id));
    if (followed !== undefined && fresh.length > 0) {
      await this.save({ ...followed, told: [...followed.told, ...fresh].slice(-mostTold) });
    }
    return fresh;
  }

  /** Notes that it was seen how a session stands. */
  async noteStanding(reference: SessionReference): Promise<void> {
    const followed = this.find(reference);
    if (followed !== undefined && followed.isKnown !== true) {
      await this.save({ ...followed, isKnown: true });
    }
  }

  /** Stops looking after a session. */
  async end(reference: SessionReference): Promise<void> {
    const followed = this.find(reference);
    if (followed !== undefined && !followed.isOver) {
      await this.save({ ...followed, isOver: true });
    }
  }

  /** Forgets a session that is gone. */
  async forget(reference: SessionReference): Promise<void> {
    await this.memento.update(
      key,
      this.all().filter(followed => !isSame(followed, reference)),
    );
  }

  /** Those that are looked after and those that were, the latest first. */
  all(): readonly FollowedSession[] {
    const kept: unknown = this.memento.get(key);
    return Array.isArray(kept) ? kept.filter(isFollowed) : [];
  }

  /** The latest is kept first; beyond the bound those that are over are dropped, the oldest first, and then the oldest of all. */
  private async save(followed: FollowedSession): Promise<void> {
    const kept = [followed, ...this.all().filter(other => !isSame(other, followed))];
    while (kept.length > mostFollowed) {
      const over = kept.findLastIndex(({ isOver }, index) => isOver === true && index > 0);
      kept.splice(over === -1 ? kept.length - 1 : over, 1);
    }
    await this.memento.update(key, kept);
  }
}

const key = 'managedAgents.followedSessions';
const mostFollowed = 200;
const mostTold = 100;

function isSame(a: SessionReference, b: SessionReference): boolean {
  return a.connection === b.connection && a.sessionId === b.sessionId;
}

function isFollowed(value: unknown): value is FollowedSession {
  const { connection, sessionId, told, activeAt } = (value ?? {}) as Partial<Record<keyof FollowedSession, unknown>>;
  return typeof connection === 'string' && typeof sessionId === 'string' && Array.isArray(told) && typeof activeAt === 'number';
}
