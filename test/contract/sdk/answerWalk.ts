import { dialects } from '../../../src/client/dialect';
import type { Emulator } from '../../../src/emulator/server';
import { scripts } from '../../../src/emulator/sessions/scripts/runScript';

type Json = ReturnType<typeof JSON.parse>;

/** A JSON response of the emulator. `data` has the events of a stream. */
export interface RecordedAnswer {
  readonly method: string;
  readonly path: string;
  readonly json: Json;
}

/** Calls an emulator of a vendor's dialect and records its responses. */
class Recorder {
  readonly answers: RecordedAnswer[] = [];
  readonly #emulator: Emulator;
  readonly #headers: Record<string, string>;
  readonly #query: string;

  constructor(emulator: Emulator, dialect: VendorDialect) {
    const { version, betas, betaQuery } = dialects[dialect];
    const beta = [...new Set(Object.values(betas)), 'fallback-credit-2026-07-01'].join();
    this.#emulator = emulator;
    this.#headers = { 'x-api-key': emulator.key, 'anthropic-version': version, 'anthropic-beta': beta };
    this.#query = betaQuery ? '?beta=true' : '';
  }

  async ask(method: string, path: string, body?: object): Promise<Json> {
    const [plain = '', query] = path.split('?');
    const rest = query === undefined ? '' : `${this.#query === '' ? '?' : '&'}${query}`;
    const isForm = body instanceof FormData;
    const response = await fetch(this.#emulator.url + plain + this.#query + rest, {
      method,
      headers: { ...this.#headers, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 200) {
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    }
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const json = isStream ? { data: eventsIn(text) } : text.startsWith('{') || text === 'null' ? parse(text) : undefined;
    this.answers.push({ method, path: plain, json });
    return json;
  }
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    // The results of a batch are JSON Lines.
    return {
      data: text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    };
  }
}

function eventsIn(text: string): unknown[] {
  const lines = text.split('\n').filter(line => line.startsWith('data: '));
  return lines.map(line => JSON.parse(line.slice('data: '.length)));
}

/** Calls every route of the emulator at least once. Returns the responses. */
export async function walk(emulator: Emulator, dialect: VendorDialect): Promise<readonly RecordedAnswer[]> {
  const recorder = new Recorder(emulator, dialect);
  const ask = recorder.ask.bind(recorder);
  await walkMessages(ask, emulator);
  const agent = await walkAgents(ask, dialect);
  const environment = await walkEnvironments(ask);
  await walkSessions(ask, emulator, environment, dialect);
  await walkWork(ask, emulator, agent);
  await walkFiles(ask);
  await walkSkills(ask);
  await walkDeployments(ask, agent, environment);
  await walkMemories(ask);
  await walkVaults(ask);
  return recorder.answers;
}

/** Returns the words of the scripts, without `storm` (too long), `unknown`, and the words that older services don't have. */
function wordsOf(dialect: VendorDialect): readonly string[] {
  const words = Object.keys(scripts).filter(word => word !== 'storm' && word !== 'unknown');
  return dialect === 'anthropic-2026' ? [...words, 'workflow fail'] : words.filter(word => word !== 'workflow' && word !== 'judge');
}

type VendorDialect = 'anthropic-2023' | 'anthropic-2026';
type Ask = Recorder['ask'];
const model = 'claude-opus-4-6';
const hour = 60 * 60 * 1000;

async function walkMessages(ask: Ask, emulator: Emulator): Promise<void> {
  const say = (content: string, rest: object = {}) => ({ model, max_tokens: 2000, messages: [{ role: 'user', content }], ...rest });
  const tools = [{ name: 'a', input_schema: { type: 'object' } }];
  const fallbacks = [{ model: 'claude-sonnet-4-6' }];
  const asked = [
    say('Hello'),
    say('Hello', { max_tokens: 0, diagnostics: { previous_message_id: null }, speed: 'fast', inference_geo: 'eu' }),
    say('[emulate: max_tokens]', { thinking: { type: 'adaptive' } }),
    say('[emulate: refusal]'),
    say('[emulate: partial-refusal words]'),
    say('[emulate: tool-refusal]'),
    say('[emulate: refusal]', { fallbacks }),
    say('[emulate: tool]', { tools }),
  ];
  for (const body of asked) {
    await ask('POST', '/v1/messages', body);
    await ask('POST', '/v1/messages', { ...body, stream: true });
  }
  const { stop_details: details } = await ask('POST', '/v1/messages', say('[emulate: refusal]', { model: 'claude-opus-5' }));
  const token = details.fallback_credit_token;
  await ask('POST', '/v1/messages', say('[emulate: refusal]', { fallback_credit_token: token }));
  await ask('POST', '/v1/messages', say('Other', { fallback_credit_token: { token, mode: 'best_effort' } }));
  await ask('POST', '/v1/messages/count_tokens', { model, messages: [{ role: 'user', content: 'Hello' }] });
  const { data } = await ask('GET', '/v1/models');
  await ask('GET', `/v1/models/${data[0].id}`);

  const requests = [...asked, say('[emulate: error]'), say('[emulate: expired]'), say('[emulate: canceled]')];
  const batch = { requests: requests.map((params, n) => ({ custom_id: `r${n}`, params })) };
  const { id } = await ask('POST', '/v1/messages/batches', batch);
  const canceled = await ask('POST', '/v1/messages/batches', batch);
  await ask('POST', `/v1/messages/batches/${canceled.id}/cancel`);
  await emulator.advanceClock(hour);
  await ask('GET', `/v1/messages/batches/${id}`);
  await ask('GET', '/v1/messages/batches');
  await ask('GET', `/v1/messages/batches/${id}/results`);
  await ask('DELETE', `/v1/messages/batches/${id}`);
}

