import * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import type { Log } from '../../common/log';
import { onDidChangeSettings, readSetting } from '../../common/settings';
import type { Connections } from '../connection';
import type { OfferedModel } from './offeredChatModels';

export interface ChatModelsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly log: Log;
}

/** The models of a connection in the model picker of chats, where the person wants that. Loaded when they are first asked for. */
export function registerChatModels(deps: ChatModelsDependencies): vscode.Disposable {
  const { connections, log } = deps;
  const isOn = () => vscode.workspace.isTrusted && readSetting('managedAgents.ai.models') === true;
  const models = new Lazy(async () => new (await import('./chatModelProvider')).ChatModelProvider(deps, isOn));
  const changed = new vscode.EventEmitter<void>();
  let isAsked = false;
  const follow = async () => {
    if (isAsked && (isOn() || models.current !== undefined) && (await (await models.get()).hasChanged())) {
      changed.fire();
    }
  };
  // On as well as off: it can have been turned off where this window did not see it, and what was agreed to ends with that.
  const followSetting = async () => {
    await (await models.get()).startOver();
    await follow();
  };
  const tell = (step: () => Promise<void>) => () =>
    void step().catch(error => log.error('The models for chats could not be listed', error));
  return combine(
    changed,
    models,
    connections.onDidChange(tell(follow)),
    vscode.workspace.onDidGrantWorkspaceTrust(tell(follow)),
    onDidChangeSettings(['managedAgents.ai.models'], tell(followSetting)),
    vscode.lm.registerLanguageModelChatProvider('managed-agents', {
      onDidChangeLanguageModelChatInformation: changed.event,
      provideLanguageModelChatInformation: async () => {
        isAsked = true;
        return isOn() || models.current !== undefined ? await (await models.get()).list() : [];
      },
      provideLanguageModelChatResponse: async (model: OfferedModel, ...request) => (await models.get()).respond(model, ...request),
      provideTokenCount: async (_, said) => (await models.get()).count(said),
    } satisfies vscode.LanguageModelChatProvider<OfferedModel>),
  );
}
