import type { CancellationToken, Event, Uri } from 'vscode';

/**
 * API for other extensions: `await vscode.extensions.getExtension('managed-agents.managed-agents')?.activate()`. Within version 1, members
 * can be added, but are never removed or changed. Calls are free and change nothing on a service. Calls return IDs, states and counts, but
 * never keys, addresses, or texts of services, models or people. A call with invalid arguments rejects with a `TypeError`.
 */
export interface ManagedAgentsApi {
  readonly version: 1;
  /**
   * Checks a request file of any size on this machine with the user's rules. Includes unsaved changes of the file. Rejects with an error
   * for the user if the file can't be read, and with a `CancellationError` if `token` is cancelled.
   */
  checkFile(file: Uri, token?: CancellationToken): Promise<CheckedFile>;
  /** Returns the batches sent from this machine in their last known state, newest first. Sends no request. */
  listBatches(): Promise<readonly KnownBatch[]>;
  /**
   * Shows a batch, or the result of the request `customId` if the result is on this machine. Returns false if the user cancelled, or after
   * showing an error message. Rejects for an unknown or unusable connection, such as that of a stopped emulator, and in an untrusted
   * workspace.
   */
  openBatch(batch: BatchLocation): Promise<boolean>;
  /** Shows a session, or an event of the session. Returns and rejects like `openBatch`. */
  openSession(session: SessionLocation): Promise<boolean>;
  /** Fires once in every open window when a batch sent from this machine has ended. */
  readonly onDidEndBatch: Event<KnownBatch>;
}

export interface CheckedFile {
  readonly lines: number;
  readonly requests: number;
  /** Number of problems in the whole file, by severity. */
  readonly counts: Readonly<Record<CheckedProblem['severity'], number>>;
  /** First 1,000 problems, by severity and then by line. */
  readonly problems: readonly CheckedProblem[];
}

export interface CheckedProblem {
  /** Stable ID of the rule, as in the settings. */
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** One sentence in the user's language. */
  readonly message: string;
  /** 0-based line and UTF-16 columns. `end` is exclusive. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export interface BatchLocation {
  /** Name of the user's connection. */
  readonly connection: string;
  readonly batchId: string;
  readonly customId?: string;
}

export interface SessionLocation {
  /** Name of the user's connection. */
  readonly connection: string;
  readonly sessionId: string;
  readonly eventId?: string;
}

export interface KnownBatch {
  /** Name of the connection that sent the batch. */
  readonly connection: string;
  readonly batchId: string;
  readonly state: 'in_progress' | 'canceling' | 'ended' | 'unknown';
  /** Number of requests by result. All requests are `processing` until the batch has ended. */
  readonly counts: Readonly<Record<'processing' | 'succeeded' | 'errored' | 'canceled' | 'expired', number>>;
}
