import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '../../../src/features/assistant/mcp/mcpServer';
import { assistantTools } from '../../../src/features/assistant/tools';
import { SessionOnEmulator } from '../../helpers/emulatorClient';
import { AssistantBench } from './assistantBench';

const canary = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';

describe('features/assistant/mcp over a socket', () => {
  let bench: AssistantBench;
  let server: McpServer;
  const clients: Client[] = [];

  before(async () => {
    bench = await AssistantBench.start();
  });

  after(() => bench.stop());

  beforeEach(async () => {
    server = new McpServer({ services: bench.services(), version: '1.2.3' }, 'port');
    await server.started;
  });

  afterEach(async () => {
    bench.level = 'full';
    bench.agrees = true;
    await Promise.all(clients.splice(0).map(client => client.close()));
    server.dispose();
  });

  const request = (id: string, content = 'Hi', more: object = {}) => ({
    custom_id: id,
    params: { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content }], ...more },
  });

  async function connect(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${server.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }) as never);
    clients.push(client);
    return client;
  }

  async function call(client: Client, name: string, input: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [part] = content as readonly { readonly text: string }[];
    return { text: part?.text ?? '', isError: isError === true };
  }

  /** Sends one request as any program could. */
  async function ask(headers: http.OutgoingHttpHeaders, body: string, method = 'POST') {
    const sent = http.request(server.url, { method, agent: false, headers: { 'content-type': 'application/json', ...headers } });
    sent.on('error', () => undefined);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
    let text = '';
    for await (const part of response) {
      text += String(part);
    }
    return { status: response.statusCode, headers: response.headers, text };
  }

  const authorization = () => `Bearer ${server.token}`;
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } });

  it('introduces itself and lists exactly the tools of the level', async () => {
    const client = await connect();
    assert.deepEqual(client.getServerVersion(), { name: 'managed-agents', title: 'Managed Agents', version: '1.2.3' });
    await client.ping();
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(
      await names(),
      assistantTools.map(({ name }) => name),
    );
    bench.level = 'metadata';
    assert.deepEqual(
      await names(),
      assistantTools.filter(({ needs }) => needs === 'metadata').map(({ name }) => name),
    );
    bench.level = 'off';
    assert.deepEqual(await names(), []);
    assert.match((await call(client, 'check_requests', { file: 'x.jsonl' })).text, /is turned off/);
  });

  it('names the program that made a call', async () => {
    const client = await connect();
    bench.asked.length = 0;
    bench.consent = false;
    const { id } = await SessionOnEmulator.start(bench.emulator, 'Researcher');
    const { text } = await call(client, 'read_session', { session: id });
    bench.consent = true;
    assert.match(text, /does not allow/);
    assert.deepEqual(bench.asked, ['test: Lab']);
  });

  it('negotiates a version that both support, and reports its own', async () => {
    const versionOf = async (asked: string) => {
      const { text } = await ask({ authorization: authorization() }, initialize.replace('2025-06-18', asked));
      return JSON.parse(text).result.protocolVersion;
    };
    assert.equal(await versionOf('2025-06-18'), '2025-06-18');
    assert.equal(await versionOf('2031-01-01'), '2025-11-25');
    const other = await ask({ authorization: authorization(), 'mcp-protocol-version': '2024-01-01' }, initialize);
    assert.equal(other.status, 400);
    assert.match(other.text, /2025-06-18/);
  });

  it('runs a tool, explains invalid input, and masks a secret', async () => {
    const client = await connect();
    bench.write('leaky.jsonl', request('a', `Authorization: Bearer ${canary}`, { [canary]: 1 }), request('a'));
    const checked = await call(client, 'check_requests', { file: 'leaky.jsonl' });
    assert.match(checked.text, /"rule":"duplicate-id"/);
    assert.equal(checked.isError, false);
    assert.ok(!checked.text.includes(canary), checked.text);
    const wrong = await call(client, 'check_requests', { file: 7 });
    assert.ok(wrong.isError);
    assert.match(wrong.text, /Invalid input for .*, so nothing was done/);
    await assert.rejects(call(client, 'delete_all', {}), /Unknown tool. Tools: check_requests/);
    bench.write('huge.jsonl', ...Array.from({ length: 300 }, (_, at) => request(`i${at}`, 'Hi', { [`f${at}_${'x'.repeat(2_000)}`]: 1 })));
    const { text } = await call(client, 'check_requests', { file: 'huge.jsonl', maxProblems: 50 });
    assert.ok(text.length <= 8_000 && text.includes('truncated: true'), String(text.length));
  });

  it('explains invalid input of every tool', async () => {
    const client = await connect();
    for (const { name } of assistantTools) {
      const { text, isError } = await call(client, name, { nonsense: true });
      assert.ok(isError && text.includes(`Invalid input for ${name}`), text);
    }
  });

  it('asks a person before it sends a message, and sends nothing for a proposal', async () => {
    const client = await connect();
    const { data: agent } = await bench.client.agents.create({ name: 'Ada', model: 'vendor-sonnet-5' });
    const { data: environment } = await bench.client.environments.create({ name: 'here' });
    const { data: session } = await bench.client.sessions.create({ agent: agent.id, environment_id: environment.id });
    bench.write('fine.jsonl', request('a'));
    bench.agrees = false;
    const before = bench.changes();
    assert.match((await call(client, 'send_message', { session: session.id, text: 'Go' })).text, /The user declined/);
    assert.match((await call(client, 'propose_batch', { file: 'fine.jsonl' })).text, /"outcome":"closed"/);
    assert.equal(bench.questions.at(-1)?.text, 'Go');
    assert.ok(bench.sheets.length > 0);
    assert.deepEqual(bench.changes(), before);
  });

  it("cancels a client's call, but not another client's call with the same ID", async () => {
    const signals: AbortSignal[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>(resolve => {
      release = resolve;
    });
    let began: () => void = () => undefined;
    const bothBegan = new Promise<void>(resolve => {
      began = () => (signals.length === 2 ? resolve() : undefined);
    });
    const [first = assert.fail()] = assistantTools;
    const slow = {
      ...first,
      run: async (_input: unknown, _services: unknown, signal: AbortSignal) => {
        signals.push(signal);
        began();
        await Promise.race([released, once(signal, 'abort')]);
        return { facts: { done: true } };
      },
    };
    server.dispose();
    server = new McpServer({ tools: [slow], services: bench.services(), version: '1' }, 'port');
    await server.started;
    const [one, two] = [await connect(), await connect()];
    const caller = new AbortController();
    const cancelled = one.callTool({ name: slow.name, arguments: { file: 'x' } }, undefined, { signal: caller.signal });
    const rejected = assert.rejects(cancelled);
    const other = two.callTool({ name: slow.name, arguments: { file: 'x' } });
    await bothBegan;
    const aborted = Promise.race(signals.map(signal => once(signal, 'abort')));
    caller.abort();
    await Promise.all([rejected, aborted]);
    assert.equal(signals.filter(signal => signal.aborted).length, 1);
    release();
    assert.match(JSON.stringify(await other), /done/);
  });

  it('rejects calls without the token, with another host name, or from a browser', async () => {
    const url = new URL(server.url);
    assert.equal((await ask({}, initialize)).status, 401);
    assert.equal((await ask({ authorization: `Bearer ${server.token}x` }, initialize)).status, 401);
    assert.equal((await ask({ authorization: authorization(), host: `evil.example:${url.port}` }, initialize)).status, 403);
    assert.equal((await ask({ authorization: authorization(), host: `localhost:${url.port}` }, initialize)).status, 403);
    assert.equal((await ask({ authorization: authorization(), origin: 'http://evil.example' }, initialize)).status, 403);
    assert.equal((await ask({ authorization: authorization(), origin: server.url }, initialize)).status, 403);
    assert.equal((await ask({ authorization: authorization() }, '', 'GET')).status, 405);
    assert.equal((await ask({ authorization: authorization(), 'content-type': 'text/plain' }, initialize)).status, 415);
    const fine = await ask({ authorization: authorization() }, initialize);
    assert.equal(fine.status, 200);
    assert.equal(fine.headers['access-control-allow-origin'], undefined);
  });

  it("limits the size of a client's input", async () => {
    assert.equal((await ask({ authorization: authorization() }, 'x'.repeat(1024 * 1024 + 1))).status, 413);
    assert.equal((await ask({ authorization: authorization() }, '{')).status, 400);
    assert.equal((await ask({ authorization: authorization() }, '[]')).status, 400);
  });

  it('limits how long a client may take', async () => {
    server.dispose();
    server = new McpServer({ services: bench.services(), version: '1', patience: 200 }, 'port');
    await server.started;
    const hanging = net.connect(Number(new URL(server.url).port), '127.0.0.1');
    hanging.on('error', () => undefined).resume();
    hanging.write('POST /mcp HTTP/1.1\r\nhost: ');
    await once(hanging, 'close');
  });

  it('answers a client while 80 connections send nothing, and closes those', async () => {
    server.dispose();
    server = new McpServer({ services: bench.services(), version: '1', patience: 400 }, 'port');
    await server.started;
    const client = await connect();
    const silent = Array.from({ length: 80 }, () => net.connect(Number(new URL(server.url).port), '127.0.0.1'));
    const ends = silent.map(async socket => {
      socket.on('error', () => undefined).resume();
      await once(socket, 'close');
    });
    await Promise.all(silent.map(socket => once(socket, 'connect')));
    assert.equal((await ask({ authorization: authorization() }, initialize)).status, 200);
    await client.ping();
    await Promise.all(ends);
  });

  it('recognizes a client by its session ID, even one that started at an earlier server', async () => {
    const named = initialize.replace('"protocolVersion"', '"clientInfo":{"name":"Ünï"},"protocolVersion"');
    const session = String((await ask({ authorization: authorization() }, named)).headers['mcp-session-id']);
    server.dispose();
    server = new McpServer({ services: bench.services(), version: '1' }, 'port');
    await server.started;
    const { id } = await SessionOnEmulator.start(bench.emulator, 'Researcher');
    bench.asked.length = 0;
    bench.consent = false;
    const params = { name: 'read_session', arguments: { session: id } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    for (const known of [session, undefined, 'no.such']) {
      const { text } = await ask({ authorization: authorization(), ...(known && { 'mcp-session-id': known }) }, body);
      assert.match(text, /does not allow/);
    }
    bench.consent = true;
    assert.deepEqual([bench.asked[0], bench.asked[1], bench.asked.length], ['Ünï: Lab', '?: Lab', 3]);
  });
});
