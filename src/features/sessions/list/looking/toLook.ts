import { restOf } from '../../../../shared/session/facts/turn';
import { type AskLog, type AskReading, nextAskLog } from '../../facts/askLog';
import { saidIn } from '../../searching/findWords';
import type { SessionLook } from '../known/sessionLooks';
import { firstUserWords, type NewestEvents } from '../newestEvents';

/** Derives a session's look from its newest events. `before` is the log as it was known. */
export function toLook(read: NewestEvents & Pick<AskReading, 'isDecided'>, before: AskLog | undefined): SessionLook {
  const { events, isWhole } = read;
  const log = nextAskLog(before, read);
  return {
    ...{ asks: log.asks, log, isUnknown: !log.isComplete, isWhole },
    firstWords: isWhole ? firstUserWords(events) : undefined,
    rest: restOf(log.turn),
    endId: log.turn.endId,
    said: saidIn(events),
  };
}
