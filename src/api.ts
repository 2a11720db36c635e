import type { CancellationToken, Event, Uri } from 'vscode';

/**
 * What `activate` of this extension gives to others: `await vscode.extensions.getExtension('managed-agents.managed-agents')?.activate()`.
 * Within version 1 things are added, never taken away or changed. It costs nothing, changes nothing on a service, and tells ids, states and
 * counts, never a key, an address, or what a service, model or person said. Calls that are given anything else than is written here reject with
 * a `TypeError`.
 */
export interface ManagedAgentsApi {
  readonly version: 1;
  /**
   * Checks a request file of any size by the rules that the user set, unsaved changes counted, on this machine. Rejects with a sentence when
   * it cannot be read, and with a `CancellationError` when `token` is cancelled.
   */
  checkFile(file: Uri, token?: CancellationToken): Promise<CheckedFile>;
  /** The batches that were sent from this machine, newest first, as they were last seen. Asks no service. */
  listBatches(): Promise<readonly KnownBatch[]>;
  /**
   * Shows a batch, or where its results are on this machine the one of `customId`. Answers false when that failed or the user turned back,
   * who was told why. Rejects for a connection that the user does not have or that cannot be used, the emulator's while it is
   * stopped among them, and in a workspace that is not trusted.
   */
  openBatch(batch: BatchPlace): Promise<boolean>;
  /** As `openBatch`, for a session, at an event of it where one is named. */
  openSession(session: SessionPlace): Promise<boolean>;
  /** A batch that was sent from this machine was seen to have ended. Every window that is open tells it once. */
  readonly onDidEndBatch: Event<KnownBatch>;
}

export interface CheckedFile {
  readonly lines: number;
  readonly requests: number;
  /** Problems of each severity in the whole file. */
  readonly counts: Readonly<Record<CheckedProblem['severity'], number>>;
  /** The first 1,000 problems, worst first and then by line. */
  readonly problems: readonly CheckedProblem[];
}

export interface CheckedProblem {
  /** Stable id of the rule, as in the settings. */
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** One sentence in the user's language. */
  readonly message: string;
  /** Line, and columns in it, as VS Code counts: from 0, `end` exclusive. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export interface BatchPlace {
  /** Name of the user's connection. */
  readonly connection: string;
  readonly batchId: string;
  readonly customId?: string;
}

export interface SessionPlace {
  /** Name of the user's connection. */
  readonly connection: string;
  readonly sessionId: string;
  readonly eventId?: string;
}

export interface KnownBatch {
  /** Name of the connection that it was sent by. */
  readonly connection: string;
  readonly batchId: string;
  readonly state: 'in_progress' | 'canceling' | 'ended' | 'unknown';
  /** Requests by what became of them. All are `processing` until the batch has ended. */
  readonly counts: Readonly<Record<'processing' | 'succeeded' | 'errored' | 'canceled' | 'expired', number>>;
}
