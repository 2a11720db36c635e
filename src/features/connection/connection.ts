import type { Event } from 'vscode';
import type { AuthForm } from '../../client/clientOptions';
import type { DialectName } from '../../client/dialect';
import type { ServiceClient } from '../../client/serviceClient';
import type { BatchLimits } from '../../jsonl/checking/batchFileReport';
import type { ServedGroups } from './servedGroups';
import type { Use } from './trust';

/** Named connection to a service. The key is not part of it: it stays in SecretStorage, bound to the origin of `baseUrl`. */
export interface Connection {
  readonly name: string;
  readonly baseUrl: string;
  readonly auth: AuthForm;
  readonly dialect: DialectName;
  /** True if `dialect` is a guess, because no response contained its names. */
  readonly isDialectGuess?: boolean;
  readonly extraBetas: readonly string[];
  /** User profile that its batches are attributed to. Stored on this machine. */
  readonly userProfileId?: string | undefined;
  readonly limits: BatchLimits;
  readonly allowInsecureHttp: boolean;
  /** True for the built-in connection to this window's emulator. Its `baseUrl` changes with every start of the emulator. */
  readonly isEmulator: boolean;
}

/**
 * Reason why there is no usable connection, or `ready`. The emulator's connection is also `none` while the emulator is stopped: `client()`
 * would start it, and only a user action may. In state `untrusted`, nothing may be sent automatically, but a user action may still use
 * `current`.
 */
export type ConnectionState = 'none' | 'noKey' | 'untrusted' | 'ready';

/** Access to connections for other features. */
export interface Connections {
  readonly current: Connection | undefined;
  /** Identifier of the current target and key, without the key itself. A cached list is valid only for the identifier it was read with. */
  readonly access: string | undefined;
  readonly state: ConnectionState;
  /** Reason why `state` is not `ready`, in one sentence for the user. */
  readonly reason: string | undefined;
  /** Resolves when settings and keys have been read for the first time. */
  readonly whenKnown: Promise<void>;
  /** Fires when the current connection, its settings, its key or its state changes. */
  readonly onDidChange: Event<void>;
  /** Groups of calls that the services have. */
  readonly served: Pick<ServedGroups, 'has' | 'note' | 'onDidChange'>;
  /** Returns all connections, the emulator's last. */
  all(): readonly Connection[];
  find(name: string): Connection | undefined;
  /** Sets the user profile that batches of a connection are attributed to, or deletes it without `id`. Resolves when `current` has it. */
  setUserProfile(connection: Connection, id: string | undefined): Promise<void>;
  /**
   * Returns the client of a connection, created on first use and shared. For the emulator's connection, starts the emulator unless `use` is
   * only `look`. Throws a `ServiceError` of kind `no_credential` if there is no key, and an `UntrustedError` if an untrusted workspace does
   * not allow `use`.
   */
  client(connection: Connection, use: Use): Promise<ServiceClient>;
}
