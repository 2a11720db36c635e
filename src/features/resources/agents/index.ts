import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { registerDocumentFileSystem } from '../../../common/documents/documentFileSystem';
import { whenMatching } from '../../../common/documents/whenOpened';
import { Lazy } from '../../../common/lazy';
import { createNodeTreeView } from '../../../common/tree/createNodeTreeView';
import { type AgentReference, type KindVerb, kindVerbs, views } from '../../../contributions';
import { registerDraftLenses, registerLenses } from '../documents/draftLenses';
import type { ResourcesDependencies } from '../kindsView';
import type { ResourcesNode } from '../resourcesTreeDataProvider';
import type { AgentTarget } from './agentVersions';
import type { AgentLanguage } from './language/agentLanguage';

/** Verbs that agents don't have. */
const foreignVerbs = ['showDetails', 'showJson', 'rename', 'edit', 'delete', 'createIn'] as const;
type AgentVerb = Exclude<KindVerb, (typeof foreignVerbs)[number]>;

/**
 * Registers the Agents view, agent documents with their versions, and the agent commands. Their implementation loads with the first use.
 */
export function registerAgents(deps: ResourcesDependencies): vscode.Disposable {
  const agents = new Lazy(async () => {
    const { createAgentsView } = await import('./agentsView');
    const created = createAgentsView(deps, shown.view);
    shown.follow(created.tree);
    return created;
  });
  const shown = createNodeTreeView<ResourcesNode>(views.agents, async () => (await agents.get()).tree, {
    canSelectMany: true,
    showCollapseAll: true,
  });
  deps.commands.kinds.register({
    verbs: kindVerbs.filter((verb): verb is AgentVerb => !foreignVerbs.some(foreign => foreign === verb)),
    owns: isAgentTarget,
    isVisible: () => shown.view.visible,
    kinds: async () => [{ label: `$(hubot) ${vscode.l10n.t('Agents')}`, value: 'agent' }],
    handlers: async () => (await import('./agentCommands')).createAgentKindHandlers(await agents.get()),
  });
  return combine(
    shown,
    registerDocumentFileSystem('managed-agents-agent', async () => (await agents.get()).flow.files),
    registerDocumentFileSystem('managed-agents-prompt', async () => (await agents.get()).prompts),
    registerDraftLenses(['managed-agents-agent', 'managed-agents-prompt'], async () => (await agents.get()).prompts),
    deps.commands.registerAreas(['agent', 'agents'], async () => (await import('./agentCommands')).createAgentCommands(await agents.get())),
    registerAgentLanguage(deps),
    agents,
  );
}

/** Returns whether a command's argument is an agent. This is an agent's reference, row or document, or a file that defines an agent. */
function isAgentTarget(target: unknown, verb: KindVerb): target is AgentTarget {
  if (target instanceof vscode.Uri) {
    return /^managed-agents-(?:agent|prompt)$/.test(target.scheme) || (verb === 'createFromFile' && /\.agent\.json$/.test(target.path));
  }
  const { agentId } = (target ?? {}) as { readonly agentId?: unknown };
  return target === 'agent' || typeof agentId === 'string';
}

/** Returns the agent or agent version that a document shows. `undefined` for anything else, including the draft of a new agent. */
export async function agentOfDocument(uri: vscode.Uri): Promise<AgentReference | undefined> {
  const [{ parseResourceUri }, { toAgentReference }] = await Promise.all([import('../documents/resourceUri'), import('../kinds/agents')]);
  const location = uri.scheme === 'managed-agents-agent' ? parseResourceUri(uri) : undefined;
  return location === undefined || location.view === 'new' ? undefined : toAgentReference(location.reference);
}

const documents: readonly vscode.DocumentFilter[] = [{ scheme: 'managed-agents-agent' }, { scheme: 'file', pattern: '**/*.agent.json' }];

/** Registers completions, hovers and problems in agent documents. They load with the first such document. */
function registerAgentLanguage({ connections, emulator, log }: ResourcesDependencies): vscode.Disposable {
  const language = new Lazy<AgentLanguage>(async () => {
    const [{ AgentLanguage: Language }, { Service }] = await Promise.all([import('./language/agentLanguage'), import('../service')]);
    return new Language(new Service(connections, emulator), documents, message => log.warn(message));
  });
  return combine(
    whenMatching(documents, () => void language.get().catch(error => log.error('The language of agents could not be loaded', error))),
    vscode.languages.registerCompletionItemProvider(
      documents,
      { provideCompletionItems: async (document, position, token) => (await language.get()).complete(document, position, token) },
      '"',
      ':',
    ),
    vscode.languages.registerHoverProvider(documents, {
      provideHover: async (document, position, token) => (await language.get()).hover(document, position, token),
    }),
    registerLenses({ scheme: 'managed-agents-agent' }, async document => (await import('./prompt/promptFiles')).promptLensesOf(document)),
    language,
  );
}
