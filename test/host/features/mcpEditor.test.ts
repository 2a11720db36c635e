import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AssistantServices } from '../../../src/features/assistant/assistantServices';
import { McpDefinitionProvider } from '../../../src/features/assistant/mcp/mcpDefinitionProvider';
import { McpServer } from '../../../src/features/assistant/mcp/mcpServer';
import { assistantTools } from '../../../src/features/assistant/tools';
import { eventually, eventuallyHolds } from '../eventually';
import { useExtension } from '../useExtension';

const through = 'managedAgents.ai.through';
const level = 'managedAgents.ai.tools';

async function set(name: string, value: string | undefined): Promise<void> {
  await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}

/** Exchanges one message with a server, as VS Code does. */
async function ask({ uri, headers }: vscode.McpHttpServerDefinition, message: object, more: object = {}) {
  const options = { socketPath: uri.path, path: uri.fragment, method: 'POST', agent: false };
  const sent = http.request({ ...options, headers: { 'content-type': 'application/json', host: 'localhost', ...headers, ...more } });
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const part of response) {
    text += String(part);
  }
  return { status: response.statusCode, session: String(response.headers['mcp-session-id'] ?? ''), text };
}

const hello = { method: 'initialize', params: { protocolVersion: '2025-06-18' } };

describe('tools offered to the editor over MCP', () => {
  useExtension('mcpOffer');
  const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
  let isLoaded: boolean;
  let provider: McpDefinitionProvider;

  beforeEach(() => {
    isLoaded = false;
    const services = { isTrusted: () => true, level: () => 'read' } as unknown as AssistantServices;
    provider = new McpDefinitionProvider('1.2.3', async () => {
      isLoaded = true;
      return new McpServer({ services, version: '1' }, 'socket');
    });
  });

  afterEach(async () => {
    provider.dispose();
    if (isTrusted !== undefined) {
      Object.defineProperty(vscode.workspace, 'isTrusted', isTrusted);
    }
    await set(through, undefined);
    await set(level, undefined);
  });

  /** Changes a setting, and waits for the change event of the provider. */
  async function change(name: string, value: string | undefined): Promise<void> {
    const said = new Promise<void>(resolve => {
      const once = provider.onDidChangeMcpServerDefinitions(() => {
        once.dispose();
        resolve();
      });
    });
    await set(name, value);
    await said;
  }

  async function opened(): Promise<vscode.McpHttpServerDefinition> {
    const [server = assert.fail('nothing is offered')] = provider.provideMcpServerDefinitions();
    return (await provider.resolveMcpServerDefinition(server)) ?? assert.fail('nothing was opened');
  }

  it('are missing while they are registered as language model tools, turned off, or the workspace is untrusted', async () => {
    assert.deepEqual(provider.provideMcpServerDefinitions(), []);
    await change(through, 'mcp');
    const [server = assert.fail('nothing is offered')] = provider.provideMcpServerDefinitions();
    assert.deepEqual([server.label, server.version, server.headers], ['Managed Agents', '1.2.3-read', {}]);
    await change(level, 'off');
    assert.deepEqual(provider.provideMcpServerDefinitions(), []);
    assert.equal(await provider.resolveMcpServerDefinition(server), undefined);
    await change(level, 'metadata');
    assert.equal(provider.provideMcpServerDefinitions()[0]?.version, '1.2.3-metadata');
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
    assert.deepEqual(provider.provideMcpServerDefinitions(), []);
    assert.equal(await provider.resolveMcpServerDefinition(server), undefined);
  });

  it('are served on a socket with a header as long as VS Code needs it', async () => {
    await change(through, 'mcp');
    provider.provideMcpServerDefinitions();
    assert.equal(isLoaded, false);
    const server = await opened();
    assert.deepEqual([server.uri.scheme, server.uri.fragment], ['unix', '/mcp']);
    const { status, session } = await ask(server, hello);
    assert.equal(status, 200);
    assert.match((await ask(server, { method: 'tools/list' }, { 'mcp-session-id': session })).text, /"name":"check_requests"/);
    assert.equal((await ask(server, hello, { Authorization: 'Bearer wrong' })).status, 401);
    assert.equal((await ask({ ...server, headers: {} }, hello)).status, 401);
    const again = await opened();
    assert.deepEqual([again.uri.toString(), again.headers], [server.uri.toString(), server.headers]);

    await change(through, undefined);
    assert.equal(existsSync(path.dirname(server.uri.path)), false);
    await assert.rejects(ask(server, hello), { code: 'ENOENT' });
    await change(through, 'mcp');
    const later = await opened();
    assert.notEqual(later.uri.path, server.uri.path);
    assert.equal((await ask(later, hello)).status, 200);
    assert.equal((await ask(later, hello, server.headers)).status, 401);
    provider.dispose();
    assert.equal(existsSync(path.dirname(later.uri.path)), false);
  });

  it("can't be turned on by a workspace", async () => {
    await assert.rejects(Promise.resolve(vscode.workspace.getConfiguration().update(through, 'mcp', vscode.ConfigurationTarget.Workspace)));
    assert.equal(vscode.workspace.getConfiguration().get(through), 'tools');
  });
});

