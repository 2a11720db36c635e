import { numberFormat } from '../../formats';
import { ownValue } from '../../isRecord';
import { toLabel } from '../../text';
import type { Refusal } from '../event';
import type { Translate } from '../translateText';
import type { ProgressProblem } from './progress';
import type { SessionRest } from './turn';

/**
 * States of a session. States that need the user come first. `failed`: an error stopped the session. `unknown`: the session is idle, and
 * its asks could not be read. `other`: this version doesn't know the status.
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

interface StateFacts {
  readonly status: string;
  readonly isArchived: boolean;
  readonly isWaiting: boolean;
  /** True if there may be an open ask that was not read. */
  readonly isUnknown?: boolean;
  readonly rest: SessionRest | undefined;
}

/** Returns the state of a session, the same on every surface. A session is archived by its `archived_at`, never by its status. */
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

/** Returns `rest` if the session rests in `state`. A session that runs or waits doesn't rest. */
export function restIn(state: SessionState, rest: SessionRest | undefined): SessionRest | undefined {
  return state === 'idle' || state === 'failed' || (state === 'terminated' && rest?.kind === 'failed') ? rest : undefined;
}

/**
 * Returns whether a session or thread runs. A running session has to be interrupted before it can be archived or deleted (API facts,
 * section 7).
 */
export function isRunning(status: string | null | undefined): boolean {
  return status === 'running' || status === 'rescheduling';
}

/** Returns the state of a session in one or two words. With `asksApproval`, the session waits for a permission. */
export function stateWords(
  view: { state: SessionState | 'deleted'; status: string; rest?: SessionRest | undefined; asksApproval: boolean },
  t: Translate,
): string {
  const { state, status, rest, asksApproval } = view;
  const unknown = status === '' ? t('Unknown') : toLabel(status, 40);
  return {
    waiting: asksApproval ? t('Needs approval') : t('Needs you'),
    running: t('Running'),
    rescheduling: t('Running'),
    failed: t('Failed'),
    terminated: t('Failed'),
    archived: t('Archived'),
    deleted: t('Deleted'),
    idle: restWords(rest, t),
    unknown,
    other: unknown,
  }[state];
}

function restWords(rest: SessionRest | undefined, t: Translate): string {
  if (rest?.kind === 'judged') {
    return rest.result === 'satisfied' ? t('Outcome satisfied') : t('Outcome not satisfied');
  }
  const words = ownValue({ asked: t('Needs you'), budget: t('Out of budget') }, rest?.kind);
  return words ?? (isTrouble({ state: 'idle', rest }) ? t('Failed') : t('Done'));
}

export function isTrouble({ state, rest }: { readonly state: SessionState; readonly rest?: SessionRest | undefined }): boolean {
  const isBad = rest?.kind === 'judged' ? rest.result !== 'satisfied' : ['budget', 'refused', 'empty'].includes(rest?.kind ?? '');
  return state === 'failed' || state === 'terminated' || isBad;
}

/** Describes why a session rests, in a few words. Unknown reasons are in the service's words. */
export function describeRest(rest: SessionRest | undefined, t: Translate): string {
  const words = { done: t('done'), empty: t('no answer'), asked: t('asked a question'), budget: t('budget reached') };
  switch (rest?.kind) {
    case 'failed':
      return rest.message === undefined ? t('retries used up') : toSentence(rest.message);
    case 'refused':
      return describeRefusal(rest, t);
    case 'judged':
      return describeResult(rest.result, t);
    case 'other':
      return toLabel(rest.reason, 40);
    default:
      return rest === undefined ? '' : words[rest.kind];
  }
}

export function describeRefusal({ category, explanation }: Refusal, t: Translate): string {
  const words = category === undefined ? t('refused') : t('refused ({0})', toLabel(category, 40));
  return explanation === undefined ? words : t('{0}: {1}', words, toSentence(explanation));
}

function toSentence(text: string): string {
  return toLabel(text.replace(/\s+/g, ' ').trim(), 300);
}

function describeResult(result: string, t: Translate): string {
  const words = {
    satisfied: t('outcome satisfied'),
    failed: t('outcome failed'),
    max_iterations_reached: t('outcome not satisfied'),
    interrupted: t('outcome interrupted'),
  };
  return ownValue(words, result) ?? t('outcome: {0}', toLabel(result, 40));
}

/** Describes why a session seems stuck, in a few words. */
export function describeProgress(problem: ProgressProblem, t: Translate, locale: string): string {
  switch (problem.kind) {
    case 'silent': {
      const hours = Math.floor(problem.minutes / 60);
      return hours < 2 ? t('no progress for {0} min', problem.minutes) : t('no progress for {0} hours', numberFormat(locale).format(hours));
    }
    case 'repeats':
      return t('same call {0} times: {1}', problem.count, toLabel(problem.what, 80));
    case 'alternates':
      return t('alternating between two calls');
    case 'fails':
      return t('{0} similar failures: {1}', problem.count, toLabel(problem.what, 80));
    case 'spends': {
      const isCurrency = /^[A-Z]{3}$/i.test(problem.currency);
      const format = numberFormat(locale, isCurrency ? { style: 'currency', currency: problem.currency } : {});
      return t('spent {0} without a message', format.format(problem.cents / 100));
    }
  }
}
