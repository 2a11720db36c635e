import type { Deployment, DeploymentRun } from '../../../client/schemas/deployments';
import { longestDelay } from '../../../shared/schedule/runTimes';
import { stateOf } from '../kinds/deploymentWords';

/** Tolerance for clock differences between the service and this machine, and for the delay before a run is recorded, in milliseconds. */
const slack = 30_000;
/** Maximum age of a deployment's change that its own run can have caused, in milliseconds. */
const writtenDown = 60_000;

/** State of a deployment's schedule between two checks. Times are in milliseconds since 1970. */
export interface ClockMemory {
  /** Expression and time zone. Everything else here is void once they change. */
  readonly clock: string;
  readonly updatedAt: number | undefined;
  /** Times that the service announced while the schedule was active and whose outcome is unknown. Ascending. */
  readonly awaited: readonly number[];
}

export interface ClockCheck {
  readonly memory: ClockMemory | undefined;
  /** Passed times without evidence of a run in the deployment itself, after the latest time at which a session may start. */
  readonly suspects: readonly number[];
}

/**
 * Determines the outcome of the times that a service announced earlier (API facts, section 14). A time has passed once the service
 * announces only later ones. Times during which the schedule may have been paused are ignored. A paused schedule has no memory.
 */
export function checkClock(before: ClockMemory | undefined, deployment: Deployment, now: number): ClockCheck {
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
  // A service that has gone past a time tells more about its clock than this machine's clock does.
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

/** Returns whether one of these runs belongs to a time. */
export function isRunOf(run: DeploymentRun, time: number): boolean {
  const meant = timeOf(run.trigger_context?.scheduled_at);
  if (meant !== undefined) {
    return Math.abs(meant - time) < 1_000;
  }
  const created = timeOf(run.created_at);
  return run.trigger_context?.type !== 'manual' && created !== undefined && created >= time - 1_000 && created <= latestStart(time);
}

/** Returns the latest time at which a session scheduled for `time` can have started and been recorded. */
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
