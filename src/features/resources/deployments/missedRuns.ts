import * as vscode from 'vscode';
import type { Deployment, DeploymentRun } from '../../../client/resources/deployments';
import { offer, showWarning } from '../../../common/asking/notifications';
import { Emitter } from '../../../common/emitter';
import { describeError } from '../../../common/text/describeError';
import { type Reference, views } from '../../../contributions';
import { longestDelay } from '../../../shared/schedule/runTimes';
import { deploymentRuns, deployments } from '../kinds/deployments';
import { stateOf } from '../kinds/deploymentWords';
import type { ResourceStore } from '../lists/resourceList';
import type { ResourceFlow } from '../resourceFlow';
import { keyOf } from '../resourceKind';
import type { RemarksOf } from '../resourcePresentation';
import { describeMissed, type MissedNews, presentMissed } from './missedRunsPresentation';

const stored = 'missedRuns';

const maxMissed = 10;

const maxRemembered = 500;

/** Delay before failed requests for runs are retried, in milliseconds. */
const checkInterval = 5 * 60 * 1000;

const week = 7 * 24 * 60 * 60 * 1000;

/** Stored state of a deployment. All times are in milliseconds since 1970. */
interface Remembered {
  readonly clock?: ScheduleState | undefined;
  /** Times without a run, ascending. */
  readonly missed: readonly number[];
  readonly seenAt: number;
}

interface MissedRunsParts {
  /** Storage that persists over window reloads. */
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  /** Reads the runs of a deployment created between two times, both in RFC 3339. Sends a background request. */
  readRuns(deployment: Reference, from: string, to: string): Promise<readonly DeploymentRun[]>;
  report(news: readonly MissedNews[]): void;
  warn(message: string): void;
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
}

/**
 * Detects scheduled times that passed without a run, by comparing consecutive listings of the deployments. If the listings of a deployment
 * don't show whether a run started, reads its runs once. Reports each missed time once, and keeps the time until it is cleared or a week
 * old.
 */
export class MissedRuns {
  private readonly deployments: Map<string, Remembered>;
  /** Deployments whose runs are being read or could not be read, with the time of the request. */
  private readonly lastChecks = new Map<string, number>();
  private written = '';
  private readonly changed = new Emitter<void>();

  readonly onDidChange: vscode.Event<void> = this.changed.event;

  constructor(private readonly parts: MissedRunsParts) {
    this.deployments = new Map(Object.entries(parts.memory.get<Record<string, Remembered>>(stored) ?? {}));
  }

  /** Returns the missed times of a deployment in milliseconds since 1970, latest first. */
  of(reference: Reference): readonly number[] {
    return this.deployments.get(keyOf(reference))?.missed.toReversed() ?? [];
  }

  /** Processes the currently listed deployments of a connection. Resolves when their missed times are found and reported. */
  async update(connection: string, listed: readonly Deployment[]): Promise<void> {
    const suspected = listed.flatMap(deployment => {
      const reference = { connection, kind: 'deployment', id: deployment.id };
      const suspects = this.suspectsOf(keyOf(reference), deployment);
      return suspects.length === 0 ? [] : [this.find(reference, deployment, suspects)];
    });
    const news = (await Promise.all(suspected)).filter(one => one !== undefined);
    if (news.length > 0) {
      this.parts.report(news);
      this.changed.fire();
    }
    this.keep();
  }

  /** Processes the currently listed runs. A time is no longer missed if its run appears late. */
  updateRuns(deployment: Reference, runs: readonly DeploymentRun[]): void {
    const known = this.deployments.get(keyOf(deployment));
    const missed = known?.missed.filter(time => !runs.some(run => isRunOf(run, time))) ?? [];
    if (known !== undefined && missed.length < known.missed.length) {
      this.deployments.set(keyOf(deployment), { ...known, missed });
      this.keep();
      this.changed.fire();
    }
  }

