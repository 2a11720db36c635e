import type * as vscode from 'vscode';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { Poller } from '../../common/lists/poller';
import type { TreeNode } from '../../common/tree/treeNode';
import type { Reference } from '../../contributions';
import { createMissedRuns, followListed, remarksOfMissed } from './deployments/createMissedRuns';
import { createProbe } from './groupProbe';
import { kinds } from './kinds';
import { createKindsFlow, createKindsView, type KindsView, type ResourcesDependencies } from './kindsView';
import { plainReference } from './reference';
import type { LocalNode, ResourcesNode } from './resourceNodes';
import { createResourcesTree } from './resourcesTreeDataProvider';

/** Implementation of the Resources view. */
export interface ResourcesView extends KindsView {
  /** Shows local rows below the groups. */
  showLocal(rows: readonly LocalNode[]): void;
  /** Clears the missed runs of a deployment, or of all. */
  clearMissed(deployment: Reference | undefined): void;
}

/** Shows the groups that the current connection serves while `view` is visible, and owns their drafts and documents. */
export function createResourcesView(deps: ResourcesDependencies, view: vscode.TreeView<TreeNode<ResourcesNode>>): ResourcesView {
  const { context, log, connections } = deps;
  const base = createKindsFlow(deps, view, { kinds, folder: 'resource-drafts', snapshotScheme: 'managed-agents-resource-state' });
  const { service, store, drafts, presentation } = base.flow;
  const probe = createProbe(service, store, view);
  const warn = (message: string) => log.warn(message);
  const missed = createMissedRuns({ service, memory: context.globalState, presentation, warn });
  let local: readonly LocalNode[] = [];
  const tree = createResourcesTree({
    store,
    drafts,
    context: presentation,
    isReady: () => connections.state === 'ready' && probe.state === 'filled',
    local: () => local,
    remarks: remarksOfMissed(missed),
  });
  const poller = new Poller(signal => probe.look(signal));
  const following = followListed(missed, store, warn);
  const shown = createKindsView(deps, view, base, tree, {
    draw: () => setContextKey('managedAgents.resourcesState', probe.state),
    look: () => void poller.trigger(),
    startOver: () => probe.startOver(),
    changes: [probe.onDidChange, missed.onDidChange, connections.onDidChange],
  });
  return {
    ...shown,
    refresh: async () => {
      service.demand('nobody');
      probe.forgetWait();
      await Promise.all([poller.trigger(), shown.refresh()]);
    },
    showLocal: rows => {
      local = rows;
      shown.showSoon();
    },
    clearMissed: deployment => missed.clear(deployment && plainReference(deployment)),
    dispose: () => combine(following, shown, poller).dispose(),
  };
}