async function walkAgents(ask: Ask, dialect: VendorDialect): Promise<string> {
  const other = (await ask('GET', '/v1/agents')).data[0].id;
  const { id, version } = await ask('POST', '/v1/agents', {
    name: 'Walker',
    model: { id: model, speed: 'fast', effort: 'low' },
    description: 'Walks',
    system: 'Walk.',
    tools: [
      { type: 'agent_toolset_20260401', configs: [{ name: 'bash', permission_policy: { type: 'always_ask' } }, { name: 'web_fetch' }] },
      { type: 'mcp_toolset', mcp_server_name: 'issues', configs: [{ name: 'find', enabled: false }] },
      { type: 'custom', name: 'price', description: 'A price', input_schema: { type: 'object', properties: {} } },
    ],
    mcp_servers: [{ type: 'url', name: 'issues', url: 'https://mcp.example.com' }],
    skills: [{ type: 'custom', skill_id: 'skill_1' }],
    multiagent: { type: 'coordinator', agents: [other, { type: 'self' }, { type: 'advisor', model }] },
    metadata: { team: 'one' },
  });
  await ask('POST', `/v1/agents/${id}`, { version, description: null });
  await ask('GET', `/v1/agents/${id}`);
  await ask('GET', `/v1/agents/${id}/versions`);
  if (dialect === 'anthropic-2026') {
    const workflows = { type: 'enabled', predefined_agents: [{ type: 'agent', id: other, version: 1 }] };
    await ask('POST', '/v1/agents', { name: 'Runs', model, multiagent: { type: 'multiagent_20261001', workflows } });
  }
  const gone = await ask('POST', '/v1/agents', { name: 'Gone', model });
  await ask('POST', `/v1/agents/${gone.id}/archive`);
  return id;
}

async function walkEnvironments(ask: Ask): Promise<string> {
  const packages = { pip: ['pandas==2.2.0'] };
  const networking = { type: 'limited', allowed_hosts: ['example.com'], allow_package_managers: true };
  const { id } = await ask('POST', '/v1/environments', {
    name: 'Cloud',
    config: { type: 'cloud', packages, networking },
    metadata: { a: 'b' },
  });
  await ask('POST', `/v1/environments/${id}`, { description: 'Changed' });
  await ask('GET', `/v1/environments/${id}`);
  await ask('GET', '/v1/environments');
  const gone = await ask('POST', '/v1/environments', { name: 'Gone' });
  await ask('POST', `/v1/environments/${gone.id}/archive`);
  await ask('DELETE', `/v1/environments/${gone.id}`);
  return id;
}