describe('tools that the editor gets over MCP', () => {
  const files = useExtension('mcpEditor');
  const ourServer = 'managed-agents.managed-agents/Managed Agents';
  const isOldest = vscode.version.startsWith('1.105.');
  const named = (pattern: RegExp) => [...new Set(vscode.lm.tools.map(({ name }) => name).filter(name => pattern.test(name)))];
  const fromServer = () => named(/^mcp_managed.*_(?:check|estimate|preview|write|propose|list|query|explain|read|show|send)/);
  const fromManifest = () => named(/^managed-agents_/);

  after(async () => {
    await set(through, undefined);
    await set(level, undefined);
  });

  /** Makes VS Code start the server, without a chat. Does nothing if no server is offered. */
  const start = () => vscode.commands.executeCommand('workbench.mcp.startServer', ourServer);

  async function listed(): Promise<readonly string[]> {
    return await eventually(async () => {
      await start();
      const names = fromServer();
      return names.length > 0 && names;
    });
  }

  async function call(name: string): Promise<string> {
    const input = { file: 'mcpEditor/right.jsonl' };
    return JSON.stringify(await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }));
  }

  async function eventuallyWorks(name: string): Promise<void> {
    files.write('right.jsonl', '{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}}\n');
    await eventuallyHolds(async () => {
      await start();
      assert.match(await call(name), /\\"requests\\":1/);
    });
  }

  async function eventuallyGone(name: string): Promise<void> {
    await eventuallyHolds(async () => {
      await start();
      // The oldest supported version still lists the tools of earlier servers.
      assert.deepEqual(isOldest ? [] : fromServer(), []);
      await assert.rejects(call(name));
    });
  }

  it("match the level, work, and exist only while they aren't registered as language model tools @ci", async () => {
    // VS Code removes the server of an earlier test a moment later. Until then, starting the server may fail.
    await eventuallyHolds(async () => {
      await start();
      assert.deepEqual(fromServer(), []);
    });

    await set(through, 'mcp');
    const names = await listed();
    const expected = assistantTools.filter(({ needs }) => needs !== 'full').map(({ name }) => name);
    assert.equal(names.length, expected.length, names.join());
    for (const tool of expected) {
      assert.ok(
        names.some(name => name.endsWith(`_${tool}`)),
        `${tool}: ${names.join()}`,
      );
    }
    if (isOldest) {
      // Only checked on the oldest version. Newer versions also list tools that a `when` clause hides from models.
      await eventuallyHolds(() => assert.deepEqual(fromManifest(), []));
    }
    const check = names.find(name => name.endsWith('_check_requests')) ?? assert.fail();
    await eventuallyWorks(check);

    await set(level, 'off');
    await eventuallyGone(check);
    await set(level, undefined);
    await eventuallyWorks(check);

    await set(through, undefined);
    await eventuallyGone(check);
    await eventuallyHolds(() =>
      assert.equal(expected.filter(name => fromManifest().includes(`managed-agents_${name}`)).length, expected.length),
    );
  });
});
