import type { SessionReference } from '../../../contributions';
import type { ListedSession } from '../facts/listedSession';
import type { FollowedSessions } from '../list/followedSessions';

export interface EndNotifierDependencies {
  readonly followed: FollowedSessions;
  /** The setting. */
  readonly isWanted: () => boolean;
  /** Whether the user looks at this session right now. */
  readonly isLookedAt: (reference: SessionReference) => boolean;
  /** Whether this window is the one that tells it: another may have the same session followed. */
  readonly claim: (reference: SessionReference, endId: string) => Promise<boolean>;
  readonly tell: (reference: SessionReference, listed: ListedSession) => void;
}

/**
 * Tells once, over reloads and windows, that a followed session has come to its end or failed. How it stood when it began to be
 * followed is no news; an end that the user has on screen, or that came while the setting was off, counts as told.
 */
export class EndNotifier {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: EndNotifierDependencies) {}

  /** `endId` is the id of the event that ended its turn, if known. */
  consider(reference: SessionReference, listed: ListedSession, endId: string | undefined): Promise<void> {
    // One after the other: what is written down is read before.
    const told = this.last.then(() => this.take(reference, listed, endId));
    this.last = told.catch(() => undefined);
    return told;
  }

  private async take(reference: SessionReference, listed: ListedSession, endId: string | undefined): Promise<void> {
    const { followed, isWanted, isLookedAt, claim, tell } = this.deps;
    if (listed.state === 'running' || listed.state === 'rescheduling' || listed.state === 'waiting') {
      await followed.noteStanding(reference);
      return;
    }
    const known = listed.rest === undefined || endId === undefined ? [] : [endId];
    // A session that fails and is then terminated has ended once.
    const ends = listed.state === 'terminated' ? [...known, terminated] : known;
    const ours = followed.find(reference);
    const [first] = ends;
    if (ours === undefined || first === undefined) {
      return;
    }
    const fresh = await followed.tell(reference, ends);
    const isNews = ours.isKnown === true && fresh.length === ends.length;
    await followed.noteStanding(reference);
    if (isNews && isWanted() && !isLookedAt(reference) && (await claim(reference, first))) {
      tell(reference, listed);
    }
  }
}

/** A session is terminated once. */
const terminated = 'session.status_terminated';
