import type { Deployment, DeploymentRun } from '../../../client/schemas/deployments';
import { longestDelay } from '../../../shared/schedule/startDelay';
import { stateOf } from './deploymentWords';

/** Milliseconds that clocks of services and of this machine may differ, and that a run may need to be written down. */
const slack = 30_000;
/** Milliseconds within which a change of a deployment is what its own run wrote down. */
const writtenDown = 60_000;

/** What is remembered of the clock of a deployment between two looks. Times are milliseconds since 1970. */
export interface ClockMemory {
  /** Expression and zone: of another clock nothing holds any more. */
  readonly clock: string;
  readonly updatedAt: number | undefined;
  /** Times that the service promised while the clock went, and of which it is not known yet what became of them. Ascending. */
  readonly awaited: readonly number[];
}

/** What one more look tells. */
export interface ClockLook {
  readonly memory: ClockMemory | undefined;
  /** Times that passed by more than a session may start late, of which the deployment itself does not tell that there was a run. */
  readonly suspects: readonly number[];
}

/**
 * What became of the times that a service promised at an earlier look (API facts, section 14): a time has passed once the service promises
 * only later ones. What may have been paused meanwhile is not judged. Whose clock stands still has no memory.
 */
export function lookAtClock(before: ClockMemory | undefined, deployment: Deployment, now: number): ClockLook {
  const { schedule } = deployment;
  const upcoming = timesOf(schedule?.upcoming_runs_at ?? []);
  if (!schedule || stateOf(deployment) !== 'active' || upcoming.length === 0) {
    return { memory: undefined, suspects: [] };
  }
  const clock = JSON.stringify([schedule.expression, schedule.timezone]);
  const updatedAt = timeOf(deployment.updated_at);
  const lastRunAt = timeOf(schedule.last_run_at);
  const known = before?.clock === clock ? before.awaited : [];
  const isChanged = before?.updatedAt !== updatedAt && Math.abs((updatedAt ?? 0) - (lastRunAt ?? 0)) > writtenDown;
  const awaited = known.filter(time => !(isChanged && time <= (updatedAt ?? Number.POSITIVE_INFINITY)));
  const [next = 0] = upcoming;
  const passed = awaited.filter(time => time < next && !upcoming.includes(time));
  // That a service has gone past a time tells more of its clock than ours does.
  const latest = Math.max(now, ...passed);
  const all = [...new Set([...awaited, ...upcoming])].sort((a, b) => a - b);
  const isOverdue = (time: number) => time + delayOf(time, all) + slack < latest;
  const hasRun = (time: number) => lastRunAt !== undefined && lastRunAt >= time - 1_000 && lastRunAt <= time + delayOf(time, all) + slack;
  const open = passed.filter(time => !hasRun(time));
  return {
    memory: { clock, updatedAt, awaited: [...new Set([...open, ...upcoming])].sort((a, b) => a - b) },
    suspects: open.filter(isOverdue),
  };
}

/** Whether one of these runs was made for a time. */
export function isRunOf(run: DeploymentRun, time: number): boolean {
  const meant = timeOf(run.trigger_context?.scheduled_at);
  if (meant !== undefined) {
    return Math.abs(meant - time) < 1_000;
  }
  const made = timeOf(run.created_at);
  return run.trigger_context?.type !== 'manual' && made !== undefined && made >= time - 1_000 && made <= latestStart(time);
}

/** When a session of a time can have been started and written down at the latest. */
export function latestStart(time: number): number {
  return time + longestDelay(undefined) + slack;
}

function delayOf(time: number, all: readonly number[]): number {
  const next = all.find(other => other > time);
  return longestDelay(next === undefined ? undefined : next - time);
}

function timesOf(texts: readonly string[]): readonly number[] {
  return texts.flatMap(text => timeOf(text) ?? []).sort((a, b) => a - b);
}

function timeOf(text: string | null | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
