import * as vscode from 'vscode';
import { systemClock } from '../../common/clock';
import { BackOff } from '../../common/lists/backOff';
import { toListingState } from '../../common/lists/pagedList';
import { kinds } from './kinds';
import type { GroupsState, ResourceStore } from './resourceStore';
import type { Service } from './service';

/** Detects which groups a service has while the view is visible, with reads of one item, once for each access to a service. */
export function createProbe(service: Service, store: ResourceStore, view: Pick<vscode.TreeView<unknown>, 'visible'>) {
  const changed = new vscode.EventEmitter<void>();
  const backOff = new BackOff(systemClock);
  const { connections } = service;
  let state: GroupsState = 'loading';
  let isDone = false;
  /** Probes all kinds. Returns the delay until the next try in milliseconds, or `undefined` if none is needed. */
  const look = async (signal: AbortSignal): Promise<number | undefined> => {
    const { access } = connections;
    const current = view.visible ? service.lookedAt : undefined;
    if (current === undefined || isDone) {
      return undefined;
    }
    if (backOff.wait > 0) {
      return backOff.wait;
    }
    const answers = await Promise.all(
      kinds.map(async kind => {
        try {
          const { client } = await service.reach(current.name, 'nobody');
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
    kinds.forEach((kind, index) => {
      store.probed(current.name, kind.kind, answers[index]);
    });
    const problem = answers.find(error => error !== undefined && toListingState(error) !== 'unsupported');
    isDone = problem === undefined;
    state = answers.includes(undefined) ? 'filled' : problem === undefined ? 'none' : toGroupsState(problem);
    changed.fire();
    if (isDone) {
      backOff.succeeded();
      return undefined;
    }
    return backOff.failed(problem);
  };
  return {
    look,
    onDidChange: changed.event,
    get state() {
      return state;
    },
    forgetWait: () => {
      isDone = false;
      backOff.forgetWait();
    },
    startOver: () => {
      isDone = false;
      state = 'loading';
      backOff.forgetWait();
    },
  };
}

function toGroupsState(problem: unknown): GroupsState {
  const state = toListingState(problem);
  return state === 'unauthorized' || state === 'unreachable' ? state : 'failed';
}
