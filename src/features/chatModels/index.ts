import * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import type { Log } from '../../common/log';
import { registerOptional } from '../../common/optionalApi';
import { onDidChangeSettings, readSetting } from '../../common/settings';
import type { Connections } from '../connection';
import type { ListedChatModel } from './toChatModels';

export interface ChatModelsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly log: Log;
}

/** Registers the models of a connection for the model picker of chats, if the setting is on. Loads nothing before then. */
export function registerChatModels(deps: ChatModelsDependencies): vscode.Disposable {
  return registerOptional('lm.registerLanguageModelChatProvider', deps.log, () => registerProvider(deps));
}

function registerProvider(deps: ChatModelsDependencies): vscode.Disposable {
  const isOn = () => readSetting('managedAgents.ai.models') === true;
  const changed = new vscode.EventEmitter<void>();
  const models = new Lazy(async () => new (await import('./chatModelProvider')).ChatModelProvider(deps, isOn, changed));
  return combine(
    changed,
    models,
    onDidChangeSettings(
      ['managedAgents.ai.models'],
      () =>
        void models
          .get()
          .then(provider => provider.startOver())
          .catch(error => deps.log.error('The models for chats could not be listed', error)),
    ),
    vscode.lm.registerLanguageModelChatProvider('managed-agents', {
      onDidChangeLanguageModelChatInformation: changed.event,
      provideLanguageModelChatInformation: async () => (isOn() ? await (await models.get()).list() : []),
      provideLanguageModelChatResponse: async (model: ListedChatModel, ...request) => (await models.get()).respond(model, ...request),
      provideTokenCount: async (_, said) => (await models.get()).count(said),
    } satisfies vscode.LanguageModelChatProvider<ListedChatModel>),
  );
}
