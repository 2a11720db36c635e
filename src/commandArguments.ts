import type { Uri } from 'vscode';

export interface BatchReference {
  readonly connection: string;
  readonly batchId: string;
  /** URI of the request file, if the row shows both the file and its only run. */
  readonly source?: string;
}

/** A line of a document, 1-based, as passed by the menu of line numbers. */
export interface LineArgument {
  readonly uri: Uri;
  readonly lineNumber: number;
}

export interface SubmissionReference {
  readonly submissionId: string;
}

/** A run, by the ID of its first submission. */
export interface RunReference {
  readonly runId: string;
  /** True for the best results of the run and its retries, merged. */
  readonly withRetries?: boolean;
}

export interface SessionReference {
  readonly connection: string;
  readonly sessionId: string;
}

/** Event of a session: an ask, or the event to continue from in a new session. */
export interface AskReference extends SessionReference {
  readonly eventId: string;
}

/** An agent on the service of one connection, or one version of the agent. */
export interface AgentReference {
  readonly connection: string;
  readonly agentId: string;
  readonly version?: number;
}

/** Group of the Resources view, or of the resource `parent`. `kind` is the service's noun. */
export interface GroupReference {
  readonly connection: string;
  readonly kind: string;
  readonly parent?: Reference;
}

/** A resource on a connection. `parent` is the resource that contains it. */
export interface Reference extends GroupReference {
  readonly id: string;
}

/** A delivery that this machine's receiver accepted. */
export interface DeliveryTarget {
  readonly deliveryKey?: string;
}

/** A missing or rejected credential, from an error of a session. */
export interface CredentialNeed extends SessionReference {
  /** Name of the MCP server that needs the credential, as in the agent. */
  readonly serverName?: string;
  /** The credential, if the error names it. */
  readonly vaultId?: string;
  readonly credentialId?: string;
}

export interface SessionsFilter {
  readonly agent?: { readonly id: string; readonly name: string };
  readonly states?: readonly string[];
  /** Maximum age of a session, in hours. */
  readonly withinHours?: number;
  readonly includeArchived?: boolean;
}

/** Target of a command that applies to every kind of resource: a row, a reference or a document. */
export type KindTarget = Uri | Reference | GroupReference | AgentReference | SessionReference | BatchReference | RunReference;
