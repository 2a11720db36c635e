import * as vscode from 'vscode';
import { combine } from './disposables';
import type { Log } from './log';

/** Optional APIs, each with the feature that needs it, for the log. */
const features = {
  'lm.registerTool': 'language-model tools',
  'lm.registerMcpServerDefinitionProvider': 'built-in MCP',
  'lm.registerLanguageModelChatProvider': 'chat models',
  'tests.createTestController': 'test controllers',
} as const;

/** Registers a feature that needs an optional API, or logs that the editor lacks or refuses it. */
export function registerOptional(api: keyof typeof features, log: Log, register: () => vscode.Disposable): vscode.Disposable {
  const [area, name] = api.split('.') as [string, string];
  const members: Readonly<Record<string, unknown>> | undefined = Reflect.get(vscode, area);
  if (typeof members?.[name] !== 'function') {
    log.warn(`This editor does not have vscode.${api}: no ${features[api]}.`);
    return combine();
  }
  try {
    return register();
  } catch (error) {
    log.error(`This editor refused vscode.${api}: no ${features[api]}.`, error);
    return combine();
  }
}