  clear(deployment: Reference | undefined): void {
    for (const [key, known] of this.deployments) {
      if (deployment === undefined || key === keyOf(deployment)) {
        this.deployments.set(key, { ...known, missed: [] });
      }
    }
    this.keep();
    this.changed.fire();
  }

  private suspectsOf(key: string, deployment: Deployment): readonly number[] {
    const now = this.parts.now();
    const known = this.deployments.get(key);
    const { state, suspects } = checkSchedule(known?.clock, deployment, now);
    const missed = (known?.missed ?? []).filter(time => now - time < week);
    if (state !== undefined || missed.length > 0) {
      this.deployments.set(key, { clock: state, missed, seenAt: now });
    } else {
      this.deployments.delete(key);
    }
    return suspects;
  }

  /** Finds the times without a run. Returns `undefined` if all times have a run, or if the runs can't be read now. */
  private async find(reference: Reference, { name }: Deployment, suspects: readonly number[]): Promise<MissedNews | undefined> {
    const key = keyOf(reference);
    const now = this.parts.now();
    if (now < (this.lastChecks.get(key) ?? Number.NEGATIVE_INFINITY) + checkInterval) {
      return undefined;
    }
    this.lastChecks.set(key, now);
    try {
      const [from = 0, to = from] = [suspects[0], suspects.at(-1)];
      const runs = await this.parts.readRuns(reference, new Date(from - 1_000).toISOString(), new Date(latestStart(to)).toISOString());
      const times = suspects.filter(time => !runs.some(run => isRunOf(run, time)));
      this.lastChecks.delete(key);
      const known = this.deployments.get(key);
      if (known === undefined) {
        return undefined;
      }
      const awaited = known.clock?.awaited.filter(time => !suspects.includes(time)) ?? [];
      const missed = [...known.missed, ...times].slice(-maxMissed);
      this.deployments.set(key, { ...known, clock: known.clock && { ...known.clock, awaited }, missed });
      return times.length === 0 ? undefined : { reference, name: name ?? '', times };
    } catch (error) {
      // The next check tries again.
      this.parts.warn(`The runs of a deployment could not be read: ${describeError(error)}`);
      return undefined;
    }
  }

  private keep(): void {
    const latest = [...this.deployments].sort(([, a], [, b]) => b.seenAt - a.seenAt).slice(0, maxRemembered);
    const serialized = JSON.stringify(latest.map(([key, { clock, missed }]) => [key, clock, missed]));
    if (serialized !== this.written) {
      this.written = serialized;
      void this.parts.memory.update(stored, Object.fromEntries(latest));
    }
  }
}

/** Tolerance for clock differences between the service and this machine, and for the delay before a run is recorded, in milliseconds. */
const tolerance = 30_000;

/** Maximum time between a run and the update of the deployment that records the run, in milliseconds. */
const recordingDelay = 60_000;

/** State of a deployment's schedule between two checks. Times are in milliseconds since 1970. */
interface ScheduleState {
  /** Expression and time zone as JSON. If they change, `awaited` no longer applies. */
  readonly clock: string;
  readonly updatedAt: number | undefined;
  /** Times that the service announced while the schedule was active and whose outcome is unknown. Ascending. */
  readonly awaited: readonly number[];
}

/**
 * Determines the outcome of the times that a service announced earlier (API facts, section 14). A time has passed once the service
 * announces only later times. Returns the new state, and as `suspects` the passed times that are overdue and for which the deployment
 * itself shows no run. Times during which the schedule may have been paused are ignored. A paused schedule has no state.
 */