/** Runs every script of the emulator's agents, answers their requests, and reads the logs and streams. */
async function walkSessions(ask: Ask, emulator: Emulator, environment: string, dialect: VendorDialect): Promise<void> {
  const agents: { id: string; name: string }[] = (await ask('GET', '/v1/agents')).data;
  const coordinator = agents.find(({ name }) => name === 'Coordinator')?.id;
  const budget = { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } };
  const text = (words: string) => ({ type: 'user.message', content: [{ type: 'text', text: words }] });
  for (const words of [...wordsOf(dialect), 'Hello']) {
    const { id } = await ask('POST', '/v1/sessions', {
      agent: coordinator,
      environment_id: environment,
      title: words,
      ...(words === 'price' ? { budget } : {}),
    });
    const path = `/v1/sessions/${id}`;
    const streamed = ask('GET', `${path}/events/stream`);
    await ask('POST', `${path}/events`, { events: [text(words)] });
    await emulator.advanceClock(0);
    await answerAsks(ask, emulator, path);
    await ask('GET', path);
    await ask('GET', `${path}/events?limit=1000`);
    const threads: { id: string; parent_thread_id: string | null }[] = (await ask('GET', `${path}/threads`)).data;
    for (const thread of threads) {
      await ask('GET', `${path}/threads/${thread.id}`);
      await ask('GET', `${path}/threads/${thread.id}/events`);
    }
    const child = threads.find(thread => thread.parent_thread_id !== null);
    if (child !== undefined && words === 'delegate') {
      await ask('POST', `${path}/threads/${child.id}/archive`);
    }
    if ((await ask('GET', path)).status === 'running') {
      await ask('POST', `${path}/events`, { events: [{ type: 'user.interrupt' }] });
    }
    while ((await ask('GET', path)).status === 'running') {
      await emulator.advanceClock(0);
    }
    await ask('DELETE', path);
    await streamed;
  }
  const { id } = await ask('POST', '/v1/sessions', { agent: coordinator, environment_id: environment });
  const path = `/v1/sessions/${id}`;
  const rubric = { type: 'text', content: 'All is well' };
  const content = [{ type: 'text', text: 'Be brief.' }];
  const outcome = { type: 'user.define_outcome', description: 'Works at the first try', rubric };
  await ask('POST', `${path}/events`, { events: [{ type: 'system.message', content }, outcome] });
  await emulator.advanceClock(0);
  await ask('POST', path, { title: 'Renamed', metadata: { a: 'b' }, agent: { tools: [{ type: 'agent_toolset_20260401' }] } });
  await ask('GET', `${path}/events?limit=1000`);
  await ask('GET', '/v1/sessions?limit=100');
  const form = new FormData();
  form.append('file', new Blob(['a']), 'a.txt');
  const file = await ask('POST', '/v1/files', form);
  const resource = await ask('POST', `${path}/resources`, { type: 'file', file_id: file.id });
  await ask('GET', `${path}/resources/${resource.id}`);
  await ask('GET', `${path}/resources`);
  await ask('DELETE', `${path}/resources/${resource.id}`);
  const store = (await ask('GET', '/v1/memory_stores')).data[0].id;
  const url = 'https://git.example.com/a/b';
  const token = { authorization_token: 'token' };
  const mounted = await ask('POST', '/v1/sessions', {
    agent: coordinator,
    environment_id: environment,
    resources: [
      { type: 'github_repository', url, ...token, checkout: { type: 'branch', name: 'main' } },
      { type: 'memory_store', memory_store_id: store, access: 'read_only' },
    ],
  });
  const repository = mounted.resources.find((one: { type: string }) => one.type === 'github_repository');
  await ask('POST', `/v1/sessions/${mounted.id}/resources/${repository.id}`, token);
  await ask('POST', `${path}/archive`);
}

/** Answers the open requests of a session, up to five times, because an answer can lead to the next request. */
async function answerAsks(ask: Ask, emulator: Emulator, path: string): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    const events: { type: string; id: string; stop_reason?: { event_ids?: string[] } }[] = (await ask('GET', `${path}/events?limit=1000`))
      .data;
    const idle = events.filter(({ type }) => type === 'session.status_idle').at(-1);
    const open = idle?.stop_reason?.event_ids ?? [];
    if (open.length === 0 || events.at(-1)?.type === 'session.status_terminated') {
      return;
    }
    const answers = open.map((id, at) =>
      events.find(event => event.id === id)?.type === 'agent.custom_tool_use'
        ? { type: 'user.custom_tool_result', custom_tool_use_id: id, content: [{ type: 'text', text: '12' }] }
        : { type: 'user.tool_confirmation', tool_use_id: id, ...(at === 0 ? { result: 'allow' } : { result: 'deny', deny_message: 'No' }) },
    );
    await ask('POST', `${path}/events`, { events: answers });
    await emulator.advanceClock(0);
  }
}

async function walkWork(ask: Ask, emulator: Emulator, agent: string): Promise<void> {
  const { id } = await ask('POST', '/v1/environments', { name: 'Own', config: { type: 'self_hosted' } });
  await ask('POST', '/v1/sessions', { agent, environment_id: id });
  const path = `/v1/environments/${id}/work`;
  await ask('GET', `${path}/stats`);
  const [work] = (await ask('GET', path)).data;
  await ask('POST', `${path}/${work.id}/stop`, {});
  await ask('GET', `${path}/${work.id}`);
  await emulator.advanceClock(0);
}

async function walkFiles(ask: Ask): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob(['a']), 'a.txt');
  form.append('expires_in_seconds', '3600');
  const { id } = await ask('POST', '/v1/files', form);
  await ask('GET', '/v1/files');
  await ask('GET', `/v1/files/${id}`);
  await ask('DELETE', `/v1/files/${id}`);
}

