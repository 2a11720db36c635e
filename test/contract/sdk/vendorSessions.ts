import assert from 'node:assert/strict';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import type { VendorMemories } from './vendorMemories';
import type { VendorSdk } from './vendorSdk';
import type { VendorVaults } from './vendorVaults';

interface Agent {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly system: string | null;
  readonly archived_at: string | null;
}

interface Session {
  readonly id: string;
  readonly status: string;
  readonly title: string | null;
  readonly archived_at: string | null;
  readonly agent: { readonly id: string; readonly version: number; readonly system: string | null };
  readonly budget: { readonly max_list_cost: { readonly amount: string } } | null;
  readonly vault_ids: readonly string[];
  readonly resources: readonly Mounted[];
}

interface Budget {
  type: 'limit';
  max_list_cost: { amount: string; currency: 'USD' };
}

type MountedParams =
  | { type: 'file'; file_id: string; mount_path?: string }
  | { type: 'github_repository'; url: string; authorization_token: string; checkout: { type: 'branch'; name: string } }
  | { type: 'memory_store'; memory_store_id: string; access: 'read_only'; instructions: string };

/** A mounted resource of a session. The emulator's own tests check its content. */
interface Mounted {
  readonly type: string;
}

interface Event {
  readonly type: string;
  readonly id?: string;
}

type Tool =
  | { type: 'agent_toolset_20260401'; default_config?: { permission_policy: { type: 'always_ask' } } }
  | {
      type: 'custom';
      name: string;
      description: string;
      input_schema: { type: 'object'; properties: Record<string, { type: string }>; required: string[] };
    };

type SentEvent =
  | { type: 'user.message'; content: { type: 'text'; text: string }[] }
  | { type: 'user.tool_confirmation'; tool_use_id: string; result: 'allow' | 'deny'; deny_message?: string }
  | { type: 'user.interrupt' }
  | { type: 'user.define_outcome'; description: string; rubric: { type: 'text'; content: string } };

type Pages<T> = AsyncIterable<T> & Promise<{ readonly data: readonly T[]; hasNextPage(): boolean }>;

/** A stream that ends when its iteration is left early. */
interface EventStream extends AsyncIterable<Event> {
  readonly controller: AbortController;
}

/** Methods for agents and sessions in both versions of the vendor's SDK. The compiler checks that they exist. */
export interface VendorBeta {
  readonly agents: {
    create(body: { name: string; model: string; system?: string; tools?: Tool[] }): Promise<Agent>;
    retrieve(id: string, query?: { version?: number }): Promise<Agent>;
    update(id: string, body: { version: number; system?: string }): Promise<Agent>;
    list(query: { limit: number }): Pages<Agent>;
    archive(id: string): Promise<Agent>;
    readonly versions: { list(id: string, query: { limit: number }): Pages<Agent> };
  };
  readonly environments: {
    create(body: { name: string; config?: { type: 'cloud' } | { type: 'self_hosted' } }): Promise<{ readonly id: string }>;
    list(query: { limit: number }): Pages<{ readonly id: string }>;
    delete(id: string): Promise<{ readonly type: string }>;
    readonly work: {
      list(id: string): Pages<{ readonly id: string }>;
    };
  };
  readonly files: {
    upload(body: { file: File; betas: string[] }): Promise<{ readonly id: string; readonly size_bytes: number }>;
    delete(id: string, body: { betas: string[] }): Promise<{ readonly id: string }>;
  };
  readonly vaults: Pick<VendorVaults['vaults'], 'create'>;
  readonly memoryStores: Pick<VendorMemories, 'create'>;
  readonly sessions: {
    create(body: {
      agent: string | { type: 'agent_with_overrides'; id: string; system: string };
      environment_id: string;
      title?: string;
      budget?: Budget;
      vault_ids?: string[];
      resources?: MountedParams[];
    }): Promise<Session>;
    retrieve(id: string): Promise<Session>;
    update(id: string, body: { title?: string; budget?: Budget | null }): Promise<Session>;
    list(query: { limit: number; agent_id?: string; statuses?: 'idle'[] }): Pages<Session>;
    archive(id: string): Promise<Session>;
    delete(id: string): Promise<{ readonly type: string }>;
    readonly events: {
      list(id: string, query: { limit: number; order: 'asc' | 'desc'; types?: ('agent.message' | 'user.message')[] }): Pages<Event>;
      send(id: string, body: { events: SentEvent[] }): Promise<{ readonly data?: readonly Event[] }>;
      stream(id: string, query?: { event_deltas: 'agent.message'[] }): Promise<EventStream>;
      toolRunner(id: string, options: { tools: RunnableTool[]; maxIdleMs: number }): AsyncIterable<{ name: string; posted: boolean }>;
    };
    readonly resources: {
      list(id: string): Pages<Mounted>;
      add(id: string, body: { type: 'file'; file_id: string; mount_path?: string }): Promise<Mounted>;
      retrieve(resource: string, params: { session_id: string }): Promise<Mounted>;
      update(resource: string, params: { session_id: string; authorization_token: string }): Promise<Mounted>;
      delete(resource: string, params: { session_id: string }): Promise<{ readonly type: string }>;
    };
    readonly threads: { list(id: string): Pages<{ readonly id: string; readonly parent_thread_id: string | null }> };
  };
}

