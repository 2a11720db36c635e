import { evaluationTypes, forTypes, stopOf, type TranscriptEvent, threadOf } from '../event';
import { type Fields, type Moment, numberOf, objectOf, textOf } from '../eventFields';
import { partLimit, textOfParts, toParts, toSummary } from '../rows/parts';
import type { TokenBuckets } from '../rows/rows';
import { noProgress, type Progress, progressAfter } from './progress';
import { isRunning } from './sessionState';
import { addTokens, noTokens, toSpanTokens } from './tokens';
import { noTurn, type Turn, turnAfter } from './turn';
import { type RunFacts, runsAfter } from './workflowRuns';

export interface Observed<T> {
  readonly value: T;
  readonly at: Moment | undefined;
}

export interface ThreadFacts {
  readonly agentName: string | undefined;
  readonly status: Observed<string> | undefined;
}

export interface OutcomeFacts {
  readonly description: string;
  readonly result: string;
  readonly iteration: number | undefined;
  readonly explanation: string;
  readonly at: Moment | undefined;
}

/** Facts about a session in its events, up to one event. */
export interface SessionFacts {
  status?: Observed<string> | undefined;
  title?: Observed<string> | undefined;
  /** Start of the user's first message, in one line, or '' without a message. */
  firstWords: string;
  turn: Turn;
  progress: Progress;
  agent?: Observed<Fields> | undefined;
  budget?: Observed<unknown> | undefined;
  usage?: Observed<Fields> | undefined;
  spans: TokenBuckets;
  /** Total time between running and idle, in milliseconds. `undefined` if no times were reported. */
  activeMs?: number | undefined;
  runningSince?: Moment | undefined;
  lastAt?: Moment | undefined;
  isDeleted: boolean;
  readonly threads: Map<string, ThreadFacts>;
  readonly outcomes: Map<string, OutcomeFacts>;
  runs: ReadonlyMap<string, RunFacts>;
}

export function createSessionFacts(): SessionFacts {
  return {
    firstWords: '',
    turn: noTurn,
    progress: noProgress,
    spans: noTokens,
    isDeleted: false,
    threads: new Map(),
    outcomes: new Map(),
    runs: new Map(),
  };
}

/** Returns a copy that later events don't change. */
export function copyFacts(facts: SessionFacts): SessionFacts {
  return { ...facts, threads: new Map(facts.threads), outcomes: new Map(facts.outcomes) };
}

/** Updates the facts with one more event at time `at`. `shownThread` is the id of the log's thread, if known. */
export function learnEvent(facts: SessionFacts, event: TranscriptEvent, at: Moment | undefined, shownThread: string | undefined): void {
  if (at !== undefined && (facts.lastAt === undefined || at.ms > facts.lastAt.ms)) {
    facts.lastAt = at;
  }
  facts.isDeleted ||= event.type === 'session.deleted';
  facts.turn = turnAfter(facts.turn, event, shownThread);
  facts.progress = progressAfter(facts.progress, event, shownThread, facts.turn);
  facts.runs = runsAfter(facts.runs, event);
  learners.get(event.type)?.(facts, event, at);
}

type Learner = (facts: SessionFacts, event: TranscriptEvent, at: Moment | undefined) => void;

const learners: ReadonlyMap<string, Learner> = new Map<string, Learner>([
  ['session.status_running', toStatus('running')],
  ['session.status_idle', toStatus('idle')],
  ['session.status_rescheduled', toStatus('rescheduling')],
  ['session.status_terminated', toStatus('terminated')],
  ['session.thread_created', toThread(undefined)],
  ['session.thread_status_running', toThread('running')],
  ['session.thread_status_idle', toThread('idle')],
  ['session.thread_status_rescheduled', toThread('rescheduling')],
  ['session.thread_status_terminated', toThread('terminated')],
  [
    'user.message',
    (facts, event) => {
      facts.firstWords ||= toSummary(textOfParts(toParts(event.content, partLimit)));
    },
  ],
  ...forTypes(['session.updated', 'session.usage'], learnFields),
  [
    'span.model_request_end',
    (facts, event) => {
      facts.spans = addTokens(facts.spans, toSpanTokens(event) ?? noTokens);
    },
  ],
  ['user.define_outcome', learnOutcome],
  ...forTypes(evaluationTypes, learnEvaluation),
]);

function toStatus(word: string): Learner {
  return (facts, event, at) => {
    if (facts.runningSince !== undefined && at !== undefined) {
      facts.activeMs = (facts.activeMs ?? 0) + Math.max(0, at.ms - facts.runningSince.ms);
    }
    facts.runningSince = word === 'running' ? at : undefined;
    restThreads(facts, word, event, at);
    facts.status = { value: word, at };
  };
}

/** Sets the threads to idle or terminated along with the session. At the end of a turn, evaluations in progress return to pending. */
function restThreads(facts: SessionFacts, word: string, event: TranscriptEvent, at: Moment | undefined): void {
  if (word !== 'idle' && word !== 'terminated') {
    return;
  }
  for (const [id, thread] of facts.threads) {
    const { value } = thread.status ?? {};
    if (word === 'terminated' || isRunning(value)) {
      facts.threads.set(id, { ...thread, status: { value: word, at } });
    }
  }
  if (stopOf(event)?.reason !== 'requires_action') {
    for (const [id, outcome] of facts.outcomes) {
      if (outcome.result === 'evaluating') {
        facts.outcomes.set(id, { ...outcome, result: 'pending', at });
      }
    }
  }
}

function toThread(status: string | undefined): Learner {
  return (facts, event, at) => {
    const id = threadOf(event);
    if (id === undefined) {
      return;
    }
    const known = facts.threads.get(id);
    facts.threads.set(id, {
      agentName: textOf(event.agent_name) ?? known?.agentName,
      status: status === undefined ? known?.status : { value: status, at },
    });
  };
}

/** Records the fields of the session that an update or a usage report contains. */
function learnFields(facts: SessionFacts, event: TranscriptEvent, at: Moment | undefined): void {
  const [agent, usage] = [objectOf(event.agent), objectOf(event.usage)];
  if ('title' in event) {
    facts.title = { value: textOf(event.title) ?? '', at };
  }
  if (agent !== undefined) {
    facts.agent = { value: agent, at };
  }
  if (usage !== undefined) {
    facts.usage = { value: usage, at };
  }
  if ('budget' in event) {
    facts.budget = { value: event.budget, at };
  }
}

function learnOutcome(facts: SessionFacts, event: TranscriptEvent, at: Moment | undefined): void {
  const id = textOf(event.outcome_id) ?? textOf(event.id);
  if (id !== undefined) {
    const description = textOf(event.description) ?? '';
    facts.outcomes.set(id, { description, result: 'pending', iteration: undefined, explanation: '', at });
  }
}

function learnEvaluation(facts: SessionFacts, event: TranscriptEvent, at: Moment | undefined): void {
  const id = textOf(event.outcome_id);
  if (id === undefined) {
    return;
  }
  const known = facts.outcomes.get(id);
  const hasEnded = event.type === 'span.outcome_evaluation_end';
  facts.outcomes.set(id, {
    description: known?.description ?? '',
    result: hasEnded ? (textOf(event.result) ?? '') : 'evaluating',
    iteration: numberOf(event.iteration) ?? known?.iteration,
    explanation: hasEnded ? (textOf(event.explanation) ?? '') : (known?.explanation ?? ''),
    at,
  });
}
