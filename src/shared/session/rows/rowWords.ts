import { describeRefusal } from '../facts/sessionState';
import type { Translate } from '../translateText';
import type { ErrorRow, OutcomeRow, StatusRow, ToolRow } from './rows';

export function toolStateWords(row: Pick<ToolRow, 'state' | 'tool'>, t: Translate): string {
  switch (row.state) {
    case 'waiting':
      return row.tool === 'custom' ? t('needs a result') : t('needs approval');
    case 'held':
      return t('waiting for the other answers');
    case 'running':
      return t('running');
    case 'done':
      return t('done');
    case 'failed':
      return t('failed');
    case 'denied':
      return t('denied');
    case 'interrupted':
      return t('interrupted');
    case 'elsewhere':
      return t('result in thread');
  }
}

/** Returns a permission evaluation in words. Unknown words of the service stay unchanged. */
export function permissionWords(permission: string, t: Translate): string {
  switch (permission) {
    case 'allow':
      return t('allowed by policy');
    case 'ask':
      return t('asks first');
    case 'deny':
      return t('denied by policy');
    default:
      return permission;
  }
}

/** Returns a decision of the service itself in words. Unknown words and codes of the service stay as they are. */
export function decisionWords({ result, reason }: NonNullable<ToolRow['decision']>, t: Translate): string {
  const words =
    result === 'allow'
      ? t('allowed by the service')
      : result === 'deny'
        ? t('denied by the service')
        : result === 'ask'
          ? t('asks first')
          : result;
  return reason === undefined ? words : t('{0}: {1}', words, reasonWords(reason, t));
}

function reasonWords(code: string, t: Translate): string {
  switch (code) {
    case 'high_risk':
      return t('high risk');
    case 'indeterminate':
      return t('undecided');
    default:
      return code.replaceAll('_', ' ');
  }
}

/** Returns what happens next after an error. */
export function nextWords(retry: ErrorRow['retry'], t: Translate): string | undefined {
  switch (retry) {
    case undefined:
      return undefined;
    case 'retrying':
      return t('The service retries.');
    case 'exhausted':
      return t('The service gave up. Send a message to continue.');
    case 'terminal':
      return t('The session has ended.');
    default:
      return retry;
  }
}

type State = Partial<Pick<StatusRow, 'stopReason' | 'refusal'>> & { readonly status: string };

/** Returns a state in words. Unknown words of the service stay unchanged. */
export function statusWords(state: State, t: Translate): string {
  switch (state.status) {
    case 'running':
      return t('Running');
    case 'idle':
      return idleWords(state, t);
    case 'rescheduling':
    case 'rescheduled':
      return t('Rescheduled');
    case 'terminated':
      return t('Terminated');
    case 'archived':
      return t('Archived');
    case 'deleted':
      return t('Deleted');
    case 'interrupt':
      return t('You interrupted the agent');
    default:
      return state.status;
  }
}

function idleWords({ stopReason, refusal }: State, t: Translate): string {
  if (refusal !== undefined) {
    return t('Stopped: {0}', describeRefusal(refusal, t));
  }
  switch (stopReason) {
    case undefined:
      return t('Idle');
    case 'end_turn':
      return t('Turn complete');
    case 'requires_action':
      return t('Paused for your answer');
    case 'retries_exhausted':
      return t('Stopped: retries used up');
    case 'budget_reached':
      return t('Out of budget');
    case 'interrupted':
      return t('Interrupted');
    default:
      return t('Stopped: {0}', stopReason);
  }
}

/** Returns the state of a workflow run in words. Its end says nothing about the work. */
export function runWords(state: string, t: Translate): string {
  switch (state) {
    case 'running':
      return t('Running');
    case 'idle':
      return t('Idle');
    case 'completed':
      return t('Completed: the program finished; check the work');
    case 'error':
      return t('Failed');
    case 'stopped':
      return t('Stopped');
    default:
      return state;
  }
}

export function outcomeWords(row: OutcomeRow, t: Translate): string {
  switch (row.step) {
    case 'defined':
      return t('Outcome defined');
    case 'started':
      return t('Evaluating outcome');
    case 'ongoing':
      return t('Evaluating outcome');
    case 'cut':
      return t('Outcome not evaluated');
    case 'ended':
      return row.result === undefined ? t('Outcome evaluated') : t('Outcome: {0}', resultWords(row.result, t));
  }
}

function resultWords(result: string, t: Translate): string {
  switch (result) {
    case 'satisfied':
      return t('satisfied');
    case 'needs_revision':
      return t('needs revision');
    case 'max_iterations_reached':
      return t('not reached');
    case 'failed':
      return t('failed');
    case 'interrupted':
      return t('interrupted');
    default:
      return result;
  }
}