/** A tool that the SDK runs on the client's side. */
interface RunnableTool {
  readonly type: 'custom';
  readonly name: string;
  readonly description: string;
  readonly input_schema: { type: 'object' };
  run(args: { item: string }): string;
  parse(content: unknown): { item: string };
}

export interface VendorSessionsSdk extends Pick<VendorSdk, 'name' | 'dialect' | 'errors'> {
  /** Creates a client without retries. */
  connect(url: string, key: string): VendorBeta;
}

const model = 'claude-sonnet-4-6';
const message = (text: string): SentEvent => ({ type: 'user.message', content: [{ type: 'text', text }] });

/** Tests the emulator's agents and sessions with the vendor's code. */
export function describeVendorSessions(sdk: VendorSessionsSdk): void {
  describe(`src/emulator agents and sessions with ${sdk.name}`, () => {
    let emulator: Emulator;
    let client: VendorBeta;

    beforeEach(async () => {
      emulator = await startEmulator({ dialect: sdk.dialect, scenario: { sessionPause: 1, streamPause: 0 } });
      client = sdk.connect(emulator.url, emulator.key);
    });
    afterEach(() => emulator.stop());

    async function start(tools: Tool[] = [], environment?: string): Promise<Session> {
      const agent = await client.agents.create({ name: 'Tester', model, tools });
      const environment_id = environment ?? (await client.environments.create({ name: 'test' })).id;
      return client.sessions.create({ agent: agent.id, environment_id });
    }

    /** Returns the events of a stream up to the first one that satisfies `isLast`. */
    async function read(stream: AsyncIterable<Event>, isLast: (event: Event) => boolean): Promise<Event[]> {
      const events: Event[] = [];
      for await (const event of stream) {
        events.push(event);
        if (isLast(event)) {
          break;
        }
      }
      return events;
    }

    async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
      const items: T[] = [];
      for await (const item of pages) {
        items.push(item);
      }
      return items;
    }

    it('creates agents, updates one until a conflict, lists agents and versions page by page, archives', async () => {
      const { id } = await client.agents.create({ name: 'First', model, system: 'one' });
      assert.equal((await client.agents.update(id, { version: 1, system: 'two' })).version, 2);
      await assert.rejects(client.agents.update(id, { version: 1, system: 'three' }), sdk.errors.ConflictError);
      assert.equal((await client.agents.retrieve(id)).system, 'two');
      assert.equal((await client.agents.retrieve(id, { version: 1 })).system, 'one');
      assert.deepEqual(
        (await all(client.agents.versions.list(id, { limit: 1 }))).map(({ version }) => version),
        [2, 1],
      );
      const listed = await all(client.agents.list({ limit: 2 }));
      assert.deepEqual([listed.length, listed[0]?.id], [5, id]);
      assert.ok((await client.agents.archive(id)).archived_at);
      await assert.rejects(client.agents.update(id, { version: 2, system: 'x' }), sdk.errors.BadRequestError);
      await assert.rejects(client.agents.retrieve('agent_nowhere'), sdk.errors.NotFoundError);
    });

    it('creates an environment and a session, changes, lists, archives and deletes it', async () => {
      const session = await start();
      assert.deepEqual([session.status, session.agent.version], ['idle', 1]);
      assert.equal((await client.sessions.update(session.id, { title: 'Renamed' })).title, 'Renamed');
      for (let n = 0; n < 3; n++) {
        await start();
      }
      assert.equal((await all(client.sessions.list({ limit: 2 }))).length, 4);
      const own = await all(client.sessions.list({ limit: 2, agent_id: session.agent.id, statuses: ['idle'] }));
      assert.deepEqual(
        own.map(({ id }) => id),
        [session.id],
      );
      assert.ok((await client.sessions.archive(session.id)).archived_at);
      await assert.rejects(client.sessions.events.send(session.id, { events: [message('x')] }), sdk.errors.BadRequestError);
      assert.equal((await client.sessions.delete(session.id)).type, 'session_deleted');
      await assert.rejects(client.sessions.retrieve(session.id), sdk.errors.NotFoundError);
    });

    it('sends a message, reads the stream with its previews, and lists the events page by page', async () => {
      const { id } = await start();
      const stream = await client.sessions.events.stream(id, { event_deltas: ['agent.message'] });
      const sent = await client.sessions.events.send(id, { events: [message('markdown')] });
      const live = await read(stream, ({ type }) => type === 'session.status_idle');
      const types = live.map(({ type }) => type);
      assert.deepEqual([sent.data?.[0]?.type, types[0]], ['user.message', 'user.message']);
      assert.ok(types.includes('event_start') && types.includes('event_delta') && types.includes('agent.message'));
      const stored = await all(client.sessions.events.list(id, { limit: 3, order: 'asc' }));
      const known = new Set(live.map(event => event.id));
      // The older SDK drops frames of unknown types: `session.usage`.
      assert.deepEqual(
        stored.filter(event => !known.has(event.id)).map(({ type }) => type),
        sdk.dialect === 'anthropic-2023' ? ['session.usage'] : [],
      );
      const messages = await all(client.sessions.events.list(id, { limit: 1, order: 'desc', types: ['agent.message', 'user.message'] }));
      assert.deepEqual(
        messages.map(({ type }) => type),
        ['agent.message', 'user.message'],
      );
    });

    it('allows and denies tool calls', async () => {
      const { id } = await start([{ type: 'agent_toolset_20260401', default_config: { permission_policy: { type: 'always_ask' } } }]);
      for (const [result, deny_message] of [
        ['allow', undefined],
        ['deny', 'Not today'],
      ] as const) {
        const stream = await client.sessions.events.stream(id);
        await client.sessions.events.send(id, { events: [message('bash ls')] });
        const asked = await read(stream, ({ type }) => type === 'session.status_idle');
        const use = asked.find(({ type }) => type === 'agent.tool_use');
        assert.deepEqual((asked.at(-1) as { stop_reason?: unknown }).stop_reason, { type: 'requires_action', event_ids: [use?.id] });
        const rest = await client.sessions.events.stream(id);
        const answer = {
          type: 'user.tool_confirmation',
          tool_use_id: use?.id ?? '',
          result,
          ...(deny_message ? { deny_message } : {}),
        } as const;
        await client.sessions.events.send(id, { events: [answer] });
        const after = await read(rest, ({ type }) => type === 'session.status_idle');
        const outcome = after.find(({ type }) => type === 'agent.tool_result') as { tool_use_id?: string; is_error?: boolean } | undefined;
        assert.deepEqual([outcome?.tool_use_id, outcome?.is_error], [use?.id, result === 'deny']);
      }
    });

    it("lets the SDK's tool runner answer a custom tool", async () => {
      const properties = { item: { type: 'string' } };
      const input_schema = { type: 'object' as const, properties, required: ['item'] };
      const { id } = await start([{ type: 'custom', name: 'get_price', description: 'A price', input_schema }]);
      const tool: RunnableTool = {
        type: 'custom',
        name: 'get_price',
        description: 'A price',
        input_schema,
        run: ({ item }) => `7 EUR for ${item}`,
        parse: content => content as { item: string },
      };
      const runner = client.sessions.events.toolRunner(id, { tools: [tool], maxIdleMs: 50 });
      await client.sessions.events.send(id, { events: [message('price tea')] });
      const calls = await all(runner);
      assert.deepEqual(
        calls.map(({ name, posted }) => [name, posted]),
        [['get_price', true]],
      );
      const [last] = await all(client.sessions.events.list(id, { limit: 1, order: 'desc', types: ['agent.message'] }));
      assert.ok(JSON.stringify(last).includes('7 EUR for tea'));
    });

    it('delegates, is interrupted, and works on an outcome', async () => {
      const { id } = await start();
      const say = async (event: SentEvent, isLast = ({ type }: Event) => type === 'session.status_idle') => {
        const stream = await client.sessions.events.stream(id);
        await client.sessions.events.send(id, { events: [event] });
        return read(stream, isLast);
      };
      await say(message('delegate'));
      const threads = await all(client.sessions.threads.list(id));
      assert.deepEqual(
        threads.map(({ parent_thread_id }) => parent_thread_id === null),
        [true, false],
      );
      await say(message('slow 600'), ({ type }) => type === 'span.model_request_start');
      await assert.rejects(client.sessions.archive(id), sdk.errors.BadRequestError);
      await say({ type: 'user.interrupt' });
      const judged = await say({ type: 'user.define_outcome', description: 'Good', rubric: { type: 'text', content: 'x' } });
      assert.equal(judged.filter(({ type }) => type === 'span.outcome_evaluation_end').length, 2);
    });

    it('uploads and deletes a file', async () => {
      const betas = ['files-api-2025-04-14'];
      const { id, size_bytes } = await client.files.upload({ file: new File(['a,b,c'], 'data.csv', { type: 'text/csv' }), betas });
      assert.equal(size_bytes, 5);
      assert.equal((await client.files.delete(id, { betas })).id, id);
    });

    it('mounts files, repositories and memory stores, adds and removes files, and rotates a token', async () => {
      const betas = ['files-api-2025-04-14'];
      const { id: file_id } = await client.files.upload({ file: new File(['a'], 'a.txt', { type: 'text/plain' }), betas });
      const agent = await client.agents.create({ name: 'Tester', model, system: 'one' });
      const environment_id = (await client.environments.create({ name: 'test' })).id;
      const vault = (await client.vaults.create({ display_name: 'Keys' })).id;
      const store = (await client.memoryStores.create({ name: 'Notes' })).id;
      const { id, ...made } = await client.sessions.create({
        agent: { type: 'agent_with_overrides', id: agent.id, system: 'two' },
        environment_id,
        vault_ids: [vault],
        resources: [
          { type: 'file', file_id, mount_path: '/in/a.txt' },
          {
            type: 'github_repository',
            url: 'https://example.com/acme/repo',
            authorization_token: 'secret-token',
            checkout: { type: 'branch', name: 'main' },
          },
          { type: 'memory_store', memory_store_id: store, access: 'read_only', instructions: 'Look first.' },
        ],
      });
      assert.deepEqual([made.agent.system, made.vault_ids], ['two', [vault]]);
      const listed = await all(client.sessions.resources.list(id));
      assert.deepEqual(
        listed.map(({ type }) => type),
        ['file', 'github_repository', 'memory_store'],
      );
      const idOf = (mounted: Mounted | undefined) => (mounted as { id?: string } | undefined)?.id ?? '';
      const added = await client.sessions.resources.add(id, { type: 'file', file_id, mount_path: '/in/b.txt' });
      assert.deepEqual(await client.sessions.resources.retrieve(idOf(added), { session_id: id }), added);
      const gone = await client.sessions.resources.delete(idOf(added), { session_id: id });
      assert.equal(gone.type, 'session_resource_deleted');
      const repository = idOf(listed[1]);
      const rotated = await client.sessions.resources.update(repository, { session_id: id, authorization_token: 'new-token' });
      assert.equal(idOf(rotated), repository);
      assert.doesNotMatch(JSON.stringify([rotated, await client.sessions.retrieve(id)]), /-token"/);
      await assert.rejects(
        client.sessions.resources.update(idOf(listed[0]), { session_id: id, authorization_token: 'x' }),
        sdk.errors.BadRequestError,
      );
    });

    it("sets a session's budget, raises it, removes it, and adds none later", async () => {
      const cap = (amount: string): Budget => ({ type: 'limit', max_list_cost: { amount, currency: 'USD' } });
      const agent = await client.agents.create({ name: 'Tester', model });
      const environment_id = (await client.environments.create({ name: 'test' })).id;
      const { id, budget } = await client.sessions.create({ agent: agent.id, environment_id, budget: cap('50') });
      assert.equal(budget?.max_list_cost.amount, '50');
      const spend = async () => {
        const stream = await client.sessions.events.stream(id);
        await client.sessions.events.send(id, { events: [message('spend 60')] });
        return (await read(stream, ({ type }) => type === 'session.status_idle')).at(-1) as { stop_reason?: { type: string } };
      };
      assert.equal((await spend()).stop_reason?.type, 'budget_reached');
      await assert.rejects(client.sessions.events.send(id, { events: [message('more')] }), sdk.errors.BadRequestError);
      await assert.rejects(client.sessions.update(id, { budget: cap('55') }), sdk.errors.BadRequestError);
      assert.equal((await client.sessions.update(id, { budget: cap('5000') })).budget?.max_list_cost.amount, '5000');
      assert.equal((await client.sessions.update(id, { budget: null })).budget, null);
      await assert.rejects(client.sessions.update(id, { budget: cap('9000') }), sdk.errors.BadRequestError);
    });

    it('queues a session of a self-hosted environment', async () => {
      const environment_id = (await client.environments.create({ name: 'own', config: { type: 'self_hosted' } })).id;
      const agent = await client.agents.create({ name: 'Agent', model });
      await client.sessions.create({ agent: agent.id, environment_id });
      const [work] = await all(client.environments.work.list(environment_id));
      assert.ok(work?.id.startsWith('work_'));
    });

    it('deletes an environment only when no session uses it', async () => {
      const { id } = await client.environments.create({ name: 'used' });
      const session = await start([], id);
      await assert.rejects(client.environments.delete(id), sdk.errors.BadRequestError);
      await client.sessions.delete(session.id);
      assert.equal((await client.environments.delete(id)).type, 'environment_deleted');
      assert.equal((await all(client.environments.list({ limit: 1 }))).length, 1);
    });
  });
}
