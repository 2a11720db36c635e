import { defined } from '../defined';
import { toLabel } from '../text';
import { objectOf, textOf, toMoment } from './eventFields';
import { isRunning } from './facts/sessionState';
import { type Money, sumOfBuckets, toTokens } from './facts/tokens';
import type { PhaseFacts, RunFacts } from './facts/workflowRuns';
import type { SessionSource } from './sessionSource';
import { type ThreadView, threadNames } from './threadViews';
import type { TranscriptState } from './transcript';

/** Agent of a workflow run. */
export interface RunAgentView {
  readonly thread: string;
  readonly name: string;
  readonly status: string;
  readonly waiting: number;
  /** Time of the agent's last known activity, in milliseconds since 1970. */
  readonly lastAt?: number;
  readonly tokens?: number;
  readonly cost?: Money;
}

/** Phase of a workflow run. `left` means that the run has left the phase, even if its work was not done. */
export interface RunPhaseView {
  /** '' for agents outside of all phases. */
  readonly id: string;
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'left';
  readonly agents: number;
  readonly running: number;
  readonly waiting: number;
  /** Agents to show: first agents that wait for the user, then running agents. */
  readonly shown: readonly RunAgentView[];
}

/** A workflow run: phases, and the agents in each. */
export interface RunView {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly state: string;
  readonly problem?: string;
  readonly agents: number;
  readonly running: number;
  readonly waiting: number;
  readonly phases: readonly RunPhaseView[];
}

/** Maximum number of agents that a run shows. A run can have a thousand. */
const maxShown = 30;

/** Returns the workflow runs of a session, with at most `limit` agents each. `threads` are all threads of the session. */
export function toRunViews(
  source: SessionSource,
  { facts }: TranscriptState,
  threads: readonly ThreadView[],
  limit = maxShown,
): readonly RunView[] {
  const views = new Map(threads.map(thread => [thread.id, thread]));
  const listed = new Map(source.isPast === true ? [] : source.threads?.map(thread => [thread.id, thread]));
  return [...facts.runs.values()].map(run => {
    const names = threadNames([...run.threads.keys()].map(id => ({ id, name: views.get(id)?.name ?? id })));
    const agents = [...run.threads.keys()].map((id): RunAgentView => {
      const thread = listed.get(id);
      const { status = '', waiting = 0, cost } = views.get(id) ?? {};
      const lastAt = Math.max(toMoment(thread?.updated_at)?.ms ?? 0, facts.threads.get(id)?.status?.at?.ms ?? 0);
      const buckets = toTokens(objectOf(thread?.usage));
      const tokens = buckets && sumOfBuckets(buckets);
      return { thread: id, name: names.get(id) ?? id, status, waiting, ...defined({ lastAt: lastAt || undefined, tokens, cost }) };
    });
    return toRunView(run, agents, limit);
  });
}

/** Returns the threads that belong to a workflow run. */
export function threadsOfRuns(source: SessionSource, { facts }: TranscriptState): ReadonlySet<string> {
  const listed = (source.threads ?? []).filter(thread => textOf(thread.workflow_run_id) !== undefined);
  return new Set([...listed.map(({ id }) => id), ...[...facts.runs.values()].flatMap(({ threads }) => [...threads.keys()])]);
}

function toRunView(run: RunFacts, agents: readonly RunAgentView[], limit: number): RunView {
  const outside: PhaseFacts = { id: '', name: '', starts: 1, ends: run.isOver ? 1 : 0 };
  const isOutside = agents.some(({ thread }) => run.threads.get(thread) === '');
  const phases = [...run.phases, ...(isOutside ? [outside] : [])].map(phase => ({
    phase,
    agents: agents.filter(({ thread }) => run.threads.get(thread) === phase.id),
  }));
  const shown = new Set(agents.toSorted((a, b) => urgency(a) - urgency(b) || (b.lastAt ?? 0) - (a.lastAt ?? 0)).slice(0, limit));
  return {
    ...{ id: run.id, name: toLabel(run.name), description: run.description.slice(0, 2000), state: run.state },
    ...defined({ problem: run.problem && toLabel(run.problem, 300) }),
    ...countsOf(agents),
    phases: phases.map(({ phase: { id, name, starts, ends }, agents: own }) => ({
      ...{ id, name: toLabel(name) },
      state: starts === 0 ? 'waiting' : run.isOver || ends >= starts ? 'left' : 'running',
      ...countsOf(own),
      shown: own.filter(agent => shown.has(agent)).sort((a, b) => urgency(a) - urgency(b)),
    })),
  };
}

function countsOf(agents: readonly RunAgentView[]): Pick<RunView, 'agents' | 'running' | 'waiting'> {
  return {
    agents: agents.length,
    running: agents.filter(({ status }) => isRunning(status)).length,
    waiting: agents.filter(({ waiting }) => waiting > 0).length,
  };
}

function urgency({ waiting, status }: RunAgentView): number {
  return waiting > 0 ? 0 : isRunning(status) ? 1 : status === 'terminated' ? 2 : 3;
}
