import type { SessionUsage } from '../../client/resources/sessions';
import type { EstimateSettings } from '../../common/estimateSettings';
import type { BatchReference, RunReference, SessionReference } from '../../contributions';
import type { BatchLimits } from '../../jsonl/checking/batchFileReport';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { RuleOptions } from '../../jsonl/rules/ruleOptions';
import type { Reached } from '../connection';
import type { SubmissionRegistry } from '../ledger';
import type { SheetEnd } from './proposedSheets';
import type { ToolLevel } from './toolLevel';

/** Workspace file that a model named. */
export interface NamedFile {
  /** Display name: the path relative to its workspace folder. */
  readonly name: string;
  /** URI string of the file, as in the ledger. */
  readonly source: string;
  readonly path: string;
}

/** Batch that the user is asked to send: a whole file, the changes of a file, or a trial of a file. */
export interface Proposal {
  readonly file: NamedFile;
  readonly only?: 'changed' | 'trial' | undefined;
  /** Number of requests in a trial. If absent, the default number is used. */
  readonly sampleSize?: number | undefined;
}

/** Message to a session that the user is asked to approve. */
export interface MessageQuestion {
  readonly connection: string;
  readonly sessionId: string;
  readonly title: string;
  readonly agent: string;
  /** Usage of the session so far, if the service reports it. */
  readonly usage: SessionUsage;
  readonly text: string;
}

/** File, batch, results or session that a tool opens for the user. */
export type Shown =
  | { readonly kind: 'file'; readonly file: NamedFile; readonly line?: number | undefined }
  | { readonly kind: 'batch'; readonly batch: BatchReference }
  | { readonly kind: 'results'; readonly of: RunReference; readonly customId?: string | undefined; readonly query?: string | undefined }
  | { readonly kind: 'session'; readonly session: SessionReference; readonly event?: string | undefined };

/** Everything that tools can access. Tools have no other access to VS Code, settings or keys. */
export interface AssistantServices {
  readonly isTrusted: () => boolean;
  readonly level: () => ToolLevel;
  readonly now: () => number;
  readonly jobs: JsonlJobs;
  readonly registry: Pick<SubmissionRegistry, 'all' | 'reload' | 'folder' | 'findByBatch' | 'findBySource'>;
  /** Returns an existing file in a workspace folder. Links are followed. Throws a `ToolRefusal` for any other file. */
  findFile(name: string): Promise<NamedFile>;
  /**
   * Creates a new file in the workspace. Reserves its name before `write` runs, so that no existing file is replaced. Deletes the
   * incomplete file if `write` fails. Throws a `ToolRefusal` if the file is not allowed there.
   */
  writeNew<T>(name: string, write: (path: string) => Promise<T>): Promise<{ readonly file: NamedFile; readonly value: T }>;
  /** Calls `use` with a path to the current text of a file, including unsaved changes. */
  readFile<T>(file: NamedFile, use: (path: string) => Promise<T>): Promise<T>;
  rules(file: NamedFile): RuleOptions;
  limits(): BatchLimits;
  prices(): EstimateSettings;
  minimumCachedTokens(): number;
  /** Returns the largest allowed `max_tokens` of each model for which the connection reports it. */
  mostTokens(): readonly (readonly [model: string, tokens: number])[];
  /** Returns the current or the named connection, for a use that the user did not request. Throws a `ToolRefusal` without one. */
  reach(connection: string | undefined): Promise<Reached>;
  /** Returns whether the user lets models read contents that came through a connection. Never asks. */
  isConsented(connection: string): boolean;
  /** Like `isConsented`, but asks the user once if there is no decision yet. `program` is the name that the calling program gave itself. */
  askConsent(connection: string, program?: string): Promise<boolean>;
  /**
   * Shows the submission sheet, from which only the user can send a file. Resolves when the batch was sent, the sheet was closed, or the
   * time is up.
   */
  showSheet(proposal: Proposal, signal: AbortSignal): Promise<SheetEnd>;
  /**
   * Asks in a dialog of the extension, even if the call was approved elsewhere. If the user agrees after `signal` has aborted, a message
   * says that nothing was sent.
   */
  askMessage(question: MessageQuestion, signal: AbortSignal): Promise<boolean>;
  /** Sends one message. Never retries. Requires a trusted workspace. */
  sendMessage(session: SessionReference, text: string, signal: AbortSignal): Promise<void>;
  /** Opens `what` for the user. Returns false if this failed. */
  show(what: Shown): Promise<boolean>;
}
