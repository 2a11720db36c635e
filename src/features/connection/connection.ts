import type { Event } from 'vscode';
import type { AuthForm } from '../../client/clientOptions';
import type { DialectName } from '../../client/dialect';
import type { ServiceClient } from '../../client/serviceClient';
import type { BatchLimits } from '../../jsonl/checking/batchFileReport';
import type { Use } from './reach';
import type { ServedGroups } from './servedGroups';

/** Named connection to a service. The key is stored separately in SecretStorage, bound to the origin of `baseUrl`. */
export interface Connection {
  readonly name: string;
  readonly baseUrl: string;
  readonly auth: AuthForm;
  readonly dialect: DialectName;
  /** True if `dialect` is a guess, because no response contained names of the dialect. */
  readonly isDialectGuess?: boolean;
  readonly extraBetas: readonly string[];
  /** User profile for the connection's batches. Stored on this machine. */
  readonly userProfileId?: string | undefined;
  readonly limits: BatchLimits;
  readonly allowInsecureHttp: boolean;
  /** True for the built-in connection to this window's emulator. Its `baseUrl` changes whenever the emulator starts. */
  readonly isEmulator: boolean;
}

/**
 * Reason why there is no usable connection, or `ready`. The emulator's connection is also `none` while the emulator is stopped, because
 * `client()` would start the emulator and only a user action may do that. In state `untrusted`, nothing may be sent automatically, but a
 * user action may still use `current`.
 */
export type ConnectionState = 'none' | 'noKey' | 'untrusted' | 'ready';

/** Access to connections for other features. */
export interface Connections {
  readonly current: Connection | undefined;
  /**
   * Identifier of the current target and key that doesn't contain the key. A cached list is valid only for the identifier with which it was
   * read.
   */
  readonly access: string | undefined;
  readonly state: ConnectionState;
  /** Reason in one sentence for the user. `undefined` if `state` is `ready`. */
  readonly reason: string | undefined;
  /** Resolves when settings and keys have been read once. */
  readonly whenKnown: Promise<void>;
  /** Fires when the current connection, its settings, its key or its state changes. */
  readonly onDidChange: Event<void>;
  /** Resource groups that each service has. */
  readonly served: Pick<ServedGroups, 'has' | 'note' | 'onDidChange'>;
  /** Returns all connections. The emulator's connection is the last. */
  all(): readonly Connection[];
  find(name: string): Connection | undefined;
  /** Sets the user profile for the batches of a connection. Deletes it if `id` is undefined. Resolves when `current` has the change. */
  setUserProfile(connection: Connection, id: string | undefined): Promise<void>;
  /**
   * Returns the client of a connection, created on first use. Starts the emulator for its connection, unless `use` is `look`. Throws a
   * `ServiceError` of kind `no_credential` if there is no key, and an `UntrustedError` if an untrusted workspace doesn't allow `use`.
   */
  client(connection: Connection, use: Use): Promise<ServiceClient>;
}
