import { ownValue } from '../../isRecord';
import { describeRefusal } from '../facts/sessionState';
import type { Translate } from '../translateText';
import type { ErrorRow, ModelRow, OutcomeRow, StatusRow, ToolRow } from './rows';

export function toolStateWords(row: Pick<ToolRow, 'state' | 'tool'>, t: Translate): string {
  return {
    waiting: row.tool === 'custom' ? t('needs a result') : t('needs approval'),
    held: t('waiting for the other answers'),
    running: t('running'),
    done: t('done'),
    failed: t('failed'),
    denied: t('denied'),
    interrupted: t('interrupted'),
    elsewhere: t('result in thread'),
  }[row.state];
}

/** Returns a permission evaluation in words. Unknown words of the service stay unchanged. */
export function permissionWords(permission: string, t: Translate): string {
  const words = {
    allow: t('allowed by policy'),
    ask: t('asks first'),
    deny: t('denied by policy'),
  };
  return ownValue(words, permission) ?? permission;
}

/** Returns a decision of the service itself in words. Unknown words and codes of the service stay unchanged. */
export function decisionWords({ result, reason }: NonNullable<ToolRow['decision']>, t: Translate): string {
  const results = { allow: t('allowed by the service'), deny: t('denied by the service'), ask: t('asks first') };
  const words = ownValue(results, result) ?? result;
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

export function nextWords(retry: ErrorRow['retry'], t: Translate): string | undefined {
  const words = {
    retrying: t('The service is retrying.'),
    exhausted: t('The service gave up. Send a message to continue.'),
    terminal: t('The session has ended.'),
  };
  return ownValue(words, retry) ?? retry;
}

type State = Partial<Pick<StatusRow, 'stopReason' | 'refusal'>> & { readonly status: string };

/** Returns a state in words. Unknown words of the service stay unchanged. */
export function statusWords(state: State, t: Translate): string {
  const words = {
    running: t('Running'),
    idle: idleWords(state, t),
    rescheduling: t('Rescheduled'),
    rescheduled: t('Rescheduled'),
    terminated: t('Terminated'),
    archived: t('Archived'),
    deleted: t('Deleted'),
    interrupt: t('You interrupted the agent'),
  };
  return ownValue(words, state.status) ?? state.status;
}

function idleWords({ stopReason, refusal }: State, t: Translate): string {
  if (refusal !== undefined) {
    return t('Stopped: {0}', describeRefusal(refusal, t));
  }
  const words = {
    end_turn: t('Turn complete'),
    requires_action: t('Paused for your answer'),
    retries_exhausted: t('Stopped: retries used up'),
    budget_reached: t('Out of budget'),
    interrupted: t('Interrupted'),
  };
  return ownValue(words, stopReason) ?? (stopReason === undefined ? t('Idle') : t('Stopped: {0}', stopReason));
}

/** Returns the state of a workflow run in words. The end of a run doesn't mean that its work was done. */
export function runWords(state: string, t: Translate): string {
  const words = {
    running: t('Running'),
    idle: t('Idle'),
    completed: t('Completed: the program ended. Check its work.'),
    error: t('Failed'),
    stopped: t('Stopped'),
  };
  return ownValue(words, state) ?? state;
}

export function modelWords({ isError, end }: ModelRow, t: Translate): string {
  return isError ? t('Model request failed') : end === undefined ? t('Model request is running') : t('Model request');
}

export function outcomeWords(row: OutcomeRow, t: Translate): string {
  return {
    defined: t('Outcome defined'),
    started: t('Evaluating outcome'),
    ongoing: t('Evaluating outcome'),
    cut: t('Outcome not evaluated'),
    ended: row.result === undefined ? t('Outcome evaluated') : t('Outcome: {0}', resultWords(row.result, t)),
  }[row.step];
}

function resultWords(result: string, t: Translate): string {
  const words = {
    satisfied: t('satisfied'),
    needs_revision: t('needs revision'),
    max_iterations_reached: t('iteration limit reached'),
    failed: t('failed'),
    interrupted: t('interrupted'),
  };
  return ownValue(words, result) ?? result;
}
