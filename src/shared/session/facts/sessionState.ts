import { toLabel } from '../../text';
import type { Translate } from '../translateText';
import type { SessionRest } from './turn';

/**
 * States of a session, those that need the user first. `failed`: nothing goes on in it after an error. `unknown`: idle, but what may wait in
 * it could not be read. `other`: a status that is not known here.
 */
export const sessionStates = [
  'waiting',
  'failed',
  'unknown',
  'running',
  'rescheduling',
  'idle',
  'terminated',
  'other',
  'archived',
] as const;
export type SessionState = (typeof sessionStates)[number];

/** What the state of a session is derived from. */
export interface StateFacts {
  /** The service's word. */
  readonly status: string;
  readonly isArchived: boolean;
  /** Something waits for the user. */
  readonly isWaiting: boolean;
  /** Whether something may wait that was not read. */
  readonly isUnknown?: boolean;
  readonly rest: SessionRest | undefined;
}

/** Returns the state that every surface shows of a session. Archived is told by the time of archiving, never by the status. */
export function stateOf({ status, isArchived, isWaiting, isUnknown = false, rest }: StateFacts): SessionState {
  if (isArchived) {
    return 'archived';
  }
  if (status === 'terminated') {
    return 'terminated';
  }
  if (isWaiting) {
    return 'waiting';
  }
  if (status === 'idle' && isUnknown) {
    return 'unknown';
  }
  if (rest?.kind === 'failed' && (status === 'idle' || status === 'running')) {
    return 'failed';
  }
  return status === 'running' || status === 'rescheduling' || status === 'idle' ? status : 'other';
}

/** Returns the rest that counts in a state: what goes on or waits has none. */
export function restIn(state: SessionState, rest: SessionRest | undefined): SessionRest | undefined {
  return state === 'idle' || state === 'failed' || (state === 'terminated' && rest?.kind === 'failed') ? rest : undefined;
}

/** Why a session rests, in few words or in the service's own. */
export function describeRest(rest: SessionRest | undefined, t: Translate): string {
  switch (rest?.kind) {
    case 'done':
      return t('done');
    case 'empty':
      return t('the agent sent no answer');
    case 'asked':
      return t('asked a question');
    case 'failed':
      return rest.message === undefined ? t('retries used up') : toSentence(rest.message);
    case 'refused':
      return describeRefusal(rest, t);
    case 'budget':
      return t('budget reached');
    case 'judged':
      return describeResult(rest.result, t);
    case 'other':
      return toLabel(rest.reason, 40);
    case undefined:
      return '';
  }
}

/** A refusal with its category and the service's explanation. */
export function describeRefusal(
  { category, explanation }: { readonly category?: string; readonly explanation?: string },
  t: Translate,
): string {
  const words = category === undefined ? t('refused') : t('refused ({0})', toLabel(category, 40));
  return explanation === undefined ? words : t('{0}: {1}', words, toSentence(explanation));
}

function toSentence(text: string): string {
  return toLabel(text.replace(/\s+/g, ' ').trim(), 300);
}

function describeResult(result: string, t: Translate): string {
  switch (result) {
    case 'satisfied':
      return t('outcome satisfied');
    case 'failed':
      return t('outcome failed');
    case 'max_iterations_reached':
      return t('outcome not reached');
    case 'interrupted':
      return t('outcome interrupted');
    default:
      return t('outcome: {0}', toLabel(result, 40));
  }
}
