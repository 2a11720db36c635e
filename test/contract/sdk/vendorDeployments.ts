import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import type { VendorSdk } from './vendorSdk';

interface Schedule {
  readonly expression: string;
  readonly timezone: string;
  readonly last_run_at?: string | null;
  readonly upcoming_runs_at?: readonly string[];
}

interface Deployment {
  readonly id: string;
  readonly name: string;
  readonly agent: { readonly id: string; readonly version: number };
  readonly status: 'active' | 'paused';
  readonly paused_reason: { readonly type: string } | null;
  readonly schedule: Schedule | null;
  readonly archived_at: string | null;
}

interface Run {
  readonly id: string;
  readonly deployment_id: string;
  readonly session_id: string | null;
  readonly error: { readonly type: string; readonly message: string } | null;
  readonly trigger_context: { readonly type: 'schedule'; readonly scheduled_at: string } | { readonly type: 'manual' };
}

interface NewSchedule {
  type: 'cron';
  expression: string;
  timezone: string;
}

type Pages<T> = AsyncIterable<T> & Promise<{ readonly data: readonly T[]; hasNextPage(): boolean }>;

/** Methods for deployments in both versions of the vendor's SDK. The compiler checks that they exist. */
export interface VendorDeployments {
  readonly agents: {
    list(query: { limit: number }): Promise<{ readonly data: readonly { readonly id: string; readonly version: number }[] }>;
  };
  readonly environments: {
    list(query: { limit: number }): Promise<{ readonly data: readonly { readonly id: string }[] }>;
    archive(id: string): Promise<unknown>;
  };
  readonly sessions: { retrieve(id: string): Promise<{ readonly id: string }> };
  readonly deployments: {
    create(body: {
      name: string;
      agent: string | { type: 'agent'; id: string; version?: number };
      environment_id: string;
      initial_events: { type: 'user.message'; content: { type: 'text'; text: string }[] }[];
      schedule?: NewSchedule;
      budget?: { type: 'limit'; max_list_cost: { amount: string; currency: 'USD' } };
    }): Promise<Deployment>;
    retrieve(id: string): Promise<Deployment>;
    update(id: string, body: { name?: string; schedule?: NewSchedule | null }): Promise<Deployment>;
    list(query: { limit: number; status?: 'active' | 'paused'; include_archived?: boolean }): Pages<Deployment>;
    archive(id: string): Promise<Deployment>;
    pause(id: string): Promise<Deployment>;
    unpause(id: string): Promise<Deployment>;
    run(id: string): Promise<Run>;
  };
  readonly deploymentRuns: {
    list(query: { limit: number; deployment_id?: string; has_error?: boolean; trigger_type?: 'manual' | 'schedule' }): Pages<Run>;
    retrieve(id: string): Promise<Run>;
  };
}

export interface VendorDeploymentsSdk extends Pick<VendorSdk, 'name' | 'dialect' | 'errors'> {
  /** Creates a client without retries. */
  connect(url: string, key: string): VendorDeployments;
}

/** Tests the emulator's deployments with the vendor's code. */
export function describeVendorDeployments(sdk: VendorDeploymentsSdk): void {
  describe(`src/emulator deployments with ${sdk.name}`, () => {
    let emulator: Emulator;
    let client: VendorDeployments;

    beforeEach(async () => {
      emulator = await startEmulator({ dialect: sdk.dialect, scenario: { sessionPause: 0 } });
      client = sdk.connect(emulator.url, emulator.key);
    });
    afterEach(() => emulator.stop());

    async function deploy(schedule?: NewSchedule) {
      const [agent] = (await client.agents.list({ limit: 1 })).data;
      const [environment] = (await client.environments.list({ limit: 1 })).data;
      assert.ok(agent !== undefined && environment !== undefined);
      const made = await client.deployments.create({
        name: 'Weekly',
        agent: { type: 'agent', id: agent.id, version: agent.version },
        environment_id: environment.id,
        initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'go' }] }],
        budget: { type: 'limit', max_list_cost: { amount: '100', currency: 'USD' } },
        ...(schedule && { schedule }),
      });
      return { made, environment: environment.id };
    }

    it('creates, reads, changes, pauses and archives one', async () => {
      const { made } = await deploy({ type: 'cron', expression: '0 20 * * 5', timezone: 'America/New_York' });
      assert.equal(made.schedule?.upcoming_runs_at?.length, 5);
      assert.equal((await client.deployments.update(made.id, { name: 'Friday' })).name, 'Friday');
      const paused = await client.deployments.pause(made.id);
      assert.deepEqual([paused.status, paused.paused_reason?.type], ['paused', 'manual']);
      const listed: string[] = [];
      for await (const { id } of client.deployments.list({ limit: 1, status: 'paused' })) {
        listed.push(id);
      }
      assert.deepEqual(listed, [made.id]);
      assert.equal((await client.deployments.unpause(made.id)).status, 'active');
      assert.equal((await client.deployments.update(made.id, { schedule: null })).schedule, null);
      assert.ok((await client.deployments.archive(made.id)).archived_at);
      assert.equal((await client.deployments.list({ limit: 5 })).data.length, 0);
      assert.equal((await client.deployments.retrieve(made.id)).name, 'Friday');
      await assert.rejects(client.deployments.run(made.id), sdk.errors.BadRequestError);
      await assert.rejects(client.deployments.retrieve('depl_none'), sdk.errors.NotFoundError);
    });

    it('runs one manually and on schedule, and reads both', async () => {
      const { made, environment } = await deploy({ type: 'cron', expression: '* * * * *', timezone: 'UTC' });
      const byHand = await client.deployments.run(made.id);
      assert.equal(byHand.trigger_context.type, 'manual');
      assert.equal((await client.sessions.retrieve(byHand.session_id ?? '')).id, byHand.session_id);
      await emulator.advanceClock(2 * 60_000);
      const [scheduled] = (await client.deploymentRuns.list({ limit: 5, deployment_id: made.id, trigger_type: 'schedule' })).data;
      assert.ok(scheduled?.trigger_context.type === 'schedule' && scheduled.session_id !== null);
      assert.deepEqual(await client.deploymentRuns.retrieve(scheduled.id), scheduled);
      const seen: string[] = [];
      for await (const { id } of client.deploymentRuns.list({ limit: 1, deployment_id: made.id })) {
        seen.push(id);
      }
      assert.equal(seen.at(-1), byHand.id);
      await client.environments.archive(environment);
      const failed = await client.deployments.run(made.id);
      assert.deepEqual([failed.session_id, failed.error?.type], [null, 'environment_archived_error']);
      assert.deepEqual((await client.deploymentRuns.list({ limit: 5, has_error: true })).data, [failed]);
    });
  });
}
