import * as vscode from 'vscode';
import { combine } from '../../../../common/disposables';
import { whenOpened } from '../../../../common/documents/whenOpened';
import { Lazy } from '../../../../common/lazy';
import { registerLenses } from '../../documents/draftLenses';
import type { ResourcesDependencies } from '../../kindsView';
import type { AgentLanguage } from './agentLanguage';

const documents: readonly vscode.DocumentFilter[] = [{ scheme: 'managed-agents-agent' }, { scheme: 'file', pattern: '**/*.agent.json' }];

/** Registers completions, hovers and problems in agent documents. They load with the first such document. */
export function registerAgentLanguage({ connections, emulator, log }: ResourcesDependencies): vscode.Disposable {
  const language = new Lazy<AgentLanguage>(async () => {
    const [{ AgentLanguage: Language }, { Service }] = await Promise.all([import('./agentLanguage'), import('../../service')]);
    return new Language(new Service(connections, emulator), documents, message => log.warn(message));
  });
  const connect = (document: vscode.TextDocument) => {
    if (vscode.languages.match(documents, document) > 0) {
      language.get().catch(error => log.error('The language of agents could not be loaded', error));
    }
  };
  return combine(
    whenOpened(connect),
    vscode.languages.registerCompletionItemProvider(
      documents,
      { provideCompletionItems: async (document, position, token) => (await language.get()).complete(document, position, token) },
      '"',
      ':',
    ),
    vscode.languages.registerHoverProvider(documents, {
      provideHover: async (document, position, token) => (await language.get()).hover(document, position, token),
    }),
    registerLenses({ scheme: 'managed-agents-agent' }, async document => (await import('../prompt/promptFiles')).promptLensesOf(document)),
    language,
  );
}
