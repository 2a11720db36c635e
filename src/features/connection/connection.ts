import type { Event } from 'vscode';
import type { AuthForm } from '../../client/clientOptions';
import type { DialectName } from '../../client/dialect';
import type { ServiceClient } from '../../client/serviceClient';
import type { BatchLimits } from '../../jsonl/checking/batchFileReport';
import type { ServedGroups } from './servedGroups';
import type { Use } from './trust';

/** A named way to a service. The key is not part of it: it stays in SecretStorage, bound to the origin of `baseUrl`. */
export interface Connection {
  readonly name: string;
  readonly baseUrl: string;
  readonly auth: AuthForm;
  readonly dialect: DialectName;
  /** True if `dialect` is a guess, because nothing on the service shows its names. */
  readonly isDialectGuess?: boolean;
  readonly extraBetas: readonly string[];
  /** User profile that its batches are attributed to. Stored on this machine. */
  readonly userProfileId?: string | undefined;
  readonly limits: BatchLimits;
  readonly allowInsecureHttp: boolean;
  /** The built-in connection to the emulator of this window. Its `baseUrl` changes with every start of the emulator. */
  readonly isEmulator: boolean;
}

/**
 * Why there is no usable connection, or `ready`. `none` also stands for the emulator's connection while the emulator is
 * stopped: `client()` would start it, and only an act of the user may. `untrusted`: nothing may be sent by itself; an act of
 * the user may still use `current`.
 */
export type ConnectionState = 'none' | 'noKey' | 'untrusted' | 'ready';

/** What other features may ask of connections. */
export interface Connections {
  /** The connection this window uses. */
  readonly current: Connection | undefined;
  /** Where it leads and with which key, without the key: what was listed before belongs to what this was then. */
  readonly access: string | undefined;
  readonly state: ConnectionState;
  /** Why `state` is not `ready`, in one sentence for people. */
  readonly reason: string | undefined;
  /** Settles when settings and keys have been read for the first time. */
  readonly whenKnown: Promise<void>;
  /** Fires when the current connection, its settings, its key or its state changed. */
  readonly onDidChange: Event<void>;
  /** Resource groups that the services have. */
  readonly served: Pick<ServedGroups, 'has' | 'onDidChange'>;
  /** Every connection, the emulator's last. */
  all(): readonly Connection[];
  find(name: string): Connection | undefined;
  /** Stores the user profile that batches of a connection are attributed to, or deletes it without `id`. Settles when `current` has it. */
  setUserProfile(connection: Connection, id: string | undefined): Promise<void>;
  /**
   * The client of a connection, made when first asked for and shared. For the emulator's connection the emulator is started, but for a
   * mere `look`. Throws a `ServiceError` of kind `no_credential` when there is no key, and a sentence where `use` is not allowed in a
   * workspace that is not trusted.
   */
  client(connection: Connection, use: Use): Promise<ServiceClient>;
}
