import type { SessionUsage } from '../../client/schemas/sessions';
import type { EstimateSettings } from '../../common/estimateSettings';
import type { BatchReference, RunReference, SessionReference } from '../../contributions';
import type { BatchLimits } from '../../jsonl/checking/batchFileReport';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { RuleOptions } from '../../jsonl/rules/ruleOptions';
import type { Reached } from '../connection';
import type { SubmissionRegistry } from '../ledger';
import type { SheetEnd } from './sheetEnd';
import type { ToolLevel } from './toolLevel';

/** A file of the workspace that a model named. */
export interface NamedFile {
  /** As people call it: relative to its folder of the workspace. */
  readonly name: string;
  /** URI string, as the ledger knows files. */
  readonly source: string;
  /** On this machine. */
  readonly path: string;
}

/** What a person is asked to send: a file, or only what changed in it or a trial of it. */
export interface Proposal {
  readonly file: NamedFile;
  readonly only?: 'changed' | 'trial' | undefined;
  /** Requests of a trial; the usual number without. */
  readonly sampleSize?: number | undefined;
}

/** A message to a session, as a person is asked about it. */
export interface MessageQuestion {
  readonly connection: string;
  readonly sessionId: string;
  readonly title: string;
  readonly agent: string;
  /** What the session has used so far, as far as the service tells. */
  readonly usage: SessionUsage;
  readonly text: string;
}

/** Something to bring in front of the person. */
export type Shown =
  | { readonly kind: 'file'; readonly file: NamedFile; readonly line?: number | undefined }
  | { readonly kind: 'batch'; readonly batch: BatchReference }
  | { readonly kind: 'results'; readonly of: RunReference; readonly customId?: string | undefined; readonly query?: string | undefined }
  | { readonly kind: 'session'; readonly session: SessionReference; readonly event?: string | undefined };

/** All that tools reach: nothing of them knows VS Code, settings or keys beside this. */
export interface AssistantServices {
  readonly isTrusted: () => boolean;
  readonly level: () => ToolLevel;
  readonly now: () => number;
  readonly jobs: JsonlJobs;
  readonly registry: Pick<SubmissionRegistry, 'all' | 'reload' | 'folder' | 'findByBatch' | 'findBySource'>;
  /** A file that is there, in a folder of the workspace, links followed. Throws a `ToolRefusal` for any other. */
  findFile(name: string): Promise<NamedFile>;
  /**
   * Has `write` make a new file of the workspace, for which its name is taken before: what stands there is never replaced. Throws a
   * `ToolRefusal` where no such file may be. What `write` left half done is gone.
   */
  writeNew<T>(name: string, write: (path: string) => Promise<T>): Promise<{ readonly file: NamedFile; readonly value: T }>;
  /** Hands `use` a path at which what the person sees of a file can be read: unsaved changes count. */
  readFile<T>(file: NamedFile, use: (path: string) => Promise<T>): Promise<T>;
  /** What a request file is judged by. */
  rules(file: NamedFile): RuleOptions;
  limits(): BatchLimits;
  prices(): EstimateSettings;
  minimumCachedTokens(): number;
  /** The most `max_tokens` by model, as far as the connection tells. */
  mostTokens(): readonly (readonly [model: string, tokens: number])[];
  /** The connection of this window, or the named one, asked as whoever nobody asked for. Throws a `ToolRefusal` when there is none. */
  reach(connection: string | undefined): Promise<Reached>;
  /** Whether the person let models have contents that came through a connection; nobody is asked. */
  isConsented(connection: string): boolean;
  /** Like `isConsented`, but asks once if it isn't known. `program` is the name that an asking program gave itself. */
  askConsent(connection: string, program?: string): Promise<boolean>;
  /** Shows the sheet from which a person, and nobody else, sends a file. Settles when it was sent or closed, or was open for a while. */
  showSheet(proposal: Proposal, signal: AbortSignal): Promise<SheetEnd>;
  /** Asks in our own dialog, whatever was approved elsewhere. Whoever agrees after `signal` has aborted is told that nothing was sent. */
  askMessage(question: MessageQuestion, signal: AbortSignal): Promise<boolean>;
  /** Sends one message, once. The workspace has to be trusted. */
  sendMessage(session: SessionReference, text: string, signal: AbortSignal): Promise<void>;
  /** Whether it could be shown. */
  show(what: Shown): Promise<boolean>;
}
