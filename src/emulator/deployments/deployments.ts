import { longestDelay, nextRunTimes } from '../../shared/schedule/runTimes';
import { ApiError, invalidRequest } from '../http/apiError';
import { kindRoutes, type Route } from '../http/kindRoutes';
import { choiceOf, createdNames, flagOf } from '../http/listQuery';
import type { Scenario } from '../scenarios';
import { readDeploymentEvents } from '../sessions/sentEvents';
import { readResourceParams } from '../sessions/sessionResources';
import { type SessionStart, startSession } from '../sessions/startSession';
import { RecordStore, type StoreContext } from '../state/recordStore';
import type { WebhookEvent } from '../webhooks/webhooks';
import {
  type CreateDeploymentParams,
  checkSchedule,
  createDeploymentSchema,
  type DeploymentFields,
  type DeploymentRecord,
  deploymentRecordSchema,
  emptyDeployment,
  plainFieldsOf,
  type RunRecord,
  runRecordSchema,
  type ScheduleParams,
  toDeployment,
  toDeploymentRun,
  type UpdateDeploymentParams,
  updateDeploymentSchema,
} from './deploymentParams';

const maxScheduled = 1_000;

type StateParts = SessionStart & {
  readonly scenario: () => Scenario;
  readonly notify: (webhookEvent: WebhookEvent) => void;
};

/**
 * Deployments of the emulator, with their schedules and runs (API facts, section 14; the vendor's documents). A scheduled time that passes
 * while the emulator is stopped creates no run.
 */
export class Deployments extends RecordStore<DeploymentRecord> {
  readonly runs: RecordStore<RunRecord>;
  readonly #alarms = new Map<string, () => void>();

  constructor(
    context: StoreContext,
    private readonly parts: StateParts,
  ) {
    super(context, { folder: 'deployments', noun: 'Deployment', prefix: 'depl_', schema: deploymentRecordSchema });
    this.runs = new RecordStore(context, {
      folder: 'deployment-runs',
      noun: 'Deployment run',
      prefix: 'drun_',
      schema: runRecordSchema,
    });
  }

  override async load(): Promise<this> {
    await Promise.all([super.load(), this.runs.load()]);
    for (const record of this.list()) {
      this.#setAlarm(record, this.parts.clock.now());
    }
    return this;
  }

  /** Returns the deployments, newest first. Archiving an agent also archives its deployments (the vendor's documents). */
  override list(): DeploymentRecord[] {
    return super.list().map(record => this.#withAgent(record));
  }

  override find(id: string): DeploymentRecord | undefined {
    const record = super.find(id);
    return record && this.#withAgent(record);
  }

  /** Returns the next scheduled times, at most five, also while the deployment is paused. Empty for an archived deployment. */
  upcoming({ schedule, archivedAt }: DeploymentRecord): readonly number[] {
    return schedule === null || archivedAt !== null ? [] : timesAfter(schedule, this.parts.clock.now(), 5);
  }

  /** Creates a deployment. Throws a 400 that names the problem. */
  create(params: CreateDeploymentParams): DeploymentRecord {
    const id = this.newId();
    const fields = { ...this.#fieldsOf(params, id, emptyDeployment), paused: null, lastRunAt: null };
    return this.#changed(undefined, this.add(fields, id), 'created');
  }

  /** Updates a deployment. Running sessions are not affected. Throws a 400 for an archived deployment and for invalid params. */
  update(id: string, params: UpdateDeploymentParams): DeploymentRecord {
    const old = this.active(id, 'updated');
    return this.#changed(old, this.change(old, this.#fieldsOf(params, id, old)), 'updated');
  }

  /** Returns the fields of `old` with the changes in `params`. Throws a 400 for invalid params. */
  #fieldsOf(params: UpdateDeploymentParams, id: string, old: DeploymentFields): DeploymentFields {
    this.#check(params, id);
    return {
      agent: params.agent === undefined ? old.agent : this.#agentOf(params.agent),
      initialEvents:
        params.initial_events === undefined
          ? old.initialEvents
          : [...readDeploymentEvents(params.initial_events, this.parts.dialect.name === 'contract')],
      resources: params.resources === undefined ? old.resources : this.#resourcesOf(params.resources),
      ...plainFieldsOf(params, old),
    };
  }

  protected override archived(old: DeploymentRecord): DeploymentRecord {
    return this.#changed(old, this.change(old, { paused: null, archivedAt: this.parts.clock.now() }), 'archived');
  }

  /** Pauses the schedule or continues it. Idempotent. */
  setPaused(id: string, isPaused: boolean): DeploymentRecord {
    const change = isPaused ? 'paused' : 'unpaused';
    const old = this.active(id, change);
    const paused = isPaused ? { type: 'manual' } : null;
    return (old.paused !== null) === isPaused ? old : this.#changed(old, this.change(old, { paused }), change);
  }

  #withAgent(record: DeploymentRecord): DeploymentRecord {
    const { archivedAt } = this.parts.agents.get(record.agent.id);
    return record.archivedAt !== null || archivedAt === null ? record : { ...record, paused: null, archivedAt };
  }

