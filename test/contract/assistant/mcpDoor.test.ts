import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpDoor } from '../../../src/features/assistant/mcp/mcpDoor';
import { assistantTools } from '../../../src/features/assistant/tools';
import * as vscode from '../../helpers/vscode';
import { AssistantBench } from './assistantBench';

interface Configured {
  readonly type: string;
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly url: string;
  readonly description: string;
  readonly headers: Record<string, string>;
}

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } };

describe('features/assistant/mcp for other programs', () => {
  const { showInformationMessage } = vscode.window;
  let bench: AssistantBench;
  let folder: string;
  let door: McpDoor;
  let shown: string[];
  /** Buttons that the user presses, in order. */
  let presses: (string | undefined)[];
  const clients: Client[] = [];
  const bridges: ChildProcess[] = [];

  before(async () => {
    bench = await AssistantBench.start();
  });

  after(() => bench.stop());

  const createDoor = () =>
    new McpDoor({
      folder: path.join(folder, 'mcp'),
      bridge: path.join(process.env.TEST_BUILD ?? '', 'mcpBridge.js'),
      services: bench.services(),
      version: '1',
      warn: message => assert.fail(message),
    });

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'door-'));
    door = createDoor();
    shown = [];
    presses = [];
    vscode.window.showInformationMessage = (async (message: string) => {
      shown.push(message);
      return presses.shift();
    }) as never;
  });

  afterEach(async () => {
    await Promise.all(clients.splice(0).map(client => client.close()));
    for (const bridge of bridges.splice(0)) {
      bridge.kill();
    }
    door.dispose();
    vscode.window.showInformationMessage = showInformationMessage;
    rmSync(folder, { recursive: true, force: true });
  });

  async function copied(): Promise<Configured> {
    await door.copyConfiguration();
    return JSON.parse(await vscode.env.clipboard.readText()).mcpServers['managed-agents'];
  }

  async function connect({ command, args, env }: Configured): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    await client.connect(new StdioClientTransport({ command, args, env }) as never);
    return client;
  }

  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  const allNames = assistantTools.map(({ name }) => name);

  /** Starts a bridge. Returns a function that writes to it and resolves with its next response. */
  function talk({ command, args, env }: Configured): (text: string) => Promise<Record<string, unknown>> {
    const bridge = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
    bridges.push(bridge);
    return async text => {
      bridge.stdin.write(text);
      const [answer] = await once(bridge.stdout, 'data');
      return JSON.parse(String(answer));
    };
  }

  const ask = async ({ url, headers }: Configured) =>
    await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(initialize),
    });

  it('are reached by the bridge of the copied configuration, which contains no secret', async () => {
    await door.update(true);
    const configured = await copied();
    assert.deepEqual([configured.type, configured.command, configured.env], ['stdio', process.execPath, { ELECTRON_RUN_AS_NODE: '1' }]);
    const { token, path: socket } = JSON.parse(readFileSync(path.join(folder, 'mcp/address.json'), 'utf8'));
    assert.ok(token.length > 40 && statSync(socket).isSocket());
    assert.doesNotMatch(await vscode.env.clipboard.readText(), new RegExp(token));
    assert.equal(statSync(path.dirname(socket)).mode & 0o777, 0o700);
    assert.equal(statSync(path.join(folder, 'mcp')).mode & 0o777, 0o700);
    assert.equal(statSync(path.join(folder, 'mcp/address.json')).mode & 0o777, 0o600);
    assert.match(shown.join(), /your user settings \(~\/\.cursor\/mcp\.json or .*not into a workspace/);

    const client = await connect(configured);
    assert.deepEqual(await namesOf(client), allNames);
    const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Grüße\u2028' }] };
    bench.write('one.jsonl', { custom_id: 'a', params });
    const { content } = await client.callTool({ name: 'check_requests', arguments: { file: 'one.jsonl' } });
    assert.match(JSON.stringify(content), /\\"requests\\":1/);
    await assert.rejects(client.callTool({ name: 'delete_all', arguments: {} }), /Unknown tool/);
  });

  it('are reached again after the editor window restarted', async () => {
    await door.update(true);
    const client = await connect(await copied());
    assert.deepEqual(await namesOf(client), allNames);
    await door.update(false);
    assert.deepEqual(readdirSync(path.join(folder, 'mcp')), ['mcpBridge.mjs']);
    await assert.rejects(client.listTools(), /The MCP server is not running\. Open the workspace/);
    await door.update(true);
    assert.deepEqual(await namesOf(client), allNames);
  });

  it('stay reachable at the newest window of a workspace when another one closes', async () => {
    await door.update(true);
    const configured = await copied();
    const other = createDoor();
    await other.update(true);
    door.dispose();
    assert.deepEqual(await namesOf(await connect(configured)), allNames);
    other.dispose();
    assert.equal(existsSync(path.join(folder, 'mcp/address.json')), false);
  });

  it('are served by a bridge that handles malformed lines, and ends with its client', async () => {
    await door.update(true);
    const configured = await copied();
    const write = talk(configured);
    assert.deepEqual((await write('{"a\n')).error, { code: -32700, message: 'The message is not JSON.' });
    assert.match(JSON.stringify(await write('{"jsonrpc":"2.0","id":7,"method":"none"}\n')), /"id":7,"error":.*Unknown method/);
    const halves = JSON.stringify(initialize);
    assert.match(JSON.stringify(await write(`\r\n${halves.slice(0, 20)}`.concat(`${halves.slice(20)}\n`))), /"id":1,"result"/);
    const [bridge] = bridges;
    bridge?.stdin?.end();
    assert.deepEqual(await once(bridge ?? assert.fail(), 'exit'), [0, null]);
  });

  it('listen on a port if a client needs one, with a new port and token each time', async () => {
    await door.update(true);
    presses = ['Use HTTP Instead', undefined, 'Use HTTP Instead', undefined];
    const first = await copied();
    assert.match(first.description, /^Other users of this machine can reach the port/);
    assert.match(shown[1] ?? '', /into your user settings.*not into a workspace/);
    assert.equal((await ask(first)).status, 200);
    const second = await copied();
    assert.notEqual(second.headers.Authorization, first.headers.Authorization);
    await assert.rejects(ask(first));
    assert.equal((await ask({ ...second, headers: first.headers })).status, 401);
    assert.equal((await ask(second)).status, 200);
    await door.update(false);
    await assert.rejects(ask(second));
    await assert.rejects(door.copyConfiguration(), /Turn on "managedAgents\.ai\.mcp"/);
  });
});
