import type { SessionReference } from '../../../contributions';
import type { ListedSession } from '../facts/listedSession';
import type { FollowedSessions } from '../list/followedSessions';

export interface EndNotifierDependencies {
  readonly followed: FollowedSessions;
  /** Returns the setting. */
  readonly isWanted: () => boolean;
  /** Returns whether the user has this session on screen. */
  readonly isVisible: (reference: SessionReference) => boolean;
  /** Returns whether this window notifies about an end. Other windows may follow the same session. */
  readonly claim: (reference: SessionReference, endId: string) => Promise<boolean>;
  readonly tell: (reference: SessionReference, listed: ListedSession) => void;
}

/**
 * Notifies once, even across reloads and windows, that a followed session has ended or failed. An end from before it was followed is not
 * news. An end that is on screen, or that came while the setting was off, counts as notified.
 */
export class EndNotifier {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: EndNotifierDependencies) {}

  /** `endId` is the ID of the event that ended its turn, if known. */
  consider(reference: SessionReference, listed: ListedSession, endId: string | undefined): Promise<void> {
    // Runs one call after the other: each reads what the previous one saved.
    const told = this.last.then(() => this.take(reference, listed, endId));
    this.last = told.catch(() => undefined);
    return told;
  }

  private async take(reference: SessionReference, listed: ListedSession, endId: string | undefined): Promise<void> {
    const { followed, isWanted, isVisible, claim, tell } = this.deps;
    if (listed.state === 'running' || listed.state === 'rescheduling' || listed.state === 'waiting') {
      await followed.noteState(reference);
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
    await followed.noteState(reference);
    if (isNews && isWanted() && !isVisible(reference) && (await claim(reference, first))) {
      tell(reference, listed);
    }
  }
}

/** A session is terminated once. */
const terminated = 'session.status_terminated';
