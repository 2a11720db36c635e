import path from 'node:path';
import * as vscode from 'vscode';
import type { ManagedAgentsApi } from './api';
import { afterStart } from './common/afterStart';
import { createShowError } from './common/asking/showError';
import { CommandRegistry } from './common/commands';
import { Lazy } from './common/lazy';
import { Log } from './common/log';
import { registerAssistant } from './features/assistant';
import { registerBatches } from './features/batches';
import { registerChatModels } from './features/chatModels';
import { registerConnection } from './features/connection';
import { registerDiagnostics } from './features/diagnostics';
import { registerEmulator } from './features/emulator';
import { createExtensionApi } from './features/extensionApi';
import { SubmissionRegistry } from './features/ledger/submissionRegistry';
import { registerLinks } from './features/links';
import { createRuleSettings, registerRequests } from './features/requests';
import { registerRequestTests } from './features/requestTests';
import { registerAgents, registerResources } from './features/resources';
import { registerResults } from './features/results';
import { registerSessions } from './features/sessions';
import { createJsonlJobs } from './jsonl/jobs/jobs';

/** Creates the parts of the extension and connects them. Returns the API for other extensions. */
export function activate(context: vscode.ExtensionContext): ManagedAgentsApi {
  const channel = vscode.window.createOutputChannel('Managed Agents', { log: true });
  const log = new Log(channel);
  const { contributes } = context.extension.packageJSON;
  const commandIds: string[] = contributes.commands.map(({ command }: { readonly command: string }) => command);
  const commands = new CommandRegistry(createShowError(log), commandIds);
  const jobs = createJsonlJobs({ threadFile: context.asAbsolutePath('dist/jsonlThread.js') });
  const registry = new SubmissionRegistry({ folder: path.join(context.globalStorageUri.fsPath, 'submissions'), log });
  const chosenRuns = new Lazy(async () => new (await import('./features/ledger/chosenRuns')).ChosenRuns(context.workspaceState));

  const emulator = registerEmulator({ context, commands, log });
  const connections = registerConnection({ context, commands, log, emulator });
  const rules = createRuleSettings({ connections, log });
  const extensionApi = createExtensionApi({ context, connections, rules, jobs, registry });
  const sessions = registerSessions({ context, commands, log, connections, emulator });
  context.subscriptions.push(
    channel,
    jobs,
    commands.register('managedAgents.log.show', () => log.show()),
    commands.registerKindCommands(),
    registry,
    chosenRuns,
    emulator,
    connections,
    rules,
    extensionApi,
    registerBatches({ context, commands, log, connections, rules, emulator, jobs, registry, chosenRuns, sessions: sessions.known }),
    registerResults({ context, commands, log, connections, rules, jobs, registry }),
    registerRequestTests({ context, commands, log, jobs, registry }),
    sessions,
    registerAgents({ context, commands, log, connections, emulator }),
    registerResources({ context, commands, log, connections, emulator }),
    registerRequests({ context, commands, log, connections, rules, jobs, registry, chosenRuns }),
    registerLinks({ log, connections, registry }),
    registerAssistant({ context, commands, log, connections, rules, jobs, registry }),
    registerChatModels({ context, connections, log }),
    registerDiagnostics({ context, commands, connections, recentCalls: connections.recentCalls, registry }),
    afterStart(() => void registry.load().catch(error => log.error('The submissions of this machine could not be read', error))),
  );
  return extensionApi.api;
}
