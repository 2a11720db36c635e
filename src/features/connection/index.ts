import * as vscode from 'vscode';
import { toOrigin } from '../../client/transport/baseUrl';
import { offer, showFailure, showInformation } from '../../common/asking/notifications';
import type { CommandRegistry } from '../../common/commands';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import { onDidChangeSettings } from '../../common/settings';
import { toLabel } from '../../shared/text';
import type { EmulatorHost } from '../emulator';
import { ClientCache } from './clientCache';
import type { Connection, Connections } from './connection';
import type { ConnectionCommandContext } from './connectionCommandContext';
import { choose, readChosen, readConnections } from './connectionConfiguration';
import { emulatorName } from './connectionSettings';
import { ConnectionStatusBarItem } from './connectionStatusBarItem';
import { ConnectionStore, describeKey } from './connectionStore';
import { KeyStore } from './keyStore';
import { Network } from './network/network';
import { mayUse, refuseUntrusted } from './reach';
import { RecentCalls } from './recentCalls';
import { ServedGroups } from './servedGroups';
import { UserProfiles } from './userProfiles';

export type { Connection, ConnectionState, Connections } from './connection';
export { defaultLimits } from './connectionSettings';
export { followConnection, whenPollable } from './followConnection';
export { mayUse, type Reached, reach, refuseUntrusted, type Use } from './reach';
export { connectionToCreate, readyConnection } from './readyConnection';
export type { RecentCall, RecentCalls } from './recentCalls';

interface ConnectionDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly emulator: EmulatorHost;
}

/** Registers the user's connections, the current one of this window, and the commands for connections. */
export function registerConnection(deps: ConnectionDependencies): Connections & { readonly recentCalls: RecentCalls } & vscode.Disposable {
  const { context, log, emulator } = deps;
  const t = vscode.l10n.t;
  const userAgent = `managed-agents-vscode/${context.extension.packageJSON.version}`;
  const keys = new KeyStore(context.secrets, key => log.hide(key));
  const network = new Network(log);
  const statusBarItem = new ConnectionStatusBarItem();
  const recentCalls = new RecentCalls();
  const served = new ServedGroups();
  const profiles = new UserProfiles(context.globalState);
  const store = new ConnectionStore({ readConnections, readChosen, isTrusted: () => mayUse('look'), keys, profiles, emulator, t });
  const credential = async (connection: Connection) => {
    if (connection.isEmulator) {
      const running = emulator.running;
      return running === undefined ? undefined : { key: running.key, origin: toOrigin(running.url) };
    }
    return keys.credential(connection.name, toOrigin(connection.baseUrl));
  };
  const clients = new ClientCache({
    create: async options => (await import('../../client/serviceClient')).createServiceClient(options),
    network: () => network.read(),
    credential,
    describeMissingKey: connection => describeKey(connection, store.snapshot.keys.get(connection.name) ?? { kind: 'missing' }, t),
    onHealth: (connection, health) => statusBarItem.note(connection, health),
    onServed: (connection, group, isServed) => served.note(connection, group, isServed),
    shared: { log, userAgent, onCall: call => recentCalls.note(call) },
  });
  const client: Connections['client'] = async (connection, use) => {
    refuseUntrusted(use);
    if (connection.isEmulator) {
      if (use === 'look' && emulator.running === undefined && !emulator.isStarting) {
        throw new Error(t('The emulator is stopped. Start it and try again.'));
      }
      const { url } = await emulator.start();
      return clients.client({ ...connection, baseUrl: url });
    }
    return clients.client(connection);
  };

  const refresh = () => void store.refresh().catch(error => log.error('Could not read the connections', error));
  let shownProblems = '';
  const onStoreChanged = () => {
    const { snapshot } = store;
    if (snapshot.startsEmulator) {
      // Not awaited, so that activation doesn't wait for the emulator. Callers that request its client receive the failure.
      emulator.start().catch(error => log.error('Could not start the emulator', error));
    }
    const problems = snapshot.problems.map(({ name, message }) => `managedAgents.connections, "${name ?? ''}": ${message}`).join('\n');
    if (problems !== shownProblems && problems !== '') {
      log.warn(problems);
    }
    shownProblems = problems;
    clients.keepOnly(snapshot.connections);
    setContextKey('managedAgents.connectionState', snapshot.state);
    statusBarItem.update(snapshot, emulator.isStarting);
  };

  const flowContext: ConnectionCommandContext = {
    store,
    keys,
    emulator,
    network: () => network.read(),
    client,
    log,
    userAgent,
  };
  const loadFlows = async () => (await import('./flows/connectionFlows')).createConnectionFlows(flowContext);
  const subscriptions = combine(
    store.onDidChange(onStoreChanged),
    onDidChangeSettings(['managedAgents.connections', 'managedAgents.connection'], refresh),
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
    keys.onDidChange(() => {
      served.clear();
      refresh();
    }),
    emulator.onDidChange(refresh),
    network.onDidChange(() => clients.clear()),
    deps.commands.registerAreas(['connection'], loadFlows),
    emulator.onDidStartByCommand(() => void useEmulator(store, log)),
  );
  const whenKnown = new Promise<void>((resolve, reject) => {
    // Deferred, so that VS Code doesn't wait for the refresh during activation.
    setImmediate(() => store.refresh().then(resolve, reject));
  });

  return {
    get current() {
      return store.snapshot.current;
    },
    get access() {
      return store.snapshot.access;
    },
    get state() {
      return store.snapshot.state;
    },
    get reason() {
      return store.snapshot.reason;
    },
    whenKnown,
    onDidChange: store.onDidChange,
    served,
    all: () => store.snapshot.connections,
    find: name => store.find(name),
    setUserProfile: async (connection, id) => {
      await profiles.set(connection, id);
      await store.refresh();
    },
    client,
    recentCalls,
    dispose: () => combine(statusBarItem, served, store, keys, network, clients, subscriptions).dispose(),
  };
}

/**
 * Makes the emulator the current connection if there is none, because the user has just started the emulator. Otherwise offers to switch to
 * the emulator.
 */
async function useEmulator(store: ConnectionStore, log: Log): Promise<void> {
  try {
    await store.refresh();
    const { current, chosen } = store.snapshot;
    if (current === undefined && chosen.by === 'user') {
      await choose(emulatorName, 'user');
      await store.refresh();
    } else if (!current?.isEmulator) {
      const message = vscode.l10n.t('This workspace uses the connection "{0}".', toLabel(chosen.name, 60));
      await offer(showInformation, message, [vscode.l10n.t('Use Emulator'), () => choose(emulatorName, chosen.by)]);
    }
  } catch (error) {
    log.error('Could not select the emulator for this window', error);
    void showFailure(vscode.l10n.t("The emulator is running, but isn't selected. Switch to it."));
  }
}
