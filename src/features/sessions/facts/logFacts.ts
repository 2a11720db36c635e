import type { TranscriptEvent } from '../../../shared/session/event';
import { restOf, type SessionRest } from '../../../shared/session/facts/turn';
import { textOfMessage } from '../../../shared/session/rows/parts';
import { saidIn } from './findWords';
import { type AskLog, type AskReading, nextAskLog } from './askLog';
import { firstUserWords, type NewestEvents } from './newestEvents';
import type { OpenAsk } from './openAsks';

/** Facts from the log of a session, as far as it was read. */
export interface LogFacts {
  readonly asks: readonly OpenAsk[];
  /** True if the session may have other open asks: the events that would show them were not read. */
  readonly isUnknown?: boolean;
  readonly log?: AskLog | undefined;
  /** First words of its first message, if the events that were read reach back to it. */
  readonly firstWords: string | undefined;
  /** True if the newest events were all there are. */
  readonly isWhole?: boolean;
  /** Why it rests, if it does. */
  readonly rest?: SessionRest | undefined;
  /** Id of the event that ended its last turn. */
  readonly endId?: string | undefined;
  /** The question that its last turn ended with. */
  readonly question?: string | undefined;
  /** Recent messages, for the search. */
  readonly said?: string | undefined;
}

/** Derives the facts from the newest events of a session. `before` is its log as it was known. */
export function toLogFacts(read: NewestEvents & Pick<AskReading, 'isDecided'>, before: AskLog | undefined): LogFacts {
  const { events, isWhole } = read;
  const log = nextAskLog(before, read);
  const rest = restOf(log.turn);
  return {
    ...{ asks: log.asks, log, isUnknown: !log.isComplete, isWhole, rest, endId: log.turn.endId },
    firstWords: isWhole ? firstUserWords(events) : undefined,
    question: questionIn(events, rest),
    said: saidIn(events),
  };
}

/** Returns the last question in the message that a turn ended with. */
export function questionIn(events: readonly TranscriptEvent[], rest: SessionRest | undefined): string | undefined {
  const message = rest?.kind === 'asked' ? events.findLast(({ id }) => id === rest.eventId) : undefined;
  const text = (message === undefined ? '' : textOfMessage(message.content)).slice(-2000);
  const end = text.lastIndexOf('?');
  const start = Math.max(...['.', '!', '?', '\n'].map(sign => text.lastIndexOf(sign, end - 1)));
  return end <= 0 ? undefined : text.slice(start + 1, end + 1).trim();
}
