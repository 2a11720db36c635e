import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { UntrustedError } from '../../../src/common/asking/untrusted';
import type { Connections } from '../../../src/features/connection/connection';
import { AgentLanguage } from '../../../src/features/resources/agents/language/agentLanguage';
import { Service } from '../../../src/features/resources/service';
import { eventually, eventuallyHolds } from '../eventually';
import { useExtension } from '../useExtension';

const settings = () => vscode.workspace.getConfiguration();

const servers = '"mcp_servers": [{ "type": "url", "name": "search", "url": "https://mcp.example" }]';
const tools = '"tools": [{ "type": "mcp_toolset", "mcp_server_name": "search" }]';

describe('agent documents in the editor', () => {
  const files = useExtension('agent-language');
  let count = 0;

  before('use the emulator', async () => {
    await settings().update('managedAgents.connection', 'Emulator', vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('managedAgents.emulator.start');
  });

  after(async () => {
    await vscode.commands.executeCommand('managedAgents.emulator.stop');
    await settings().update('managedAgents.connection', undefined, vscode.ConfigurationTarget.Global);
  });

  async function open(marked: string): Promise<{ readonly document: vscode.TextDocument; readonly position: vscode.Position }> {
    const document = await files.open(`a${++count}.agent.json`, marked.replace('|', ''));
    return { document, position: document.positionAt(marked.indexOf('|')) };
  }

  /** Returns our completion items at `|`, once the label of an item matches `fits`. */
  async function offered(marked: string, fits: RegExp): Promise<readonly vscode.CompletionItem[]> {
    const { document, position } = await open(marked);
    return await eventually(async () => {
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        position,
      );
      const own = items.filter(({ sortText }) => sortText?.startsWith(' '));
      return own.some(item => fits.test(describe(item))) && own;
    });
  }

  const describe = ({ label, detail, insertText }: vscode.CompletionItem) =>
    [typeof label === 'string' ? label : `${label.label} ${label.description}`, detail, insertText].join(' | ');

  const wordsOf = ({ contents }: vscode.Hover) => contents.map(one => (typeof one === 'string' ? one : one.value)).join('\n');

  async function hoverOf(marked: string, fits: RegExp): Promise<string> {
    const { document, position } = await open(marked);
    return await eventually(async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, position);
      const text = hovers.map(wordsOf).join('\n');
      return fits.test(text) && text;
    });
  }

  const problems = ({ uri }: vscode.TextDocument) =>
    vscode.languages.getDiagnostics(uri).map(({ message, range, severity }) => {
      assert.equal(severity, vscode.DiagnosticSeverity.Warning);
      return `${range.start.line}:${range.start.character} ${message}`;
    });

  it("offer the connection's models, and agents by name", async () => {
    const models = await offered('{ "name": "x", "model": "|" }', /emulated/);
    assert.ok(models.every(({ insertText }) => /^"vendor-.*"$/.test(String(insertText))));
    const agents = await offered(
      '{ "name": "x", "model": "vendor-opus-5", "multiagent": { "type": "coordinator", "agents": ["|"] } }',
      /"agent_/,
    );
    assert.ok(agents.every(({ detail, insertText }) => JSON.stringify(detail) === insertText));
  });

  it("offer the document's MCP servers @ci", async () => {
    const marked = `{ "name": "x", "model": "vendor-opus-5", ${tools.replace('"search"', '"|"')}, ${servers} }`;
    const items = await offered(marked, /search/);
    assert.deepEqual(items.map(describe), ['search https://mcp.example |  | "search"']);
  });

  it('describe an existing agent, and report a missing one', async () => {
    const roster = (id: string) =>
      `{ "name": "x", "model": "vendor-opus-5", "multiagent": { "type": "coordinator", "agents": ["${id}"] } }`;
    const [agent] = await offered(roster('|'), /"agent_/);
    const id = agent?.detail ?? '';
    const told = await hoverOf(roster(`${id.slice(0, 8)}|${id.slice(8)}`), /Version/);
    assert.match(told, /Connection: Emulator/);
    assert.match(await hoverOf(roster('agent_no|ne'), /on the connection/), /agent\\_none isn't on the connection Emulator/);
  });

  it('report what the service lacks, in place, until it is fixed', async () => {
    const { document } = await open(
      '|{\n  "name": "x",\n  "model": "vendor-opus-6",\n  "skills": [{ "type": "custom", "skill_id": "skill_none" }],\n' +
        '  "multiagent": { "type": "coordinator", "agents": ["agent_none"] }\n}\n',
    );
    await eventuallyHolds(() =>
      assert.deepEqual(problems(document), [
        "2:11 vendor-opus-6 isn't on the connection Emulator.",
        "3:45 skill_none isn't on the connection Emulator.",
        "4:52 agent_none isn't on the connection Emulator.",
      ]),
    );
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(2, 0, 5, 0), '  "model": "vendor-opus-5"\n');
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    await eventuallyHolds(() => assert.deepEqual(problems(document), []));
  });

  it('report unmatched MCP servers and unknown words @ci', async () => {
    const { document } = await open(
      '|{\n  "name": "x",\n  "model": { "id": "vendor-opus-5", "speed": "sXXtandard" },\n' +
        `  "tools": [{ "type": "mcp_toolset", "mcp_server_name": "lost" }, { "type": "toolset" }],\n  ${servers}\n}\n`,
    );
    await eventuallyHolds(() => {
      const told = problems(document).join('\n');
      assert.match(told, /^2:45 .*"standard", "fast"/m);
      assert.match(told, /^3:56 No MCP server has the name lost\.$/m);
      assert.match(told, /^3:\d+ .*"agent_toolset_20260401", "mcp_toolset", "custom"/m);
      assert.match(told, /^4:\d+ No "mcp_toolset" uses the server search\.$/m);
    });
  });

  it("do the same in the document of the service's agent, by its own service @ci", async () => {
    const [agent] = await offered('{ "model": "vendor-opus-5", "multiagent": { "agents": ["|"] } }', /"agent_/);
    await vscode.commands.executeCommand('managedAgents.open', { connection: 'Emulator', agentId: agent?.detail });
    const { document } = await eventually(() => {
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.scheme === 'managed-agents-agent' ? active : undefined;
    });
    const text = document.getText();
    const position = document.positionAt(text.indexOf('"vendor-') + 3);
    await eventually(async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, position);
      return hovers.map(wordsOf).join('\n').includes('Connection: Emulator');
    });
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
    edit.replace(document.uri, whole, '{ "name": "x", "model": "vendor-opus-5", "multiagent": { "agents": ["agent_none"] } }');
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    await eventuallyHolds(() => assert.ok(problems(document).join('\n').includes("agent_none isn't on the connection Emulator.")));
  });

  it('send nothing from an untrusted workspace, and offer what needs no service', async () => {
    const { document, position } = await open('{ "model": "|", "multiagent": { "agents": ["agent_none"] } }');
    const asked: string[] = [];
    const connections = {
      whenKnown: Promise.resolve(),
      current: undefined,
      state: 'untrusted',
      onDidChange: () => ({ dispose: () => undefined }),
      find: (name: string) => void asked.push(name),
    } as unknown as Connections;
    const untrusted = new Service(connections, { running: undefined });
    // Simulates an untrusted workspace, because the workspace of the tests is trusted.
    untrusted.reach = () => Promise.reject(new UntrustedError('Sending is off until you trust this workspace.'));
    const language = new AgentLanguage(untrusted, [], message => asked.push(message));
    const { token } = new vscode.CancellationTokenSource();
    try {
      const onService = { ...document, uri: vscode.Uri.parse('managed-agents-agent:/Lab/agent_1/x.agent.json') };
      for (const one of [document, onService]) {
        const items = await language.complete(one, position, token);
        assert.ok(items?.some(({ insertText }) => insertText === '"vendor-sonnet-5"'));
      }
      const place = document.positionAt(document.getText().indexOf('agent_none'));
      const hover = (await language.hover(onService, place, token)) ?? assert.fail('no hover');
      assert.match(wordsOf(hover), /until you trust this workspace/);
      assert.deepEqual(asked, []);
    } finally {
      language.dispose();
    }
  });

  it('show problems only of visible documents @ci', async () => {
    const { document } = await open(`|{ "name": "x", "model": "vendor-opus-5", ${servers} }`);
    const own = () => problems(document).filter(text => text.includes('No "mcp_toolset"'));
    await eventuallyHolds(() => assert.equal(own().length, 1));
    await files.open('other.txt', '');
    await eventuallyHolds(() => assert.equal(own().length, 0));
  });
});
