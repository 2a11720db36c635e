import {
  callTypes,
  errorOf,
  foreignThreadOf,
  forTypes,
  isFinalError,
  isOfSession,
  type Refusal,
  refusalOf,
  resultTypes,
  stopOf,
  type TranscriptEvent,
} from '../event';
import { callIdOf, idOf, listOf, objectOf, textOf } from '../eventFields';
import { contentOf } from '../rows/eventRows';
import { textOfMessage } from '../rows/parts';

/**
 * Reason why a session rests. `failed` has the service's message, if any. `judged`: the outcome of this turn was evaluated to `result`.
 * `asked`: the turn ended with a question in the message `eventId`. `empty`: the agent sent no answer. `other` is an unknown stop reason.
 */
export type SessionRest =
  | { readonly kind: 'done' | 'empty' | 'budget' }
  | { readonly kind: 'failed'; readonly message?: string }
  | ({ readonly kind: 'refused' } & Refusal)
  | { readonly kind: 'asked'; readonly eventId: string }
  | { readonly kind: 'judged'; readonly result: string }
  | { readonly kind: 'other'; readonly reason: string };

export interface Turn {
  /** True if the events include the start of the turn. */
  readonly isWhole: boolean;
  /** `paused`: idle without a stop reason while a call has no result. The turn ends with the next idle event. */
  readonly phase: 'open' | 'paused' | 'idle' | 'terminated';
  readonly reason?: string | undefined;
  /** True if the agent sent a message or called a tool. */
  readonly hasWork: boolean;
  readonly isInterrupted: boolean;
  /** True if a message waits for the end of the turn. */
  readonly hasQueued: boolean;
  /** True if the budget was changed after it was reached. */
  readonly isBudgetChanged: boolean;
  /** Calls without a result. Each has its event id and the model's id of the call. */
  readonly openCalls: readonly (readonly string[])[];
  /** Id of the agent's last message to the user, if the message is a question. */
  readonly asked?: string | undefined;
  readonly judged?: string | undefined;
  readonly refusal?: Refusal | undefined;
  /** Latest error. `isFinal` means that the error ended the turn and nothing has happened since. */
  readonly error?: { readonly message: string | undefined; readonly isFinal: boolean } | undefined;
  /** Id of the event that ended the turn. The user is notified once per id. */
  readonly endId?: string | undefined;
}

export const noTurn: Turn = {
  isWhole: false,
  phase: 'open',
  hasWork: false,
  isInterrupted: false,
  hasQueued: false,
  isBudgetChanged: false,
  openCalls: [],
};

/** Returns the latest turn after one more event. Ignores events of threads other than `shownThread`, if known. */
export function turnAfter(turn: Turn, event: TranscriptEvent, shownThread: string | undefined): Turn {
  if (!isOfSession(event) && foreignThreadOf(event, shownThread) !== undefined) {
    return turn;
  }
  const before = starts(turn, event) ? { ...noTurn, isWhole: true, asked: turn.asked } : turn;
  const next = learners.get(event.type)?.(before, event) ?? before;
  if (next === turn) {
    return turn;
  }
  const rest = restOf(next);
  const isOver = rest !== undefined && (next.endId === undefined || (rest.kind === 'failed' && restOf(turn)?.kind !== 'failed'));
  return isOver ? { ...next, endId: idOf(event) } : next;
}

/** Returns why a session rests after its latest turn, or `undefined` if the turn continues or waits for an answer or a result. */
export function restOf(turn: Turn): SessionRest | undefined {
  const { phase, reason, error, asked } = turn;
  if (error?.isFinal === true || (error !== undefined && phase === 'terminated') || (phase === 'idle' && reason === 'retries_exhausted')) {
    return { kind: 'failed', ...(error?.message === undefined ? {} : { message: error.message }) };
  }
  if (phase !== 'idle' || reason === 'requires_action') {
    return undefined;
  }
  if (reason === 'budget_reached') {
    return turn.isBudgetChanged ? undefined : { kind: 'budget' };
  }
  if (reason === 'refusal') {
    return { kind: 'refused', ...turn.refusal };
  }
  if (reason !== undefined && reason !== 'end_turn') {
    return { kind: 'other', reason };
  }
  if (turn.openCalls.length > 0) {
    return undefined;
  }
  if (turn.judged !== undefined && !underWay.includes(turn.judged)) {
    return { kind: 'judged', result: turn.judged };
  }
  if (turn.refusal !== undefined) {
    return { kind: 'refused', ...turn.refusal };
  }
  if (asked !== undefined && reason === 'end_turn') {
    return { kind: 'asked', eventId: asked };
  }
  return { kind: turn.isWhole && !turn.hasWork && !turn.isInterrupted ? 'empty' : 'done' };
}

/** Results of an evaluation whose outcome is still in progress (API facts, section 7). */
const underWay: readonly string[] = ['', 'pending', 'running', 'evaluating', 'needs_revision'];

