import type { Session } from '../../../client/schemas/sessions';
import type { Translate } from '../../../common/text/translate';
import type { TranscriptEvent } from '../../../shared/session/event';
import { idOf, objectOf, textOf } from '../../../shared/session/eventFields';
import { asksAfter } from '../../../shared/session/facts/asksAfter';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';

/**
 * Why a session that is idle and waits for nobody rests (API facts, 8.2: `stop_reason`, outcome evaluations). `judged`: an outcome
 * that was asked for came to this result; `asked`: the turn ended with a question, in words, in the message with this id; `other`: a reason of the service that this version does not know.
 */
export type SessionRest =
  | { readonly kind: 'done' | 'failed' | 'budget' }
  | { readonly kind: 'asked'; readonly eventId: string }
  | { readonly kind: 'judged'; readonly result: string }
  | { readonly kind: 'other'; readonly reason: string };

/** Results of an outcome that is still being worked on (API facts, section 7). */
const underWay: ReadonlySet<string> = new Set(['', 'pending', 'running', 'evaluating', 'needs_revision']);

/** What the newest events of a session tell, oldest first; undefined where they do not reach back to the end of a turn. */
export function restAfter(events: readonly TranscriptEvent[]): SessionRest | undefined {
  const idleAt = events.findLastIndex(({ type }) => type === 'session.status_idle');
  if (idleAt < 0) {
    return undefined;
  }
  const turn = events.slice(0, idleAt + 1);
  // What the user said later began another turn, which no outcome was judged by.
  const began = turn.findLastIndex(({ type }) => type === 'user.message');
  const judged = turn.slice(began + 1).findLast(({ type }) => type === 'span.outcome_evaluation_end');
  return toRest(
    textOf(objectOf(events[idleAt]?.stop_reason)?.type),
    textOf(judged?.result),
    turn.reduce<string | undefined>(asksAfter, undefined),
  );
}

/** Id of the event that ended the last turn, where the events tell of one that waits for nothing. */
export function endAfter(events: readonly TranscriptEvent[]): string | undefined {
  const idle = events.findLast(({ type }) => type === 'session.status_idle');
  return idle === undefined || restAfter(events) === undefined ? undefined : idOf(idle);
}

/** What an open panel tells. */
export function restOfView({
  stopReason,
  outcomes,
  asked,
}: Pick<SessionView, 'stopReason' | 'outcomes' | 'asked'>): SessionRest | undefined {
  return stopReason === undefined ? undefined : toRest(stopReason, outcomes.at(-1)?.result, asked);
}

/** What the service says of a session itself, which is only of outcomes. */
export function restOfSession({ outcome_evaluations: outcomes }: Session): SessionRest | undefined {
  const result = outcomes?.at(-1)?.result ?? '';
  return underWay.has(result) ? undefined : { kind: 'judged', result };
}

function toRest(reason: string | undefined, result: string | undefined, asked: string | undefined): SessionRest | undefined {
  switch (reason) {
    case 'retries_exhausted':
      return { kind: 'failed' };
    case 'budget_reached':
      return { kind: 'budget' };
    case 'requires_action':
      return undefined;
    case 'end_turn':
    case undefined:
      return result !== undefined && !underWay.has(result)
        ? { kind: 'judged', result }
        : asked !== undefined && reason === 'end_turn'
          ? { kind: 'asked', eventId: asked }
          : { kind: 'done' };
    default:
      return { kind: 'other', reason };
  }
}

/** Why a session rests, in few words. */
export function describeRest(rest: SessionRest | undefined, translate: Translate): string {
  switch (rest?.kind) {
    case 'done':
      return translate('done');
    case 'asked':
      return translate('asked a question');
    case 'failed':
      return translate('retries used up');
    case 'budget':
      return translate('budget reached');
    case 'judged':
      return describeResult(rest.result, translate);
    case 'other':
      return toLabel(rest.reason, 40);
    case undefined:
      return '';
  }
}

function describeResult(result: string, translate: Translate): string {
  switch (result) {
    case 'satisfied':
      return translate('outcome satisfied');
    case 'failed':
      return translate('outcome failed');
    case 'max_iterations_reached':
      return translate('outcome not reached');
    case 'interrupted':
      return translate('outcome interrupted');
    default:
      return translate('outcome: {0}', toLabel(result, 40));
  }
}
