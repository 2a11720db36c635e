import path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../common/clock';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { BackOff } from '../../common/lists/backOff';
import { Poller } from '../../common/lists/poller';
import { describeError } from '../../common/text/describeError';
import type { PresentationContext } from '../../common/text/presentation';
import { type Connection, mayUse, refuseUntrusted } from '../connection';
import { Service } from '../resources/documents';
import { AgentDrafts } from './agentDrafts';
import { AgentFiles } from './agentFiles';
import type { AgentFlow } from './agentFlow';
import { AgentService } from './agentService';
import { AgentStore, listAgents } from './agentStore';
import { AgentsTreeDataProvider, type AgentsTreeItem } from './agentsTreeDataProvider';
import type { AgentsDependencies } from './index';

/** What stands behind the Agents view once it is looked at, or one of its commands or documents is asked for. */
export interface AgentsView extends vscode.Disposable {
  readonly tree: AgentsTreeDataProvider;
  readonly files: AgentFiles;
  readonly flow: AgentFlow;
  /** More agents, or more versions of one. */
  loadMore(agentId: string | undefined): Promise<void>;
  showArchived(shown: boolean): Promise<void>;
}

// Milliseconds.
const whileVisible = 30_000;
const withoutFocus = 3;
const pageSize = 20;
const largestPage = 100;

/** Lists the agents of the current connection while `view` is visible, and keeps their drafts and documents. */
export function createAgentsView(
  { context, log, connections, emulator }: AgentsDependencies,
  view: vscode.TreeView<AgentsTreeItem>,
): AgentsView {
  const store = new AgentStore();
  const drafts = new AgentDrafts(path.join(context.globalStorageUri.fsPath, 'agent-drafts'));
  const service = new AgentService(connections, new Service(connections, emulator));
  const files = new AgentFiles(service, drafts);
  const presentation = (): PresentationContext => ({ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
  const readVersions = async (connection: string, agentId: string) => {
    const { client } = await service.reach(connection);
    await store.readVersions(agentId, options => client.agents.versions(agentId, options));
  };
  const tree = new AgentsTreeDataProvider(store, drafts, presentation, readVersions, async (agent, connection) =>
    (await import('./agentHover')).toAgentHover(agent, connection, presentation()),
  );
  const backOff = new BackOff(systemClock);
  let includeArchived = false;

  const isReachable = (connection: Connection) => !connection.isEmulator || emulator.running !== undefined;
  const look = async (signal: AbortSignal): Promise<number | undefined> => {
    const current = connections.state === 'ready' ? connections.current : undefined;
    if (current === undefined || !view.visible || !mayUse('look') || !isReachable(current)) {
      return undefined;
    }
    if (backOff.wait > 0) {
      return backOff.wait;
    }
    const { access } = connections;
    try {
      await drafts.load();
      const client = await connections.client(current, 'look');
      const limit = Math.min(Math.max(pageSize, store.list.items.length), largestPage);
      const page = await listAgents(client, { limit, includeArchived, signal });
      if (connections.access !== access) {
        return undefined;
      }
      store.acceptFirstPage(current.name, page);
      for (const agent of page.items) {
        files.seeAgent(current.name, agent);
      }
      backOff.succeeded();
      return vscode.window.state.focused ? whileVisible : whileVisible * withoutFocus;
    } catch (error) {
      if (signal.aborted) {
        return undefined;
      }
      store.list.acceptFailure(current.name, error);
      log.warn(`Agents of ${current.name} could not be listed: ${describeError(error)}`);
      // A service without agents does not get them by being asked again.
      return store.list.state === 'unsupported' ? undefined : backOff.failed(error);
    }
  };
  const poller = new Poller(look);
  const refresh = () => {
    backOff.forgetWait();
    return poller.trigger();
  };
  const refreshAsAsked = async () => {
    refuseUntrusted('look');
    const { current } = connections;
    if (current !== undefined && !view.visible) {
      const client = await connections.client(current, 'look');
      store.acceptFirstPage(current.name, await listAgents(client, { limit: largestPage, includeArchived }));
      return;
    }
    await refresh();
  };
  const loadMore = async (agentId: string | undefined) => {
    const { current } = connections;
    if (current === undefined || store.list.scope !== current.name) {
      return;
    }
    if (agentId !== undefined) {
      await readVersions(current.name, agentId);
      return;
    }
    const client = await connections.client(current, 'look');
    await store.list.loadMore(cursor => listAgents(client, { limit: pageSize, cursor, includeArchived }));
  };
  const showArchived = async (shown: boolean) => {
    includeArchived = shown;
    setContextKey('managedAgents.agentsArchivedShown', shown);
    store.reset(connections.current?.name);
    await refresh();
  };
  const show = () => {
    const { state, problem } = store.list;
    view.message =
      problem !== undefined && state === 'filled' ? vscode.l10n.t('Could not refresh: {0}', describeError(problem)) : undefined;
    const hasNew = store.list.scope !== undefined && drafts.of(store.list.scope).some(({ agentId }) => agentId === undefined);
    setContextKey('managedAgents.agentsState', hasNew ? 'filled' : state);
    tree.refresh();
  };
  let followed: string | undefined;
  const follow = () => {
    const { current, access } = connections;
    if (followed !== access) {
      followed = access;
      store.reset(current?.name);
    }
    void poller.trigger();
  };

  follow();
  const subscriptions = combine(
    store.onDidChange(show),
    drafts.onDidChange(show),
    connections.onDidChange(follow),
    emulator.onDidChange(() => void poller.trigger()),
    view.onDidChangeVisibility(({ visible }) => visible && void poller.trigger()),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && void poller.trigger()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void poller.trigger()),
    files,
    { dispose: () => poller.dispose() },
  );
  const flow = { connections, service, drafts, files, store, presentation, refresh: refreshAsAsked };
  return { tree, files, flow, loadMore, showArchived, dispose: () => subscriptions.dispose() };
}