  /** Sends the webhook event of a change. Sets the alarm again if the schedule changed. */
  #changed(old: DeploymentRecord | undefined, record: DeploymentRecord, what: string): DeploymentRecord {
    // Setting the alarm again would cancel a due session that is still delayed.
    const isSameClock = old?.schedule === record.schedule && old?.paused === record.paused && old?.archivedAt === record.archivedAt;
    if (!isSameClock) {
      this.#setAlarm(record, this.parts.clock.now());
    }
    this.parts.notify({ type: `deployment.${what}`, id: record.id });
    return record;
  }

  #check({ schedule, environment_id: environmentId }: UpdateDeploymentParams, id: string): void {
    if (schedule) {
      checkSchedule(schedule);
      const others = this.list().filter(one => one.id !== id && one.schedule !== null && one.archivedAt === null);
      if (others.length >= maxScheduled) {
        throw invalidRequest(`schedule: At most ${maxScheduled} scheduled deployments are permitted`);
      }
    }
    if (environmentId !== undefined) {
      if (this.parts.environments.find(environmentId) === undefined) {
        throw invalidRequest(`environment_id: environment not found: ${environmentId}`);
      }
      this.parts.environments.demandUsable(environmentId, 'environment_id');
    }
  }

  #agentOf(given: CreateDeploymentParams['agent']): DeploymentRecord['agent'] {
    const { id, version } = this.parts.agents.reference(given, 'agent');
    return { type: 'agent', id, version };
  }

  #resourcesOf(given: readonly unknown[] | null | undefined): DeploymentRecord['resources'] {
    const { dialect } = this.parts;
    return (given ?? []).map((value, at) => {
      const { authorization_token: _, ...config } = readResourceParams(value, `resources.${at}`, dialect) as Record<string, unknown>;
      return config as DeploymentRecord['resources'][number];
    });
  }

  /** Sets the alarm for the next scheduled time after `after`. The session is created a little later than that time. */
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
    const cancel = this.parts.clock.at(time + delay, () => this.#ring(id, time));
    this.#alarms.set(id, cancel);
  }

  async #ring(id: string, time: number): Promise<void> {
    const record = this.get(id);
    if (record.archivedAt === null && !this.parts.scenario().missesSchedules) {
      await this.run(record, time);
    }
    this.#setAlarm(this.get(id), time);
  }

  /**
   * Creates a session at a scheduled time, or on request if `scheduledAt` is null. Also works while the deployment is paused. Records a run
   * even if the session can't be created.
   */
  async run(record: DeploymentRecord, scheduledAt: number | null): Promise<RunRecord> {
    const { notify } = this.parts;
    const id = this.runs.newId();
    notify({ type: 'deployment_run.started', id });
    const { sessionId, error } = await startSessionOf(record, this.parts);
    const run = this.runs.add({ deploymentId: record.id, agent: record.agent, scheduledAt, sessionId, error }, id);
    notify({ type: `deployment_run.${error === null ? 'succeeded' : 'failed'}`, id });
    if (scheduledAt === null) {
      // Only scheduled runs affect the schedule (the vendor's documents).
      return run;
    }
    const current = this.get(record.id);
    if (error === null) {
      this.put({ ...current, lastRunAt: run.createdAt });
    } else {
      // The error would recur on the next run, so the schedule is paused until the user resolves it.
      this.put({ ...current, paused: { type: 'error', error: { type: error.type } } });
      notify({ type: 'deployment.paused', id: record.id });
    }
    return run;
  }
}

function timesAfter({ expression, timezone }: ScheduleParams, after: number, count: number): readonly number[] {
  return nextRunTimes(expression, timezone, after, count).flatMap(({ at, clockChange }) => (clockChange === 'skipped' ? [] : [at]));
}

/** Hashes a text to a number from 0 to 1 (exclusive). */
function shareOf(text: string): number {
  let sum = 0;
  for (const character of text) {
    sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_009;
  }
  return sum / 1_009;
}

