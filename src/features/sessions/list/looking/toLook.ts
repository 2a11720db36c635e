import { openAsks } from '../../asks/openAsks';
import { saidIn } from '../../searching/findWords';
import type { SessionLook } from '../known/sessionLooks';
import { firstUserWords, type NewestEvents } from '../newestEvents';
import { endAfter, restAfter } from '../sessionRest';

/** What the newest events of a session tell; nothing where they are too far back to be read. */
export function toLook(newest: NewestEvents | undefined): SessionLook {
  const events = newest?.events ?? [];
  return {
    asks: openAsks(events),
    isWhole: newest?.isWhole === true,
    firstWords: newest?.isWhole ? firstUserWords(events) : undefined,
    rest: restAfter(events),
    endId: endAfter(events),
    said: saidIn(events),
  };
}
