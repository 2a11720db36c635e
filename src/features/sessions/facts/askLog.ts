import type { TranscriptEvent } from '../../../shared/session/event';
import { idOf } from '../../../shared/session/eventFields';
import { noTurn, type Turn, turnAfter } from '../../../shared/session/facts/turn';
import type { Transcript } from '../../../shared/session/transcript';
import { asksOfEvents, type OpenAsk } from './openAsks';

/**
 * What waits in one session, and its latest turn, as far as its log was read. An ask stays until the log shows its answer or its end: events that were not
 * read end nothing.
 */
export interface AskLog {
  readonly asks: readonly OpenAsk[];
  /** Events that show what waits, oldest first. */
  readonly evidence: readonly TranscriptEvent[];
  /** The session's own thread, where it is known. */
  readonly ownThread: string | undefined;
  /** Ids of the newest events that were read. A later reading that reaches one of them has missed nothing. */
  readonly newest: ReadonlySet<string>;
  readonly turn: Turn;
  /** Whether nothing can wait but `asks`. */
  readonly isComplete: boolean;
}

/** The newest events of a log, in the service's order. */
export interface AskReading {
  readonly events: readonly TranscriptEvent[];
  /** There are no older ones. */
  readonly isWhole: boolean;
  /** What is older asks for nothing: every thread has said since how it is. */
  readonly isDecided?: boolean;
}

/** Returns what waits after a reading, and after what was known `before` it. */
export function nextAskLog(before: AskLog | undefined, { events, isWhole, isDecided = false }: AskReading): AskLog {
  const lastKnown = before === undefined || isWhole ? -1 : events.findLastIndex(event => before.newest.has(idOf(event) ?? ''));
  const isJoined = lastKnown >= 0;
  // A log only grows: what was read before has done all it does. Only bodies change, of answers that were taken up since.
  const bodies = new Map(events.map(event => [idOf(event), event]));
  const evidence = isWhole ? [] : (before?.evidence ?? []).map(event => bodies.get(idOf(event)) ?? event);
  const news = events.slice(lastKnown + 1);
  const known = asksOfEvents([...evidence, ...news], before?.ownThread);
  const begun = isJoined ? before?.turn : undefined;
  const newest = newestOf(events);
  return {
    ...known,
    turn: news.reduce((turn, event) => turnAfter(turn, event, known.ownThread), begun ?? noTurn),
    newest: newest.size === 0 && before !== undefined ? before.newest : newest,
    isComplete: isWhole || (isJoined ? before?.isComplete === true : isDecided),
  };
}

/** Returns what waits once the service has the answer to an ask. */
export function withAnswer(log: AskLog, eventId: string): AskLog {
  const answer = { type: 'user.tool_confirmation', tool_use_id: eventId };
  return { ...log, ...asksOfEvents([...log.evidence, answer], log.ownThread) };
}

/** Whether events reach back to those that were read before. */
export function joins({ newest }: AskLog, events: readonly TranscriptEvent[]): boolean {
  return events.some(event => newest.has(idOf(event) ?? ''));
}

/** Returns what waits as a panel shows it, which has read the whole log. */
export function askLogOf(transcript: Pick<Transcript, 'events' | 'askEvents' | 'shownThread' | 'turn'>, asks: readonly OpenAsk[]): AskLog {
  const { events, askEvents, shownThread, turn } = transcript;
  return { asks, evidence: askEvents, ownThread: shownThread, newest: newestOf(events), turn, isComplete: true };
}

function newestOf(events: readonly TranscriptEvent[]): ReadonlySet<string> {
  return new Set(events.slice(-remembered).flatMap(event => idOf(event) ?? []));
}

/** Events by which two readings are joined. */
const remembered = 8;