export function deploymentRoutes(deployments: Deployments): readonly Route[] {
  const show = (record: DeploymentRecord) => toDeployment(record, deployments.upcoming(record));
  return [
    ...kindRoutes({
      name: 'deployments',
      path: '/v1/deployments',
      type: 'deployment',
      members: deployments,
      show,
      limits: { normal: 20, most: 100 },
      filters: ['agent_id', 'status', 'include_archived', ...createdNames],
      passes: ({ query }) => {
        const status = choiceOf(query, 'status', ['active', 'paused']);
        if (status !== undefined && flagOf(query, 'include_archived')) {
          throw invalidRequest('status: cannot be combined with include_archived');
        }
        const agentId = query.get('agent_id');
        return ({ agent, paused }) =>
          (agentId === null || agent.id === agentId) && (status === undefined || (status === 'paused') === (paused !== null));
      },
      create: async exchange => deployments.create(await exchange.parsed(createDeploymentSchema)),
      update: async (exchange, id) => deployments.update(id, await exchange.parsed(updateDeploymentSchema)),
      acts: {
        pause: (_, id) => show(deployments.setPaused(id, true)),
        unpause: (_, id) => show(deployments.setPaused(id, false)),
        run: async (_, id) => toDeploymentRun(await deployments.run(deployments.active(id, 'run'), null)),
      },
    }),
    ...kindRoutes({
      name: 'deployments.runs',
      path: '/v1/deployment_runs',
      type: 'deployment_run',
      members: { list: () => deployments.runs.list(), get: id => deployments.runs.get(id) },
      show: toDeploymentRun,
      filters: ['deployment_id', 'trigger_type', 'has_error', ...createdNames],
      passes: ({ query }) => {
        const deploymentId = query.get('deployment_id');
        const trigger = choiceOf(query, 'trigger_type', ['schedule', 'manual']);
        const hasError = query.has('has_error') ? flagOf(query, 'has_error') : undefined;
        return run =>
          (deploymentId === null || run.deploymentId === deploymentId) &&
          (hasError === undefined || (run.error !== null) === hasError) &&
          (trigger === undefined || (trigger === 'manual') === (run.scheduledAt === null));
      },
    }),
  ];
}

/** Creates a session from the current state of a deployment. Returns the id of the session, or the error if the creation failed. */
async function startSessionOf(record: DeploymentRecord, parts: SessionStart): Promise<Pick<RunRecord, 'sessionId' | 'error'>> {
  const unusable = findUnusable(record, parts);
  if (unusable !== undefined) {
    return { sessionId: null, error: unusable };
  }
  const params = {
    agent: record.agent,
    environment_id: record.environmentId,
    vault_ids: record.vaultIds,
    budget: record.budget,
    // The resources are copied, because later changes of the deployment must not affect existing sessions. Tokens are not stored.
    resources: record.resources.map(config => ('url' in config ? { ...config, authorization_token: 'kept' } : config)),
  };
  try {
    const session = await startSession(params, readDeploymentEvents(record.initialEvents), parts, record.id);
    return { sessionId: session.id, error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    return { sessionId: null, error: { type: 'session_creation_rejected_error', message: error.message } };
  }
}

/** Returns an error for a required resource that is archived or no longer exists. */
function findUnusable(
  { environmentId, vaultIds, resources }: DeploymentRecord,
  { environments, files, vaults, memories }: SessionStart,
): RunRecord['error'] | undefined {
  const idsIn = (field: string) => resources.flatMap(({ [field]: id }) => (typeof id === 'string' ? [id] : []));
  const needed: readonly Needed[] = [
    { ids: [environmentId], from: environments, noun: 'Environment', type: 'environment' },
    { ids: idsIn('file_id'), from: files, noun: 'File', type: 'file' },
    { ids: vaultIds, from: vaults, noun: 'Vault', type: 'vault' },
    // The service has no error type of its own for a missing store.
    { ids: idsIn('memory_store_id'), from: memories, noun: 'Memory store', type: 'memory_store', missing: 'session_resource' },
  ];
  for (const { ids, from, noun, type, missing = type } of needed) {
    for (const id of ids) {
      const found = from.find(id);
      if (found === undefined) {
        return { type: `${missing}_not_found_error`, message: `${noun} not found: ${id}` };
      }
      if ((found.archivedAt ?? null) !== null) {
        return { type: `${type}_archived_error`, message: `${noun} is archived: ${id}` };
      }
    }
  }
  return undefined;
}

interface Needed {
  readonly ids: readonly string[];
  readonly from: { find(id: string): { readonly id: string; readonly archivedAt?: number | null } | undefined };
  readonly noun: string;
  readonly type: string;
  readonly missing?: string;
}
