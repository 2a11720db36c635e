import { defined } from '../../../shared/defined';
import { objectOf, textOf, toMoment } from '../../../shared/session/eventFields';
import { isRunning } from '../../../shared/session/facts/sessionState';
import { sumOfBuckets, toTokens } from '../../../shared/session/facts/tokens';
import type { PhaseFacts, RunFacts } from '../../../shared/session/facts/workflowRuns';
import type { RunAgentView, RunView } from '../../../shared/session/sessionView';
import { type ThreadView, threadNames } from '../../../shared/session/threadViews';
import type { TranscriptState } from '../../../shared/session/transcript';
import { toLabel } from '../../../shared/text';
import type { SessionSource } from '../facts/sessionSource';

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
