import path from 'node:path';
import * as vscode from 'vscode';
import { afterStart } from '../../common/afterStart';
import type { CommandRegistry } from '../../common/commands';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import type { Log } from '../../common/log';
import { registerOptional } from '../../common/optionalApi';
import { onDidChangeSettings, readSetting } from '../../common/settings';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { Connections } from '../connection';
import type { SubmissionRegistry } from '../ledger';
import type { RuleSettings } from '../requests';
import { McpDefinitionProvider } from './mcp/mcpDefinitionProvider';
import type { McpDoor } from './mcp/mcpDoor';

export interface AssistantDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/**
 * Registers the tools of the manifest for language models. Depending on the settings, they are also served over MCP to the editor and to
 * other programs. Loaded on first use.
 */
export function registerAssistant(deps: AssistantDependencies): vscode.Disposable {
  const { context, commands, log } = deps;
  const door = new Lazy(async () => new (await import('./toolDoor')).ToolDoor(deps));
  const version = String(context.extension.packageJSON.version);
  const mcp = new Lazy(async () => {
    const [{ McpDoor }, tools] = await Promise.all([import('./mcp/mcpDoor'), door.get()]);
    return new McpDoor({
      folder: path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'mcp'),
      bridge: context.asAbsolutePath('dist/mcpBridge.js'),
      services: tools.servicesForPrograms(),
      version,
      warn: message => log.warn(message),
    });
  });
  const provider = new McpDefinitionProvider(version, async () => {
    const [{ McpServer }, tools] = await Promise.all([import('./mcp/mcpServer'), door.get()]);
    return new McpServer({ services: tools.servicesForPrograms(), version }, 'socket');
  });
  const openToPrograms = async (): Promise<McpDoor | undefined> => {
    const isOpen = vscode.workspace.isTrusted && readSetting('managedAgents.ai.mcp');
    // The module is loaded only once the setting is on.
    const created = isOpen ? await mcp.get() : mcp.current;
    await created?.update(isOpen);
    return created;
  };
  const follow = () => void openToPrograms().catch(error => log.error('Could not start the MCP server', error));
  return combine(
    afterStart(() => {
      setContextKey('managedAgents.modelsMayRead', context.globalState.get('managedAgents.modelsMayRead') !== undefined);
      follow();
    }),
    door,
    mcp,
    provider,
    registerOptional('lm.registerMcpServerDefinitionProvider', log, () =>
      vscode.lm.registerMcpServerDefinitionProvider('managed-agents.mcp', provider),
    ),
    onDidChangeSettings(['managedAgents.ai.mcp'], follow),
    vscode.workspace.onDidGrantWorkspaceTrust(follow),
    commands.register('managedAgents.mcp.copyConfiguration', async () => {
      await openToPrograms();
      await (await mcp.get()).copyConfiguration();
    }),
    commands.register('managedAgents.models.manageReading', async () => (await door.get()).manageConsents()),
    registerOptional('lm.registerTool', log, () =>
      combine(
        ...context.extension.packageJSON.contributes.languageModelTools.map(({ name }: { readonly name: string }) =>
          vscode.lm.registerTool<object>(name, {
            prepareInvocation: async ({ input }) => (await door.get()).prepare(name, input),
            invoke: async (options, token) => (await door.get()).invoke(name, options, token),
          }),
        ),
      ),
    ),
  );
}
