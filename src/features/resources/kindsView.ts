import path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../common/clock';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { Throttle } from '../../common/lists/throttle';
import type { Log } from '../../common/log';
import type { PresentationContext } from '../../common/text/presentation';
import type { TreeNode } from '../../common/tree/treeNode';
import { isWindowUsed } from '../../common/windowUse';
import type { GroupReference } from '../../contributions';
import { type Connections, refuseUntrusted, whenPollable } from '../connection';
import type { EmulatorHost } from '../emulator';
import { Drafts } from './definitions/drafts';
import { ResourceFiles } from './documents/resourceFiles';
import { type ResourceList, ResourceStore } from './lists/resourceList';
import { MemoryFiles } from './memories/memoryFiles';
import { kindNamed, type ResourceFlow } from './resourceFlow';
import type { ResourceKind } from './resourceKind';
import type { ResourcesNode, ResourcesTree } from './resourcesTreeDataProvider';
import { Service } from './service';

export interface ResourcesDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
}

export type ResourcesTreeView = vscode.TreeView<TreeNode<ResourcesNode>>;

interface ViewOptions {
  readonly kinds: readonly ResourceKind[];
  /** Folder of the drafts in the extension's storage. */
  readonly folder: string;
  readonly snapshotScheme: string;
}

/** Creates the lists, drafts and documents of a view. */
export function createFlow(
  { context, log, connections, emulator }: ResourcesDependencies,
  view: ResourcesTreeView,
  given: ViewOptions,
): ResourceFlow {
  const service = new Service(connections, emulator);
  const store = new ResourceStore(given.kinds, {
    reach: async connection => (await service.reach(connection, 'look')).client,
    access: () => connections.access,
    isShown: () => view.visible && service.lookedAt !== undefined,
    isFocused: isWindowUsed,
    warn: message => log.warn(message),
    clock: systemClock,
  });
  const drafts = new Drafts(path.join(context.globalStorageUri.fsPath, given.folder));
  const presentation = (): PresentationContext => ({ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
  const base = { service, store, drafts, presentation };
  const files = new ResourceFiles(base, given.snapshotScheme);
  let memories: MemoryFiles | undefined;
  const flow: ResourceFlow = {
    ...base,
    files,
    get memories() {
      memories ??= new MemoryFiles({
        service,
        store,
        onRefused: async refused => (await import('./memories/mergeMemory')).mergeMemory(flow, refused),
      });
      return memories;
    },
    dispose: () => combine(files, store, ...(memories === undefined ? [] : [memories])).dispose(),
  };
  return flow;
}

interface ViewActs {
  readonly viewId: string;
  /** Called before each refresh of the tree. */
  onRender(): void;
  /** Called when background requests may be possible again. */
  poll?(): void;
  startOver?(connection: string | undefined): void;
  readonly changes?: readonly vscode.Event<unknown>[];
}

/** A view of resources. Loads with the first use of the view, its commands or its documents. */
export interface KindsView extends vscode.Disposable {
  readonly tree: ResourcesTree;
  readonly flow: ResourceFlow;
  /** Schedules a refresh of the rows. */
  showSoon(): void;
  refresh(): Thenable<void>;
  loadMore(group: GroupReference | undefined): Thenable<void>;
  toggleArchived(): Thenable<void>;
}

/** Shows the resources of the current connection while `view` is visible. */
export function createKindsView(
  { connections, emulator }: ResourcesDependencies,
  view: ResourcesTreeView,
  flow: ResourceFlow,
  tree: ResourcesTree,
  acts: ViewActs,
): KindsView {
  const { service, store, drafts } = flow;
  // Several lists load at about the same time and are rendered together.
  const rendering = new Throttle(() => {
    acts.onRender();
    updateFromLists(flow);
    tree.refresh();
  });
  const showSoon = () => rendering.ask();
  // Shows the progress bar of the view.
  const inView = (work: (group?: GroupReference) => Promise<void>) => (group?: GroupReference) =>
    vscode.window.withProgress({ location: { viewId: acts.viewId } }, () => work(group));
  void drafts.load().then(showSoon);
  const subscriptions = combine(
    ...[store.onDidChange, drafts.onDidChange, ...(acts.changes ?? [])].map(event => (event as vscode.Event<unknown>)(showSoon)),
    whenPollable({ connections, emulator }, view, {
      look: () => {
        acts.poll?.();
        for (const list of store.all()) {
          void list.trigger();
        }
      },
      startOver: connection => {
        store.reset(connection);
        acts.startOver?.(connection);
        showSoon();
      },
    }),
    view.onDidExpandElement(({ element }) => void listsIn(element.row).map(list => list.unfold())),
    view.onDidCollapseElement(({ element }) => void listsIn(element.row).map(list => list.fold())),
    flow,
    tree,
    rendering,
  );
  return {
    tree,
    flow,
    showSoon,
    refresh: inView(async () => {
      refuseUntrusted('look');
      await store.refresh();
    }),
    loadMore: inView(async group => {
      if (group !== undefined) {
        const { client } = await service.reach(group.connection, 'read');
        await store.listOf(group.connection, kindNamed(group.kind), group.parent).loadMore(client);
      }
    }),
    toggleArchived: inView(() => store.toggleArchived()),
    dispose: () => subscriptions.dispose(),
  };
}

/** Returns the lists that are kept up to date while a row is expanded. */
function listsIn(node: ResourcesNode): readonly ResourceList[] {
  const members = node.members?.();
  return [...(node.summaries?.() ?? []), ...(members === undefined ? [] : [members])];
}

function updateFromLists({ store, files }: ResourceFlow): void {
  for (const { kind, connection, parent, list } of store.all()) {
    if (kind.definition !== undefined && parent === undefined) {
      for (const value of list.items) {
        files.updateListed({ connection, kind: kind.kind, id: value.id }, value);
      }
    }
  }
}
