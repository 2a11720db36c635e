import type { SessionReference } from '../../../contributions';
import type { OpenAsk } from '../facts/openAsks';
import type { FollowedSessions } from '../list/followedSessions';

export interface AskNotifierDependencies {
  readonly followed: FollowedSessions;
  /** Returns the setting. */
  readonly isWanted: () => boolean;
  /** Returns whether the user has this session on screen. */
  readonly isVisible: (reference: SessionReference) => boolean;
  /** Shows asks of one session, the newest first. */
  readonly tell: (reference: SessionReference, name: string, asks: readonly OpenAsk[]) => void;
}

/**
 * Notifies once, even across reloads, that a followed session has open asks. Asks that are on screen, or that came while the setting was
 * off, count as notified.
 */
export class AskNotifier {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: AskNotifierDependencies) {}

  /** Resolves once new asks are saved, which is before they are shown. */
  consider(reference: SessionReference, name: string, asks: readonly OpenAsk[]): Promise<void> {
    // Runs one call after the other: each reads what the previous one saved.
    const told = this.last.then(async () => {
      const fresh = new Set(
        await this.deps.followed.tell(
          reference,
          asks.map(({ eventId }) => eventId),
        ),
      );
      const untold = asks.filter(({ eventId }) => fresh.has(eventId)).reverse();
      if (untold.length > 0 && this.deps.isWanted() && !this.deps.isVisible(reference)) {
        this.deps.tell(reference, name, untold);
      }
    });
    this.last = told.catch(() => undefined);
    return told;
  }
}