function checkSchedule(before: ScheduleState | undefined, deployment: Deployment, now: number) {
  const { schedule } = deployment;
  const upcoming = (schedule?.upcoming_runs_at ?? []).flatMap(text => timeOf(text) ?? []).sort((a, b) => a - b);
  if (!schedule || stateOf(deployment) !== 'active' || upcoming.length === 0) {
    return { state: undefined, suspects: [] };
  }
  const clock = JSON.stringify([schedule.expression, schedule.timezone]);
  const updatedAt = timeOf(deployment.updated_at);
  const lastRunAt = timeOf(schedule.last_run_at);
  const known = before?.clock === clock ? before.awaited : [];
  const isChanged = before?.updatedAt !== updatedAt && Math.abs((updatedAt ?? 0) - (lastRunAt ?? 0)) > recordingDelay;
  const awaited = known.filter(time => !(isChanged && time <= (updatedAt ?? Number.POSITIVE_INFINITY)));
  const [next = 0] = upcoming;
  const passed = awaited.filter(time => time < next && !upcoming.includes(time));
  // This machine's clock may be behind. The service's clock has already reached the passed times.
  const latest = Math.max(now, ...passed);
  const all = [...new Set([...awaited, ...upcoming])].sort((a, b) => a - b);
  const isOverdue = (time: number) => time + delayOf(time, all) + tolerance < latest;
  const hasRun = (time: number) =>
    lastRunAt !== undefined && lastRunAt >= time - 1_000 && lastRunAt <= time + delayOf(time, all) + tolerance;
  const open = passed.filter(time => !hasRun(time));
  return {
    state: { clock, updatedAt, awaited: [...new Set([...open, ...upcoming])].sort((a, b) => a - b) },
    suspects: open.filter(isOverdue),
  };
}

function isRunOf(run: DeploymentRun, time: number): boolean {
  const scheduled = timeOf(run.trigger_context?.scheduled_at);
  if (scheduled !== undefined) {
    return Math.abs(scheduled - time) < 1_000;
  }
  const created = timeOf(run.created_at);
  return run.trigger_context?.type !== 'manual' && created !== undefined && created >= time - 1_000 && created <= latestStart(time);
}

/** Returns the latest time at which a session scheduled for `time` can have started and been recorded. */
function latestStart(time: number): number {
  return time + longestDelay(undefined) + tolerance;
}

function delayOf(time: number, all: readonly number[]): number {
  const next = all.find(other => other > time);
  return longestDelay(next === undefined ? undefined : next - time);
}

function timeOf(text: string | null | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** Creates the detector of missed runs. It polls in the background and reports its findings in a notification. */
export function createMissedRuns(
  { service, presentation }: Pick<ResourceFlow, 'service' | 'presentation'>,
  memory: vscode.Memento,
  warn: (message: string) => void,
): MissedRuns {
  return new MissedRuns({
    memory,
    warn,
    now: () => Date.now(),
    readRuns: async ({ connection, id }, createdSince, createdUntil) => {
      const { client } = await service.reach(connection, 'look');
      const filters = { deploymentId: id, triggerType: 'schedule', createdSince, createdUntil } as const;
      return (await client.deployments.runs.list({ limit: 100, ...filters })).items;
    },
    report: news => {
      const show = () => vscode.commands.executeCommand(`${views.resources}.focus`);
      void offer(showWarning, describeMissed(news, presentation()), [vscode.l10n.t('Show Deployments'), show]);
    },
  });
}

/** Returns the missed runs of deployments as rows below them. */
export function remarksOfMissed(missed: MissedRuns): RemarksOf {
  return (reference, context) => {
    const times = reference.kind === deployments.kind ? missed.of(reference) : [];
    return times.length === 0 ? undefined : presentMissed(times, context);
  };
}

/**
 * Checks deployments and runs for missed times as soon as they are listed. A check at the next render could miss announced times, because a
 * newer listing may have replaced the listing by then.
 */
export function followListed(missed: MissedRuns, store: ResourceStore, warn: (message: string) => void): vscode.Disposable {
  return store.onDidChange(() => {
    for (const { kind, connection, parent, list } of store.all()) {
      if (kind.kind === deployments.kind && parent === undefined && list.isListed) {
        missed.update(connection, list.items as readonly Deployment[]).catch((error: unknown) => warn(describeError(error)));
      }
      if (kind.kind === deploymentRuns.kind && parent !== undefined) {
        missed.updateRuns(parent, list.items as readonly DeploymentRun[]);
      }
    }
  });
}
