import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as vscode from 'vscode';
import { eventually, eventuallyHolds } from '../eventually';
import { useExtension } from '../useExtension';

interface Configuration {
  readonly mcpServers: Readonly<Record<string, { readonly url: string; readonly headers: Readonly<Record<string, string>> }>>;
}

const setting = 'managedAgents.ai.mcp';
const settings = () => vscode.workspace.getConfiguration();

async function serve(isOn: boolean | undefined): Promise<void> {
  await settings().update(setting, isOn, vscode.ConfigurationTarget.Global);
}

/** What the command copies; its notification waits for an answer, and nobody gives one. */
async function copied(): Promise<Configuration['mcpServers'][string]> {
  await vscode.env.clipboard.writeText('before');
  void vscode.commands.executeCommand('managedAgents.mcp.copyConfiguration');
  const text = await eventually(async () => {
    const now = await vscode.env.clipboard.readText();
    return now === 'before' ? undefined : now;
  });
  return (JSON.parse(text) as Configuration).mcpServers['managed-agents'] ?? assert.fail(text);
}

async function ask(
  { url, headers }: Configuration['mcpServers'][string],
  method: string,
  params: object = {},
  session?: string,
): Promise<{ readonly status: number; readonly session: string | null; readonly result?: Record<string, unknown> }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...(session !== undefined && { 'mcp-session-id': session }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result } = (await response.json()) as { readonly result?: Record<string, unknown> };
  return { status: response.status, session: response.headers.get('mcp-session-id'), ...(result && { result }) };
}

const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

describe('tools for other programs', () => {
  const files = useExtension('mcp');
  after(() => serve(undefined));

  it('are served with what was copied, on the files of this workspace, at the same address after they were off', async () => {
    files.write('right.jsonl', '{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}}\n');
    await serve(true);
    const place = await copied();
    assert.match(place.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const { session, result } = await ask(place, 'initialize', hello);
    assert.equal(result?.protocolVersion, '2025-06-18');
    const listed = await ask(place, 'tools/list', {}, session ?? '');
    const { tools = [] } = (listed.result ?? {}) as { readonly tools?: readonly { readonly name: string }[] };
    const names = tools.map(({ name }) => name);
    assert.ok(names.includes('check_requests') && !names.includes('send_message'), names.join());
    const checked = await ask(place, 'tools/call', { name: 'check_requests', arguments: { file: 'mcp/right.jsonl' } }, session ?? '');
    assert.match(JSON.stringify(checked.result), /\\"requests\\":1/);

    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(place.url), { requestInit: { headers: { ...place.headers } } });
    await client.connect(transport as never);
    try {
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        names,
      );
      const { content, isError } = await client.callTool({ name: 'check_requests', arguments: { file: 'mcp/right.jsonl' } });
      assert.match(JSON.stringify(content), /\\"requests\\":1/);
      assert.ok(isError !== true);
      const refused = await client.callTool({ name: 'send_message', arguments: { session: 's', text: 'Go' } });
      assert.match(JSON.stringify(refused), /send_message is switched off/);
    } finally {
      await client.close();
    }

    const wrong = { ...place, headers: { Authorization: 'Bearer wrong' } };
    assert.equal((await ask(wrong, 'initialize', hello)).status, 401);

    await serve(false);
    await eventuallyHolds(async () => {
      await assert.rejects(fetch(place.url, { method: 'POST' }));
    });
    await serve(true);
    await eventuallyHolds(async () => {
      assert.equal((await ask(place, 'initialize', hello)).status, 200);
    });
  });

  it('are not served before somebody turns them on, and no workspace can', async () => {
    await serve(undefined);
    await settings()
      .update(setting, true, vscode.ConfigurationTarget.Workspace)
      .then(
        () => assert.fail('a workspace turned it on'),
        () => undefined,
      );
    assert.equal(settings().get(setting), false);
    await vscode.env.clipboard.writeText('before');
    const given = await vscode.commands.executeCommand('managedAgents.mcp.copyConfiguration');
    assert.deepEqual(given, { isDone: false });
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });
});