/** Returns whether an event starts a turn. A message during a turn waits for the end of the turn. */
function starts(turn: Turn, { type }: TranscriptEvent): boolean {
  const isOver = turn.phase === 'idle' && restOf(turn) !== undefined;
  switch (type) {
    case 'user.message':
    case 'user.define_outcome':
      return (
        turn === noTurn ||
        turn.error?.isFinal === true ||
        turn.phase === 'paused' ||
        (turn.phase === 'idle' && turn.reason !== 'requires_action')
      );
    case 'session.status_running':
      return isOver;
    default:
      return isOver && turn.hasQueued && type.startsWith('agent.');
  }
}

type Learner = (turn: Turn, event: TranscriptEvent) => Turn;

const learners: ReadonlyMap<string, Learner> = new Map<string, Learner>([
  ['user.message', turn => ({ ...turn, asked: undefined, hasQueued: turn.phase === 'open' && turn.hasWork })],
  ['user.interrupt', turn => ({ ...turn, openCalls: [], isInterrupted: true })],
  ['session.status_running', turn => ({ ...goesOn(turn), phase: 'open', reason: undefined })],
  ['session.status_idle', toIdle],
  ['session.status_terminated', turn => ({ ...turn, phase: 'terminated' })],
  ['session.error', learnError],
  ['session.updated', (turn, event) => ('budget' in event ? { ...turn, isBudgetChanged: turn.reason === 'budget_reached' } : turn)],
  ['agent.message', learnMessage],
  ['agent.thread_message_sent', learnWork],
  ['agent.thread_message_received', learnWork],
  ...forTypes(callTypes, learnCall),
  ...forTypes(resultTypes, learnResult),
  ['user.tool_confirmation', (turn, event) => (event.result === 'deny' ? learnResult(turn, event) : turn)],
  ['span.model_request_start', goesOn],
  // Some services report the end of the last request after going idle.
  [
    'span.model_request_end',
    (turn, event) => ({ ...turn, refusal: refusalOf(event) ?? (turn.phase === 'idle' ? turn.refusal : undefined) }),
  ],
  ['span.outcome_evaluation_end', (turn, event) => ({ ...turn, judged: textOf(event.result) })],
]);

function toIdle(turn: Turn, event: TranscriptEvent): Turn {
  const refusal = refusalOf(event);
  const reason = stopOf(event)?.reason;
  return {
    ...turn,
    phase: reason === undefined && turn.openCalls.length > 0 ? 'paused' : 'idle',
    reason,
    ...(refusal === undefined ? {} : { refusal: { ...turn.refusal, ...refusal } }),
  };
}

function learnError(turn: Turn, event: TranscriptEvent): Turn {
  const { type, message } = errorOf(event);
  return { ...turn, error: { message: message || type || undefined, isFinal: isFinalError(event) } };
}

function learnCall(turn: Turn, event: TranscriptEvent): Turn {
  const ids = [idOf(event), textOf(event.tool_use_id)].filter(id => id !== undefined);
  // Some services repeat a call when it asks for permission.
  const others = turn.openCalls.filter(call => !call.some(id => ids.includes(id)));
  const known = turn.openCalls.filter(call => !others.includes(call)).flat();
  const openCalls = event.evaluated_permission === 'deny' ? others : [...others, [...new Set([...known, ...ids])]];
  return { ...learnWork(turn), openCalls };
}

function learnResult(turn: Turn, event: TranscriptEvent): Turn {
  const call = callIdOf(event) ?? '';
  const openCalls = turn.openCalls.filter(ids => !ids.includes(call));
  return openCalls.length === turn.openCalls.length ? turn : { ...turn, openCalls };
}

/** Continues the turn after an error. Keeps the error as the reason in case the turn fails later. */
function goesOn(turn: Turn): Turn {
  const { error, ...rest } = turn;
  return error?.isFinal === true ? { ...rest, error: { ...error, isFinal: false }, endId: undefined } : turn;
}

/** Records that the agent did something, so that no earlier error ended its turn. */
function learnWork(turn: Turn): Turn {
  return { ...goesOn(turn), error: undefined, hasWork: true };
}

/** The question marks of all scripts. */
export const questionMarks = '?\uff1f\u061f\u037e';

/** Quotes, brackets and emphasis after the end of a sentence. */
const closing = /[\s"'\u201d\u2019\u00bb)\]*_`]{0,20}$/;

/** Records a message to the user. The service doesn't report questions, so they are detected by the end of the text. */
function learnMessage(turn: Turn, event: TranscriptEvent): Turn {
  const content = contentOf(event);
  const words = textOfMessage(content).trimEnd();
  const isEmpty = words === '' && listOf(content).every(part => objectOf(part)?.type === 'text');
  const end = words.slice(-200).replace(closing, '').at(-1) ?? ' ';
  const asked = questionMarks.includes(end) ? (idOf(event) ?? '') : undefined;
  return { ...(isEmpty ? turn : learnWork(turn)), asked };
}
