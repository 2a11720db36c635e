import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { Throttle } from '../../common/lists/throttle';
import { Poller } from '../../common/lists/poller';
import type { Log } from '../../common/log';
import type { PresentationContext } from '../../common/text/presentation';
import type { TreeNode } from '../../common/tree/treeNode';
import type { GroupReference, Reference } from '../../contributions';
import type { Connections } from '../connection';
import type { EmulatorHost } from '../emulator';
import { ResourceDrafts } from './definitions/resourceDrafts';
import { createMissedRuns, remarksOfMissed } from './deployments/createMissedRuns';
import { followListed } from './deployments/followListed';
import { ResourceFiles, type ResourceReading } from './documents/resourceFiles';
import { createProbe } from './groupProbe';
import { kinds } from './kinds';
import { describeUses } from './kinds/dependents';
import { surroundingsOf } from './lists/surroundings';
import { whenPollable } from './lists/whenPollable';
import { MemoryFiles } from './memories/memoryFiles';
import { plainReference } from './reference';
import { kindNamed, type ResourceFlow, retrieve } from './resourceFlow';
import { groupsBelow, type LocalNode, type ResourcesNode } from './resourceNodes';
import { ResourceStore } from './resourceStore';
import { createResourcesTree, type ResourcesTree } from './resourcesTreeDataProvider';
import { Service } from './service';

export interface ResourcesDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
}

/** Implementation of the Resources view. Loads with the first use of the view, its commands or its documents. */
export interface ResourcesView extends vscode.Disposable {
  readonly tree: ResourcesTree;
  readonly files: ResourceFiles;
  readonly flow: ResourceFlow;
  /** Probes the groups again, and refreshes the expanded lists. */
  refresh(): Promise<void>;
  loadMore(group: GroupReference | undefined): Promise<void>;
  toggleArchived(): Promise<void>;
  /** Shows local rows below the groups. */
  showLocal(rows: readonly LocalNode[]): void;
  /** Clears the missed runs of a deployment, or of all. */
  clearMissed(deployment: Reference | undefined): void;
}

/** Shows the groups that the current connection serves while `view` is visible, and owns their drafts and documents. */
export function createResourcesView(
  { context, log, connections, emulator }: ResourcesDependencies,
  view: vscode.TreeView<TreeNode<ResourcesNode>>,
): ResourcesView {
  const service = new Service(connections, emulator);
  const presentation = (): PresentationContext => ({ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
  const drafts = new ResourceDrafts(path.join(context.globalStorageUri.fsPath, 'resource-drafts'));
  const options = { includeArchived: false };
  const store = new ResourceStore(kinds, surroundingsOf(service, view, log, options));
  const files: ResourceFiles = new ResourceFiles(
    createReading(service, presentation, () => flow),
    drafts,
  );
  const memories: MemoryFiles = new MemoryFiles({
    service,
    store,
    onRefused: async refused => (await import('./memories/mergeMemory')).mergeMemory(flow, refused),
  });
  const flow: ResourceFlow = { service, store, drafts, files, memories, presentation };
  const probe = createProbe(service, store, view);
  const isReady = () => connections.state === 'ready' && probe.state === 'filled';
  let local: readonly LocalNode[] = [];
  const warn = (message: string) => log.warn(message);
  const missed = createMissedRuns({ service, memory: context.globalState, presentation, warn });
  const tree = createResourcesTree({
    store,
    drafts,
    context: presentation,
    isReady,
    local: () => local,
    remarks: remarksOfMissed(missed),
  });
  const poller = new Poller(signal => probe.look(signal));
  const look = () => {
    void poller.trigger();
    for (const list of store.all()) {
      void list.trigger();
    }
  };

  // Several lists load at about the same time and are rendered together.
  const drawing = new Throttle(() => {
    setContextKey('managedAgents.resourcesState', probe.state);
    seeListed(store, files);
    tree.refresh();
  });
  const showSoon = () => drawing.ask();
  void drafts.load().then(showSoon);
  const subscriptions = combine(
    followListed(missed, store, warn),
    store.onDidChange(showSoon),
    probe.onDidChange(showSoon),
    drafts.onDidChange(showSoon),
    missed.onDidChange(showSoon),
    connections.onDidChange(showSoon),
    whenPollable({ connections, emulator }, view, {
      look,
      startOver: connection => {
        probe.startOver();
        store.reset(connection);
        showSoon();
      },
    }),
    view.onDidExpandElement(({ element }) => unfold(store, element.row, true)),
    view.onDidCollapseElement(({ element }) => unfold(store, element.row, false)),
    files,
    memories,
    store,
    tree,
    drawing,
    poller,
  );
  return {
    tree,
    files,
    flow,
    refresh: async () => {
      service.demand('nobody');
      probe.forgetWait();
      await Promise.all([poller.trigger(), ...store.all().map(list => list.refresh())]);
    },
    loadMore: async group => {
      if (group !== undefined) {
        const { client } = await service.reach(group.connection, 'user');
        await store.listOf(group.connection, kindNamed(group.kind), group.parent).loadMore(client);
      }
    },
    toggleArchived: async () => {
      options.includeArchived = !options.includeArchived;
      for (const list of store.all().filter(({ kind }) => kind.hasArchived)) {
        list.startOver();
      }
      await Promise.all(store.all().map(list => list.refresh()));
    },
    showLocal: rows => {
      local = rows;
      showSoon();
    },
    clearMissed: deployment => missed.clear(deployment && plainReference(deployment)),
    dispose: () => subscriptions.dispose(),
  };
}

/** Keeps lists up to date while their rows are visible. A list with a summary is kept up to date while its title is visible. */
function unfold(store: ResourceStore, node: ResourcesNode, isUnfolded: boolean): void {
  const groups = node.row === 'group' ? [node] : node.row === 'resource' ? groupsBelow(node) : [];
  for (const { connection, of, parent } of groups.filter(group => groups.length === 1 || group.of.summary !== undefined)) {
    const list = store.listOf(connection, of, parent);
    if (isUnfolded) {
      void list.unfold();
    } else {
      list.fold();
    }
  }
}

/** Creates the reader for documents. It sends requests on behalf of the user, or in the background. */
function createReading(service: Service, presentation: () => PresentationContext, flow: () => ResourceFlow): ResourceReading {
  const reach = (connection: string, byItself: boolean) => service.reach(connection, byItself ? 'nobody' : 'user');
  return {
    kindOf: kindNamed,
    presentation,
    read: async (reference, byItself) => retrieve(flow(), await reach(reference.connection, byItself), reference),
    usedBy: async (reference, byItself) => {
      const { usedBy } = kindNamed(reference.kind);
      if (usedBy === undefined) {
        return '';
      }
      const find = async () => usedBy((await reach(reference.connection, byItself)).client, reference, new AbortController().signal);
      return await describeUses(find, presentation());
    },
    content: async (reference, byItself) => {
      const { client } = await reach(reference.connection, byItself);
      const bytes = await kindNamed(reference.kind).content?.(client, reference, new AbortController().signal);
      if (bytes === undefined) {
        throw new Error(vscode.l10n.t("This content can't be shown here."));
      }
      return bytes;
    },
  };
}

/** Updates open documents with the listed state of their resources. */
function seeListed(store: ResourceStore, files: ResourceFiles): void {
  for (const { kind, connection, parent, list } of store.all()) {
    if (kind.definition !== undefined && parent === undefined) {
      for (const value of list.items) {
        files.seeResource({ connection, kind: kind.kind, id: value.id }, value);
      }
    }
  }
}