async function walkSkills(ask: Ask): Promise<void> {
  const form = () => {
    const created = new FormData();
    created.append('files[]', new Blob(['---\nname: walk\ndescription: Walks.\n---\nWalk.\n']), 'walk/SKILL.md');
    return created;
  };
  const { id } = await ask('POST', '/v1/skills', form());
  const version = await ask('POST', `/v1/skills/${id}/versions`, form());
  await ask('GET', '/v1/skills');
  await ask('GET', `/v1/skills/${id}`);
  await ask('GET', `/v1/skills/${id}/versions`);
  const key = version.version ?? version.id;
  await ask('GET', `/v1/skills/${id}/versions/${key}`);
  await ask('DELETE', `/v1/skills/${id}/versions/${key}`);
  await ask('DELETE', `/v1/skills/${id}`);
}

async function walkDeployments(ask: Ask, agent: string, environment: string): Promise<void> {
  const { id } = await ask('POST', '/v1/deployments', {
    name: 'Weekly',
    agent,
    environment_id: environment,
    schedule: { type: 'cron', expression: '0 9 * * 1', timezone: 'UTC' },
    budget: { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } },
    initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Hello' }] }],
  });
  await ask('POST', `/v1/deployments/${id}`, { description: 'Mondays' });
  await ask('GET', `/v1/deployments/${id}`);
  await ask('GET', '/v1/deployments');
  await ask('POST', `/v1/deployments/${id}/run`);
  await ask('POST', `/v1/deployments/${id}/pause`);
  await ask('POST', `/v1/deployments/${id}/unpause`);
  await ask('POST', `/v1/environments/${environment}/archive`);
  const failed = await ask('POST', `/v1/deployments/${id}/run`);
  await ask('GET', `/v1/deployment_runs/${failed.id}`);
  await ask('GET', '/v1/deployment_runs');
  await ask('POST', `/v1/deployments/${id}/archive`);
}

async function walkMemories(ask: Ask): Promise<void> {
  const { id } = await ask('POST', '/v1/memory_stores', { name: 'Notes', description: 'd' });
  const path = `/v1/memory_stores/${id}`;
  await ask('POST', path, { name: 'Team Notes' });
  await ask('GET', path);
  await ask('GET', '/v1/memory_stores');
  const memory = await ask('POST', `${path}/memories?view=full`, { path: '/a/b.md', content: 'one' });
  await ask('POST', `${path}/memories/${memory.id}`, { content: 'two' });
  await ask('GET', `${path}/memories/${memory.id}`);
  await ask('GET', `${path}/memories?depth=1&path_prefix=/`);
  await ask('GET', `${path}/memories`);
  await ask('POST', `${path}/memory_versions/${memory.memory_version_id}/redact`);
  await ask('DELETE', `${path}/memories/${memory.id}`);
  await ask('GET', `${path}/memory_versions?view=full`);
  await ask('GET', `${path}/memory_versions/${memory.memory_version_id}`);
  await ask('POST', `${path}/archive`);
  await ask('DELETE', path);
}

async function walkVaults(ask: Ask): Promise<void> {
  const { id } = await ask('POST', '/v1/vaults', { display_name: 'Keys' });
  const path = `/v1/vaults/${id}`;
  await ask('POST', path, { display_name: 'All Keys' });
  await ask('GET', path);
  await ask('GET', '/v1/vaults');
  const server = 'https://mcp.example.com';
  const refresh = {
    refresh_token: 'r',
    token_endpoint: `${server}/token`,
    client_id: 'c',
    token_endpoint_auth: { type: 'client_secret_basic', client_secret: 's' },
  };
  const auths = [
    { type: 'mcp_oauth', mcp_server_url: server, access_token: 't', expires_at: '2027-01-01T00:00:00Z', refresh },
    { type: 'static_bearer', mcp_server_url: `${server}/2`, token: 't' },
    {
      type: 'environment_variable',
      secret_name: 'TOKEN',
      secret_value: 'v',
      networking: { type: 'limited', allowed_hosts: ['example.com'] },
    },
  ];
  for (const auth of auths) {
    const credential = await ask('POST', `${path}/credentials`, { auth });
    const below = `${path}/credentials/${credential.id}`;
    await ask('POST', below, { display_name: 'Named' });
    await ask('GET', below);
    if (auth.type === 'mcp_oauth') {
      await ask('POST', `${below}/mcp_oauth_validate`);
    }
    await ask('POST', `${below}/archive`);
    await ask('DELETE', below);
  }
  await ask('GET', `${path}/credentials`);
  await ask('POST', `${path}/archive`);
  await ask('DELETE', path);
}
