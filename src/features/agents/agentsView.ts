import path from 'node:path';
import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import type { CommandRegistry } from '../../common/commands';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { Throttle } from '../../common/lists/throttle';
import type { Log } from '../../common/log';
import { describeError } from '../../common/text/describeError';
import type { PresentationContext } from '../../common/text/presentation';
import type { TreeNode } from '../../common/tree/treeNode';
import type { Connections } from '../connection';
import type { EmulatorHost } from '../emulator';
import type { Asker, Reached } from '../resources/documents';
import { toHover } from '../resources/kinds';
import { ResourceList, surroundingsOf, whenPollable } from '../resources/lists';
import { AgentDrafts } from './agentDrafts';
import { AgentFiles } from './agentFiles';
import type { AgentFlow } from './agentFlow';
import { agentKind } from './agentKind';
import { AgentService } from './agentService';
import { AgentStore } from './agentStore';
import { type AgentsRow, type AgentsTree, createAgentsTree } from './agentsTreeDataProvider';
import { PromptFiles } from './prompt/promptFiles';

export interface AgentsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
}

/** Implementation of the Agents view. Loads with the first use of the view, its commands or its documents. */
export interface AgentsView extends vscode.Disposable {
  readonly tree: AgentsTree;
  readonly files: AgentFiles;
  readonly prompts: PromptFiles;
  readonly flow: AgentFlow;
  /** Loads more agents, or more versions of one. */
  loadMore(agentId: string | undefined): Promise<void>;
  toggleArchived(): Promise<void>;
}

/** Lists the agents of the current connection while `view` is visible, and owns their drafts and documents. */
export function createAgentsView(
  { context, log, connections, emulator }: AgentsDependencies,
  view: vscode.TreeView<TreeNode<AgentsRow>>,
): AgentsView {
  const store = new AgentStore();
  const drafts = new AgentDrafts(path.join(context.globalStorageUri.fsPath, 'agent-drafts'));
  const service = new AgentService(connections, emulator);
  const files = new AgentFiles(service, drafts);
  const prompts = new PromptFiles(files);
  const presentation = (): PresentationContext => ({ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
  const readVersions = async (connection: string, agentId: string) => {
    const { client } = await service.reach(connection, 'user');
    await store.readVersions(agentId, options => client.agents.versions(agentId, options));
  };
  const tree = createAgentsTree(store, drafts, presentation, readVersions, async (agent, connection) =>
    toHover(agentKind, agent, connection, presentation()),
  );
  const options = { includeArchived: false };
  const surroundings = surroundingsOf(service, view, log, options);
  let agents: ResourceList<Agent> | undefined;
  const startOver = (connection: string | undefined) => {
    agents?.dispose();
    store.reset(connection);
    agents = connection === undefined ? undefined : new ResourceList(agentKind, connection, undefined, surroundings, store.list, true);
  };
  const read = async (asker: Asker, work: (list: ResourceList<Agent>, client: Reached['client']) => Promise<void>) => {
    if (agents !== undefined) {
      await work(agents, (await service.reach(agents.connection, asker)).client);
    }
  };
  // Batches updates: agents can change one by one, and each update processes all of them.
  const drawing = new Throttle(() => {
    draw(view, store, drafts);
    for (const agent of store.list.items) {
      files.seeAgent(store.list.scope ?? '', agent);
    }
    tree.refresh();
  });
  const showSoon = () => drawing.ask();
  void drafts.load().then(showSoon);
  const subscriptions = combine(
    drawing,
    store.onDidChange(showSoon),
    drafts.onDidChange(showSoon),
    whenPollable({ connections, emulator }, view, { startOver, look: () => void agents?.trigger() }),
    files,
    prompts,
    { dispose: () => agents?.dispose() },
  );
  const flow: AgentFlow = {
    connections,
    service,
    drafts,
    files,
    prompts,
    store,
    presentation,
    refresh: async () => {
      service.demand('nobody');
      await (view.visible ? agents?.refresh() : read('nobody', (list, client) => list.readFirst(client)));
    },
    readOn: () => read('user', (list, client) => list.readOn(client)),
  };
  return {
    tree,
    files,
    prompts,
    flow,
    loadMore: async agentId => {
      await (agentId === undefined
        ? read('nobody', (list, client) => list.loadMore(client))
        : readVersions(agents?.connection ?? '', agentId));
    },
    toggleArchived: async () => {
      options.includeArchived = !options.includeArchived;
      startOver(connections.current?.name);
      await agents?.refresh();
    },
    dispose: () => subscriptions.dispose(),
  };
}

/** Shows in the view why its rows may be outdated, and sets the context key for its state. */
function draw(view: vscode.TreeView<TreeNode<AgentsRow>>, { list }: AgentStore, drafts: AgentDrafts): void {
  const { state, problem, scope } = list;
  const isOld = problem !== undefined && state === 'filled';
  view.message = isOld ? vscode.l10n.t("Couldn't refresh: {0}", describeError(problem)) : undefined;
  const hasNew = scope !== undefined && drafts.of(scope).some(({ agentId }) => agentId === undefined);
  setContextKey('managedAgents.agentsState', hasNew ? 'filled' : state);
}
