import path from 'node:path';
import { nextRunTimes } from '../../shared/schedule/runTimes';
import { longestDelay } from '../../shared/schedule/startDelay';
import { patched } from '../agents/agentState';
import { invalidRequest } from '../http/apiError';
import type { Scenario } from '../scenarios';
import { readDeploymentEvents } from '../sessions/sentEvents';
import { readResourceParams } from '../sessions/sessionResources';
import type { SessionStart } from '../sessions/startSession';
import { randomId } from '../state/randomId';
import { RecordStore } from '../state/recordStore';
import type { WebhookEvent } from '../webhooks/webhookEvents';
import { type CreateDeploymentParams, checkSchedule, type ScheduleParams, type UpdateDeploymentParams } from './deploymentParams';
import { type DeploymentRecord, deploymentRecordSchema, type RunRecord, runRecordSchema } from './deploymentRecord';
import { startSessionOf } from './startSessionOf';

const mostScheduled = 1_000;

type StateParts = SessionStart & {
  /** If absent, nothing is saved across restarts. */
  readonly folder: string | undefined;
  readonly scenario: () => Scenario;
  /** Called for every event of deployments and their runs. */
  readonly tell: (webhookEvent: WebhookEvent) => void;
};

/**
 * Deployments of the emulator, with their schedules and runs (API facts, section 14; the vendor's documents). A time that passes while the
 * emulator is stopped creates no run.
 */
export class DeploymentState {
  readonly #records: RecordStore<DeploymentRecord>;
  readonly #runs: RecordStore<RunRecord>;
  readonly #parts: StateParts;
  readonly #alarms = new Map<string, () => void>();

  private constructor(parts: StateParts, records: RecordStore<DeploymentRecord>, runs: RecordStore<RunRecord>) {
    this.#parts = parts;
    this.#records = records;
    this.#runs = runs;
    for (const record of records.list()) {
      this.#setAlarm(record, parts.clock.now());
    }
  }

  static async open(parts: StateParts): Promise<DeploymentState> {
    const below = (name: string) => (parts.folder === undefined ? undefined : path.join(parts.folder, name));
    const records = await RecordStore.open<DeploymentRecord>(below('deployments'), deploymentRecordSchema, 'Deployment');
    const runs = await RecordStore.open<RunRecord>(below('deployment-runs'), runRecordSchema, 'Deployment run');
    return new DeploymentState(parts, records, runs);
  }

  /** Returns all deployments, newest first. */
  list(): DeploymentRecord[] {
    return this.#records.list().map(record => this.#withAgent(record));
  }

  /** Returns the current state of a deployment. Throws the service's 404. */
  get(id: string): DeploymentRecord {
    return this.#withAgent(this.#records.get(id));
  }

  /** Returns all runs, newest first. */
  runs(): RunRecord[] {
    return this.#runs.list();
  }

  run(id: string): RunRecord {
    return this.#runs.get(id);
  }

