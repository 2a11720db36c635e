import type { TranscriptEvent } from '../../../shared/session/event';
import { idOf } from '../../../shared/session/eventFields';
import { noProgress, type Progress, progressAfter } from '../../../shared/session/facts/progress';
import { noTurn, questionMarks, restOf, type SessionRest, type Turn, turnAfter } from '../../../shared/session/facts/turn';
import { textOfMessage } from '../../../shared/session/rows/parts';
import type { Transcript } from '../../../shared/session/transcript';
import { saidIn } from './findWords';
import { firstUserWords, type NewestEvents } from './newestEvents';
import { asksOfEvents, type OpenAsk } from './openAsks';

/** Open asks and the latest turn of a session, according to the events that were read. An ask is open until an event ends it. */
export interface AskLog {
  readonly asks: readonly OpenAsk[];
  /** Events that show that `asks` are open, oldest first. */
  readonly evidence: readonly TranscriptEvent[];
  /** ID of the session's own thread, if known. */
  readonly ownThread: string | undefined;
  /** IDs of the newest events that were read. A later read that reaches one of these events has no gap. */
  readonly newest: ReadonlySet<string>;
  readonly turn: Turn;
  readonly progress: Progress;
  /** True if the session has no open asks other than `asks`. */
  readonly isComplete: boolean;
}

/** Transcript of an open panel, which has read all events. */
export type ReadTranscript = Pick<Transcript, 'events' | 'askEvents' | 'shownThread' | 'facts'>;

/** The newest events of a log, in the service's order. */
export interface AskReading extends NewestEvents {
  /** True if older events hold no open ask, because every thread has reported its status since. */
  readonly isDecided?: boolean;
}

/** Returns the log with the events of a read added. `before` is the previous log. */
export function nextAskLog(before: AskLog | undefined, { events, isWhole, isDecided = false }: AskReading): AskLog {
  const lastKnown = before === undefined || isWhole ? -1 : events.findLastIndex(event => before.newest.has(idOf(event) ?? ''));
  const isJoined = lastKnown >= 0;
  // Applies only new events, because a log only grows. Known events get their current bodies, because answers are processed later.
  const bodies = new Map(events.map(event => [idOf(event), event]));
  const evidence = isWhole ? [] : (before?.evidence ?? []).map(event => bodies.get(idOf(event)) ?? event);
  const news = events.slice(lastKnown + 1);
  const known = asksOfEvents([...evidence, ...news], before?.ownThread);
  let { turn, progress } = isJoined && before !== undefined ? before : { turn: noTurn, progress: noProgress };
  for (const event of news) {
    turn = turnAfter(turn, event, known.ownThread);
    progress = progressAfter(progress, event, known.ownThread, turn);
  }
  const newest = newestOf(events);
  return {
    ...known,
    turn,
    progress: progress.turns.length === 0 && before !== undefined ? { ...progress, turns: before.progress.turns } : progress,
    newest: newest.size === 0 && before !== undefined ? before.newest : newest,
    isComplete: isWhole || (isJoined ? before?.isComplete === true : isDecided),
  };
}

/** Returns the log after the service has stored the answer to an ask. */
export function withAnswer(log: AskLog, eventId: string): AskLog {
  const answer = { type: 'user.tool_confirmation', tool_use_id: eventId };
  return { ...log, ...asksOfEvents([...log.evidence, answer], log.ownThread) };
}

/** Returns whether events reach back to the events of an earlier read. */
export function joins({ newest }: AskLog, events: readonly TranscriptEvent[]): boolean {
  return events.some(event => newest.has(idOf(event) ?? ''));
}

/** Returns the log of an open panel, which has read all events. `asks` are the asks that the panel shows. */
export function askLogOf(transcript: ReadTranscript, asks: readonly OpenAsk[]): AskLog {
  const { events, askEvents: evidence, shownThread: ownThread, facts } = transcript;
  return { asks, evidence, ownThread, newest: newestOf(events), turn: facts.turn, progress: facts.progress, isComplete: true };
}

function newestOf(events: readonly TranscriptEvent[]): ReadonlySet<string> {
  return new Set(events.slice(-remembered).flatMap(event => idOf(event) ?? []));
}

/** Number of newest events whose IDs are kept, to detect a gap before the next read. */
const remembered = 8;

/** Facts from the events of a session that were read. */
export interface LogFacts {
  readonly asks: readonly OpenAsk[];
  /** True if the session may have other open asks, because the events that would show them were not read. */
  readonly isUnknown?: boolean;
  readonly log?: AskLog | undefined;
  /** First words of the session's first message, if that message was read. */
  readonly firstWords: string | undefined;
  /** True if the read reached the start of the log. */
  readonly isWhole?: boolean;
  readonly rest?: SessionRest | undefined;
  /** ID of the event that ended the session's last turn. */
  readonly endId?: string | undefined;
  readonly question?: string | undefined;
  /** Recent messages, for the search. */
  readonly said?: string | undefined;
}

/** Derives the facts from the newest events of a session. `before` is its previous log. */
export function toLogFacts(read: AskReading, before: AskLog | undefined): LogFacts {
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

/** Returns the last question in the message that ended a turn. `undefined` if there is no question. */
export function questionIn(events: readonly TranscriptEvent[], rest: SessionRest | undefined): string | undefined {
  const message = rest?.kind === 'asked' ? events.findLast(({ id }) => id === rest.eventId) : undefined;
  const text = (message === undefined ? '' : textOfMessage(message.content)).slice(-2000);
  const lastOf = (signs: string, before: number) => Math.max(...[...signs].map(sign => text.lastIndexOf(sign, before)));
  const end = lastOf(questionMarks, text.length);
  const start = lastOf(`${questionMarks}.!\u3002\uff01\n`, end - 1);
  return end <= 0 ? undefined : text.slice(start + 1, end + 1).trim();
}
