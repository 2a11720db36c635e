import type { Event } from 'vscode';
import { toOrigin } from '../../client/transport/baseUrl';
import { Emitter } from '../../common/emitter';
import { hostOf } from '../../common/text/presentation';
import type { Translate } from '../../common/text/translate';
import type { EmulatorHost } from '../emulator';
import type { Connection, ConnectionState } from './connection';
import { defaultLimits, emulatorName, parseConnections, type SettingProblem } from './connectionSettings';
import type { KeyStatus, KeyStore } from './keyStore';
import type { UserProfiles } from './userProfiles';

/** Connection chosen in the settings, and the scope that chose it. A workspace counts only if the workspace is trusted. */
export interface ChosenConnection {
  readonly name: string;
  readonly by: 'user' | 'workspace';
}

interface ConnectionStoreOptions {
  /** Returns the user's value of `managedAgents.connections`, unparsed. */
  readonly readConnections: () => unknown;
  readonly readChosen: () => ChosenConnection;
  readonly isTrusted: () => boolean;
  readonly keys: KeyStore;
  readonly profiles: Pick<UserProfiles, 'of'>;
  readonly emulator: Pick<EmulatorHost, 'running' | 'isStarting'>;
  readonly t: Translate;
}

/** State of all connections at one time. */
export interface ConnectionsSnapshot {
  /** Usable connections. The emulator's connection is the last. */
  readonly connections: readonly Connection[];
  readonly problems: readonly SettingProblem[];
  readonly chosen: ChosenConnection;
  readonly current: Connection | undefined;
  /** Identifier of the current target and key (see `Connections.access`). */
  readonly access: string | undefined;
  readonly state: ConnectionState;
  /** Reason why the state is not `ready`, in one sentence. */
  readonly reason: string | undefined;
  /** State of the key by connection name. */
  readonly keys: ReadonlyMap<string, KeyStatus>;
  /** True if the emulator must be started, because its connection has just become the current one of a trusted window. */
  readonly startsEmulator: boolean;
}

/** Combines settings, keys, emulator and workspace trust into one snapshot, which `refresh` replaces as a whole. */
export class ConnectionStore {
  private generation = 0;
  private newest: Promise<void> = Promise.resolve();
  private isDisposed = false;
  private wantedEmulator = false;
  private shown: ConnectionsSnapshot = {
    connections: [],
    problems: [],
    chosen: { name: '', by: 'user' },
    current: undefined,
    access: undefined,
    state: 'none',
    reason: undefined,
    keys: new Map(),
    startsEmulator: false,
  };
  private readonly changed = new Emitter<void>();

  readonly onDidChange: Event<void> = this.changed.event;

  constructor(private readonly options: ConnectionStoreOptions) {}

  get snapshot(): ConnectionsSnapshot {
    return this.shown;
  }

  find(name: string): Connection | undefined {
    return this.shown.connections.find(connection => connection.name === name);
  }

  /**
   * Reads everything again. Resolves when `snapshot` is at least as new as this call. If calls overlap, only the newest sets `snapshot`.
   */
  refresh(): Promise<void> {
    const generation = ++this.generation;
    this.newest = this.read(generation);
    return this.newest;
  }

  dispose(): void {
    this.isDisposed = true;
    this.changed.dispose();
  }

  private async read(generation: number): Promise<void> {
    const { readConnections, readChosen, keys, profiles, emulator, t } = this.options;
    const { connections: own, problems } = parseConnections(readConnections(), t);
    const chosen = readChosen();
    const statuses = new Map<string, KeyStatus>(
      await Promise.all(
        own.map(async ({ name, baseUrl }): Promise<[string, KeyStatus]> => [name, await keys.status(name, toOrigin(baseUrl))]),
      ),
    );
    const running = emulator.running?.url;
    const connections = [...own, toEmulatorConnection(running)].map(connection => {
      const userProfileId = profiles.of(connection);
      return userProfileId === undefined ? connection : { ...connection, userProfileId };
    });
    const current = connections.find(({ name }) => name === chosen.name);
    const version = current === undefined || current.isEmulator ? 0 : await keys.version(current.name, toOrigin(current.baseUrl));
    if (this.isDisposed) {
      return;
    }
    if (generation !== this.generation) {
      // The newer refresh includes this refresh.
      return this.newest;
    }
    // A workspace can choose the emulator's connection, but only the user can start the emulator.
    const wantsEmulator = current?.isEmulator === true && chosen.by === 'user' && this.options.isTrusted();
    const startsEmulator = wantsEmulator && !this.wantedEmulator;
    this.wantedEmulator = wantsEmulator;
    const { state, reason } = this.judge({ chosen, current, problems, keys: statuses, startsEmulator });
    const access = current && `${current.name}\n${current.baseUrl}\n${version}`;
    this.shown = { connections, problems, chosen, current, access, state, reason, keys: statuses, startsEmulator };
    this.changed.fire();
  }

  private judge(
    found: Omit<ConnectionsSnapshot, 'connections' | 'access' | 'state' | 'reason'>,
  ): Pick<ConnectionsSnapshot, 'state' | 'reason'> {
    const { chosen, current, problems, keys, startsEmulator } = found;
    const { emulator, isTrusted, t } = this.options;
    if (current === undefined) {
      return { state: 'none', reason: chosen.name === '' ? undefined : describeMissing(chosen, problems, t) };
    }
    if (current.isEmulator) {
      const isOn = startsEmulator || emulator.running !== undefined || emulator.isStarting;
      return isOn ? { state: 'ready', reason: undefined } : { state: 'none', reason: t('The emulator is stopped.') };
    }
    const key = keys.get(current.name) ?? { kind: 'missing' };
    if (key.kind !== 'usable') {
      return { state: 'noKey', reason: describeKey(current, key, t) };
    }
    if (!isTrusted()) {
      return {
        state: 'untrusted',
        reason: t('Restricted Mode: sending is off until you trust this workspace.'),
      };
    }
    return { state: 'ready', reason: undefined };
  }
}

/** Describes why the chosen connection does not exist, and the fix. */
function describeMissing(chosen: ChosenConnection, problems: readonly SettingProblem[], t: Translate): string {
  const problem = problems.find(({ name, isFatal }) => isFatal && name === chosen.name);
  if (problem !== undefined) {
    return t('The connection "{0}" can\'t be used. {1}', chosen.name, problem.message);
  }
  return t('There is no connection "{0}". Add it, or switch to another.', chosen.name);
}

/** Describes why a connection's key can't be used, and the fix. */
export function describeKey(connection: Connection, status: KeyStatus, t: Translate): string {
  const host = hostOf(connection);
  switch (status.kind) {
    case 'usable':
      return status.onlyThisWindow ? t('The API key is kept until this window closes.') : t('The API key is stored on this machine.');
    case 'missing':
      return t('Set the API key of "{0}" to connect to {1}.', connection.name, host);
    case 'otherOrigin':
      return t(
        'The address of "{0}" has changed from {1} to {2}. Enter the API key again.',
        connection.name,
        status.origin,
        toOrigin(connection.baseUrl),
      );
    case 'unreadable':
      return t('Couldn\'t read the API key of "{0}". Enter it again.', connection.name);
  }
}

/** Returns the built-in connection. `url` is the address of the emulator while it runs. */
export function toEmulatorConnection(url: string | undefined): Connection {
  return {
    name: emulatorName,
    baseUrl: url ?? 'http://127.0.0.1',
    auth: 'x-api-key',
    dialect: 'contract',
    extraBetas: [],
    limits: defaultLimits,
    allowInsecureHttp: false,
    isEmulator: true,
  };
}
