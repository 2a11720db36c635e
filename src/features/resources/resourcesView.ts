import * as vscode from 'vscode';
import { systemClock } from '../../common/clock';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { BackOff } from '../../common/lists/backOff';
import { toListingState } from '../../common/lists/pagedList';
import { Poller } from '../../common/lists/poller';
import { type Reference, views } from '../../contributions';
import { refuseUntrusted } from '../connection';
import { createMissedRuns, followListed, remarksOfMissed } from './deployments/missedRuns';
import { kinds } from './kinds';
import { createFlow, createKindsView, type KindsView, type ResourcesDependencies, type ResourcesTreeView } from './kindsView';
import { collectionOf } from './resourceFlow';
import { plainReference } from './resourceKind';
import { createResourcesTree, type ResourcesNode } from './resourcesTreeDataProvider';
import type { Service } from './service';

export interface ResourcesView extends KindsView {
  showLocal(rows: readonly ResourcesNode[]): void;
  /** Clears the missed runs of a deployment, or of all deployments. */
  clearMissed(deployment: Reference | undefined): void;
}

/** Shows the groups that the current connection serves while `view` is visible, and owns their drafts and documents. */
export function createResourcesView(deps: ResourcesDependencies, view: ResourcesTreeView): ResourcesView {
  const { context, log, connections } = deps;
  const flow = createFlow(deps, view, { kinds, folder: 'resource-drafts', snapshotScheme: 'managed-agents-resource-state' });
  const { service, store, drafts, presentation } = flow;
  const probe = createProbe(service, view);
  const warn = (message: string) => log.warn(message);
  const missed = createMissedRuns(flow, context.globalState, warn);
  let local: readonly ResourcesNode[] = [];
  const tree = createResourcesTree({
    store,
    drafts,
    context: presentation,
    isReady: () => connections.state === 'ready' && probe.state === 'filled',
    isServed: kind => {
      const { current, served } = connections;
      const group = collectionOf(kind);
      return current === undefined || group === undefined || served.has(current, group) !== false;
    },
    local: () => local,
    remarksOf: remarksOfMissed(missed),
  });
  const poller = new Poller(signal => probe.check(signal));
  const following = followListed(missed, store, warn);
  const shown = createKindsView(deps, view, flow, tree, {
    viewId: views.resources,
    onRender: () => setContextKey('managedAgents.resourcesState', probe.state),
    poll: () => void poller.trigger(),
    startOver: () => probe.startOver(),
    changes: [probe.onDidChange, connections.served.onDidChange, missed.onDidChange, connections.onDidChange],
  });
  return {
    ...shown,
    refresh: async () => {
      refuseUntrusted('look');
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

/**
 * State of the groups of a connection. `loading`: unknown yet. `none`: the service has none of the groups. `unreachable`: no request got a
 * response.
 */
type GroupsState = 'loading' | 'filled' | 'none' | 'unauthorized' | 'unreachable' | 'failed';

/**
 * Lists one item of each group while the view is visible, once for each access to a service. The connections record which groups were found
 * (see `ServedGroups`).
 */
function createProbe(service: Service, view: Pick<vscode.TreeView<unknown>, 'visible'>) {
  const changed = new vscode.EventEmitter<void>();
  const backOff = new BackOff(systemClock);
  const { connections } = service;
  let state: GroupsState = 'loading';
  let isDone = false;
  /** Probes all kinds. Returns the delay until the next try in milliseconds, or `undefined` if no further try is needed. */
  const check = async (signal: AbortSignal): Promise<number | undefined> => {
    const { access } = connections;
    const current = view.visible ? service.lookedAt : undefined;
    if (current === undefined || isDone) {
      return undefined;
    }
    if (backOff.wait > 0) {
      return backOff.wait;
    }
    const results = await Promise.all(
      kinds.map(async (kind): Promise<unknown> => {
        try {
          const { client } = await service.reach(current.name, 'look');
          await kind.calls(client, undefined).list({ limit: 1, signal });
          return undefined;
        } catch (error) {
          return error;
        }
      }),
    );
    if (signal.aborted || connections.access !== access) {
      return undefined;
    }
    const problem = results.find(error => error !== undefined && toListingState(error) !== 'unsupported');
    isDone = problem === undefined;
    const failed = toListingState(problem);
    const isKnown = failed === 'unauthorized' || failed === 'unreachable';
    state = results.includes(undefined) ? 'filled' : problem === undefined ? 'none' : isKnown ? failed : 'failed';
    changed.fire();
    if (isDone) {
      backOff.succeeded();
      return undefined;
    }
    return backOff.failed(problem);
  };
  const forgetWait = () => {
    isDone = false;
    backOff.forgetWait();
  };
  return {
    check,
    onDidChange: changed.event,
    get state() {
      return state;
    },
    forgetWait,
    startOver: () => {
      state = 'loading';
      forgetWait();
    },
  };
}
