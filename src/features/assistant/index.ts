import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { Connections } from '../connection';
import type { SubmissionRegistry } from '../ledger';
import type { RuleSettings } from '../requests';

export interface AssistantDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** The tools of the manifest, for language models. What they do is loaded when one is first used. */
export function registerAssistant(deps: AssistantDependencies): vscode.Disposable {
  const { context, commands, connections } = deps;
  const door = new Lazy(async () => new (await import('./toolDoor')).ToolDoor(deps));
  setContextKey('managedAgents.modelsMayRead', context.globalState.get('managedAgents.modelsMayRead') !== undefined);
  return combine(
    door,
    commands.register('managedAgents.models.manageReading', async () =>
      (await import('./manageConsents')).manageConsents(connections, (await door.get()).consents),
    ),
    ...context.extension.packageJSON.contributes.languageModelTools.map(({ name }: { readonly name: string }) =>
      vscode.lm.registerTool<object>(name, {
        prepareInvocation: async ({ input }) => (await door.get()).prepare(name, input),
        invoke: async (options, token) => (await door.get()).invoke(name, options, token),
      }),
    ),
  );
}
