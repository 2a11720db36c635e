import type { SessionReference } from '../../../contributions';
import type { FollowedSessions } from '../list/followedSessions';
import type { ListedSession } from '../list/listedSession';

export interface EndTellerDependencies {
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
export class EndTeller {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: EndTellerDependencies) {}

  /** `readId` gives the id of the event that ended its turn; undefined where that is not known. */
  consider(reference: SessionReference, listed: ListedSession, readId: () => Promise<string | undefined>): Promise<void> {
    // One after the other: what is written down is read before.
    const told = this.last.then(() => this.take(reference, listed, readId));
    this.last = told.catch(() => undefined);
    return told;
  }

  private async take(reference: SessionReference, listed: ListedSession, readId: () => Promise<string | undefined>): Promise<void> {
    const { followed, isWanted, isLookedAt, claim, tell } = this.deps;
    if (listed.state === 'running' || listed.state === 'rescheduling' || listed.state === 'waiting') {
      await followed.noteStanding(reference);
      return;
    }
    const endId = listed.state === 'terminated' ? terminated : hasRested(listed) ? await readId() : undefined;
    const ours = followed.find(reference);
    if (ours === undefined || endId === undefined) {
      return;
    }
    const [fresh] = await followed.tell(reference, [endId]);
    const isNews = ours.isKnown === true && fresh !== undefined;
    await followed.noteStanding(reference);
    if (isNews && isWanted() && !isLookedAt(reference) && (await claim(reference, endId))) {
      tell(reference, listed);
    }
  }
}

/** A session is terminated once. */
const terminated = 'session.status_terminated';

function hasRested({ state, rest }: ListedSession): boolean {
  return state === 'failed' || (state === 'idle' && rest !== undefined);
}
