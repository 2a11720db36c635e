import type { SessionReference } from '../../../contributions';
import type { OpenAsk } from '../facts/openAsks';
import type { FollowedSessions } from '../list/followedSessions';

export interface AskNotifierDependencies {
  readonly followed: FollowedSessions;
  /** The setting. */
  readonly isWanted: () => boolean;
  /** Whether the user looks at this session right now. */
  readonly isLookedAt: (reference: SessionReference) => boolean;
  /** Shows asks of one session, the newest first. */
  readonly tell: (reference: SessionReference, name: string, asks: readonly OpenAsk[]) => void;
}

/**
 * Tells once, over reloads too, that a followed session waits. An ask that the user has on screen, or that came while the
 * setting was off, counts as told.
 */
export class AskNotifier {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: AskNotifierDependencies) {}

  /** Settles when what is new was written down, before it is shown. */
  consider(reference: SessionReference, name: string, asks: readonly OpenAsk[]): Promise<void> {
    // One after the other: what is written down is read before.
    const told = this.last.then(async () => {
      const fresh = new Set(
        await this.deps.followed.tell(
          reference,
          asks.map(({ eventId }) => eventId),
        ),
      );
      const untold = asks.filter(({ eventId }) => fresh.has(eventId)).reverse();
      if (untold.length > 0 && this.deps.isWanted() && !this.deps.isLookedAt(reference)) {
        this.deps.tell(reference, name, untold);
      }
    });
    this.last = told.catch(() => undefined);
    return told;
  }
}