  /** Returns the next scheduled times, at most five, also while the deployment is paused. Empty once it is archived. */
  upcoming({ schedule, archivedAt }: DeploymentRecord): readonly number[] {
    return schedule === null || archivedAt !== null ? [] : timesAfter(schedule, this.#parts.clock.now(), 5);
  }

  /** Throws a 400 that names the problem. */
  create(params: CreateDeploymentParams): DeploymentRecord {
    const now = this.#parts.clock.now();
    const id = `depl_${randomId(24)}`;
    this.#check(params, id);
    const record: DeploymentRecord = {
      id,
      sequence: this.#records.nextSequence(),
      name: params.name,
      description: params.description || null,
      agent: this.#agentOf(params.agent),
      environmentId: params.environment_id,
      vaultIds: params.vault_ids ?? [],
      initialEvents: [...readDeploymentEvents(params.initial_events, this.#parts.dialect.name === 'contract')],
      resources: this.#resourcesOf(params.resources),
      metadata: params.metadata ?? {},
      schedule: params.schedule ?? null,
      budget: params.budget ?? null,
      paused: null,
      lastRunAt: null,
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    };
    return this.#keep(record, 'created');
  }

  /** Updates a deployment. Running sessions are not affected. Throws a 400 for an archived deployment and for invalid params. */
  update(id: string, params: UpdateDeploymentParams): DeploymentRecord {
    const old = this.#unarchived(id, 'updated');
    this.#check(params, id);
    return this.#keep(
      {
        ...old,
        name: params.name ?? old.name,
        description: params.description === undefined ? old.description : params.description || null,
        agent: params.agent === undefined ? old.agent : this.#agentOf(params.agent),
        environmentId: params.environment_id ?? old.environmentId,
        vaultIds: params.vault_ids === undefined ? old.vaultIds : (params.vault_ids ?? []),
        initialEvents:
          params.initial_events === undefined
            ? old.initialEvents
            : [...readDeploymentEvents(params.initial_events, this.#parts.dialect.name === 'contract')],
        resources: params.resources === undefined ? old.resources : this.#resourcesOf(params.resources),
        metadata: patched(old.metadata, params.metadata ?? {}),
        schedule: params.schedule === undefined ? old.schedule : params.schedule,
        budget: params.budget === undefined ? old.budget : params.budget,
        updatedAt: this.#parts.clock.now(),
      },
      'updated',
    );
  }

  /** Archives for good. Idempotent. */
  archive(id: string): DeploymentRecord {
    const record = this.get(id);
    const now = this.#parts.clock.now();
    return record.archivedAt === null ? this.#keep({ ...record, paused: null, archivedAt: now, updatedAt: now }, 'archived') : record;
  }

  /** Pauses the schedule. Idempotent. */
  pause(id: string): DeploymentRecord {
    const record = this.#unarchived(id, 'paused');
    return record.paused === null
      ? this.#keep({ ...record, paused: { type: 'manual' }, updatedAt: this.#parts.clock.now() }, 'paused')
      : record;
  }

  unpause(id: string): DeploymentRecord {
    const record = this.#unarchived(id, 'unpaused');
    return record.paused === null ? record : this.#keep({ ...record, paused: null, updatedAt: this.#parts.clock.now() }, 'unpaused');
  }

  /** Creates a session on request, also while the deployment is paused. A failure is a run too. */
  async runNow(id: string): Promise<RunRecord> {
    return await this.#run(this.#unarchived(id, 'run'), null);
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    await Promise.all([this.#records.flush(), this.#runs.flush()]);
  }

  /** Archiving an agent also archives its deployments (the vendor's documents). */
  #withAgent(record: DeploymentRecord): DeploymentRecord {
    const { archivedAt } = this.#parts.agents.get(record.agent.id);
    return record.archivedAt !== null || archivedAt === null ? record : { ...record, paused: null, archivedAt };
  }

  #unarchived(id: string, what: string): DeploymentRecord {
    const record = this.get(id);
    if (record.archivedAt !== null) {
      throw invalidRequest(`archived deployments cannot be ${what}`);
    }
    return record;
  }

  #keep(record: DeploymentRecord, what: string): DeploymentRecord {
    const old = this.#records.find(record.id);
    this.#records.put(record);
    // A delayed session is still created if something else changes meanwhile.
    const isSameClock = old?.schedule === record.schedule && old?.paused === record.paused && old?.archivedAt === record.archivedAt;
    if (!isSameClock) {
      this.#setAlarm(record, this.#parts.clock.now());
    }
    this.#parts.tell({ type: `deployment.${what}`, id: record.id });
    return record;
  }

  #check({ schedule, environment_id: environmentId }: UpdateDeploymentParams, id: string): void {
    if (schedule) {
      checkSchedule(schedule);
      const others = this.list().filter(one => one.id !== id && one.schedule !== null && one.archivedAt === null);
      if (others.length >= mostScheduled) {
        throw invalidRequest(`schedule: At most ${mostScheduled} scheduled deployments are permitted`);
      }
    }
    const { environments } = this.#parts;
    const environment = environmentId === undefined ? undefined : environments.list().find(one => one.id === environmentId);
    if (environmentId !== undefined && environment === undefined) {
      throw invalidRequest(`environment_id: environment not found: ${environmentId}`);
    }
    if (environment !== undefined && environment.archivedAt !== null) {
      throw invalidRequest('environment_id: the environment is archived');
    }
  }

  #agentOf(given: CreateDeploymentParams['agent']): DeploymentRecord['agent'] {
    const { id, version } = this.#parts.agents.reference(given, 'agent');
    return { type: 'agent', id, version };
  }

  #resourcesOf(given: readonly unknown[] | null | undefined): DeploymentRecord['resources'] {
    const { dialect } = this.#parts;
    return (given ?? []).map((value, at) => {
      const { authorization_token: _, ...config } = readResourceParams(value, `resources.${at}`, dialect) as Record<string, unknown>;
      return config as DeploymentRecord['resources'][number];
    });
  }

  /** Sets the alarm for the session of the next scheduled time after `after`, which is created a little later than that time. */
  #setAlarm(record: DeploymentRecord, after: number): void {
    const { id, schedule, paused, archivedAt } = record;
    this.#alarms.get(id)?.();
    this.#alarms.delete(id);
    if (schedule === null || paused !== null || archivedAt !== null) {
      return;
    }
    const [time, next] = timesAfter(schedule, after, 2);
    if (time === undefined) {
      return;
    }
    const delay = longestDelay(next === undefined ? undefined : next - time) * shareOf(`${id} ${time}`);
    this.#alarms.set(
      id,
      this.#parts.clock.at(time + delay, () => this.#ring(id, time)),
    );
  }

  async #ring(id: string, time: number): Promise<void> {
    const record = this.get(id);
    if (record.archivedAt === null && !this.#parts.scenario().missesSchedules) {
      await this.#run(record, time);
    }
    this.#setAlarm(this.get(id), time);
  }

  async #run(record: DeploymentRecord, scheduledAt: number | null): Promise<RunRecord> {
    const { clock, tell } = this.#parts;
    const id = `drun_${randomId(24)}`;
    tell({ type: 'deployment_run.started', id });
    const made = await startSessionOf(record, this.#parts);
    const run: RunRecord = {
      id,
      sequence: this.#runs.nextSequence(),
      deploymentId: record.id,
      agent: record.agent,
      scheduledAt,
      createdAt: clock.now(),
      ...made,
    };
    this.#runs.put(run);
    const { error } = made;
    tell({ type: `deployment_run.${error === null ? 'succeeded' : 'failed'}`, id });
    // Only scheduled runs count (the vendor's documents).
    const last = error === null && scheduledAt !== null ? { lastRunAt: run.createdAt } : {};
    // An error that will recur at the next time pauses the schedule until the user resolves it.
    const stopped = error !== null && scheduledAt !== null ? { paused: { type: 'error', error: { type: error.type } } } : {};
    this.#records.put({ ...this.#records.get(record.id), ...last, ...stopped });
    if ('paused' in stopped) {
      tell({ type: 'deployment.paused', id: record.id });
    }
    return run;
  }
}

function timesAfter({ expression, timezone }: ScheduleParams, after: number, count: number): readonly number[] {
  return nextRunTimes(expression, timezone, after, count).flatMap(({ at, clockChange }) => (clockChange === 'skipped' ? [] : [at]));
}

/** Maps a text to a fixed fraction of 1. */
function shareOf(text: string): number {
  let sum = 0;
  for (const character of text) {
    sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_009;
  }
  return sum / 1_009;
}
