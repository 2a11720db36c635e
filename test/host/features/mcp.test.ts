import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as vscode from 'vscode';
import { eventually, eventuallyHolds } from '../eventually';
import { useExtension } from '../useExtension';

interface Configuration {
  readonly mcpServers: Readonly<
    Record<string, { readonly command: string; readonly args: string[]; readonly env: Readonly<Record<string, string>> }>
  >;
}

const setting = 'managedAgents.ai.mcp';
const settings = () => vscode.workspace.getConfiguration();

async function serve(isOn: boolean | undefined): Promise<void> {
  await settings().update(setting, isOn, vscode.ConfigurationTarget.Global);
}

/** Returns the configuration that the command copies. The command's notification stays open. */
async function copied(): Promise<Configuration['mcpServers'][string]> {
  await vscode.env.clipboard.writeText('before');
  void vscode.commands.executeCommand('managedAgents.mcp.copyConfiguration');
  const text = await eventually(async () => {
    const now = await vscode.env.clipboard.readText();
    return now === 'before' ? undefined : now;
  });
  return (JSON.parse(text) as Configuration).mcpServers['managed-agents'] ?? assert.fail(text);
}

describe('tools for other programs', () => {
  const files = useExtension('mcp');
  after(() => serve(undefined));

  it("serve an MCP client with the copied configuration, on this workspace's files, also after they were turned off and on", async () => {
    files.write('right.jsonl', '{"custom_id":"a","params":{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}}\n');
    await serve(true);
    const { command, args, env } = await copied();
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command, args, env }) as never);
    try {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      assert.ok(names.includes('check_requests') && !names.includes('send_message'), names.join());
      const { content, isError } = await client.callTool({ name: 'check_requests', arguments: { file: 'mcp/right.jsonl' } });
      assert.match(JSON.stringify(content), /\\"requests\\":1/);
      assert.ok(isError !== true);
      const refused = await client.callTool({ name: 'send_message', arguments: { session: 's', text: 'Go' } });
      assert.match(JSON.stringify(refused), /send_message is turned off/);

      await serve(false);
      await eventuallyHolds(async () => {
        await assert.rejects(client.listTools(), /"managedAgents\.ai\.mcp" turned on/);
      });
      await serve(true);
      await eventuallyHolds(async () => {
        assert.deepEqual(
          (await client.listTools()).tools.map(({ name }) => name),
          names,
        );
      });
    } finally {
      await client.close();
    }
  });

  it("are off by default, and can't be turned on by a workspace", async () => {
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
