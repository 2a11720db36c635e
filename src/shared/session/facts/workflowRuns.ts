import type { TranscriptEvent } from '../event';
import { type Fields, listOf, objectOf, textOf } from '../eventFields';

/** A phase of a workflow run. A phase can start more than once. */
export interface PhaseFacts {
  readonly id: string;
  readonly name: string;
  readonly starts: number;
  readonly ends: number;
}

/** A workflow run as reported by its events. Names that were not reported are ''. */
export interface RunFacts {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly phases: readonly PhaseFacts[];
  /** `running`, `idle`, or the type of its result: `completed`, `error`, `stopped`, or a word of the service. */
  readonly state: string;
  readonly isOver: boolean;
  readonly problem?: string;
  /** Phases that run, latest last. */
  readonly current: readonly string[];
  /** Threads of the run's agents in order of creation, each with the phase that was running at that time, or ''. */
  readonly threads: ReadonlyMap<string, string>;
}

/** Returns the runs after one more event. Returns the same map for an event that is not about a run. */
export function runsAfter(runs: ReadonlyMap<string, RunFacts>, event: TranscriptEvent): ReadonlyMap<string, RunFacts> {
  const id = textOf(event.workflow_run_id);
  const learn = learners.get(event.type);
  if (id === undefined || learn === undefined) {
    return runs;
  }
  const known: RunFacts = runs.get(id) ?? {
    ...{ id, name: '', description: '', phases: [], state: 'running', isOver: false, current: [], threads: new Map() },
  };
  return new Map(runs).set(id, learn(known, event));
}

type Learner = (run: RunFacts, event: TranscriptEvent) => RunFacts;

const learners: ReadonlyMap<string, Learner> = new Map(
  Object.entries<Learner>({
    'workflow_run.created': (run, event) => ({
      ...run,
      name: textOf(event.name) ?? '',
      description: textOf(event.description) ?? '',
      phases: listOf(event.phases).flatMap(phase => toPhase(objectOf(phase))),
    }),
    'workflow_run.status_running': run => ({ ...run, state: 'running' }),
    'workflow_run.status_idle': run => (run.isOver ? run : { ...run, state: 'idle' }),
    'workflow_run.status_ended': (run, event) => {
      const result = objectOf(event.result);
      const ended = { ...run, state: textOf(result?.type) ?? 'completed', isOver: true, current: [] };
      return withProblem(ended, result?.error);
    },
    'workflow_run.error': (run, event) => withProblem(run, event.error),
    'workflow_run.phase_started': (run, event) => withPhase(run, event, 'starts'),
    'workflow_run.phase_ended': (run, event) => withPhase(run, event, 'ends'),
    'session.thread_created': (run, event) => {
      const thread = textOf(event.session_thread_id);
      return thread === undefined ? run : { ...run, threads: new Map(run.threads).set(thread, run.current.at(-1) ?? '') };
    },
  }),
);

function toPhase(phase: Fields | undefined): readonly PhaseFacts[] {
  const id = textOf(phase?.id);
  return id === undefined ? [] : [{ id, name: textOf(phase?.name) ?? id, starts: 0, ends: 0 }];
}

function withProblem(run: RunFacts, value: unknown): RunFacts {
  const error = objectOf(value);
  const problem = textOf(error?.message) ?? textOf(error?.type);
  return problem === undefined ? run : { ...run, problem };
}

function withPhase(run: RunFacts, event: TranscriptEvent, what: 'starts' | 'ends'): RunFacts {
  const id = textOf(event.workflow_run_phase_id) ?? '';
  // A run may have phases that are not in its first event.
  const phases = run.phases.some(phase => phase.id === id) ? run.phases : [...run.phases, { id, name: id, starts: 0, ends: 0 }];
  const latest = run.current.lastIndexOf(id);
  const current = what === 'starts' ? [...run.current, id] : run.current.filter((_, index) => index !== latest);
  return { ...run, current, phases: phases.map(phase => (phase.id === id ? { ...phase, [what]: phase[what] + 1 } : phase)) };
}
