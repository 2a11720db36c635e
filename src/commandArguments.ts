import type { Uri } from 'vscode';

/** A batch on the service of one connection. */
export interface BatchReference {
  readonly connection: string;
  readonly batchId: string;
  /** The request file, by its URI, if all runs of it are meant. */
  readonly source?: string;
}

/** A line of a document, as the menu of line numbers gives it: 1-based. */
export interface RequestPlace {
  readonly uri: Uri;
  readonly lineNumber: number;
}

/** A submission that is written down on this machine, by its own id. */
export interface SubmissionReference {
  readonly submissionId: string;
}

/** What was submitted at one go: a submission, or a group of them, by the id of the first. */
export interface RunReference {
  readonly runId: string;
  /** Results are not those of the run alone, but the last success of every request in it and in the runs before and after it. */
  readonly withRetries?: boolean;
}

/** A session on the service of one connection. */
export interface SessionReference {
  readonly connection: string;
  readonly sessionId: string;
}

/** An event of a session: something that asks for permission, or a point to start again from. */
export interface AskReference extends SessionReference {
  readonly eventId: string;
}

/** An agent on the service of one connection, or one version of it. */
export interface AgentReference {
  readonly connection: string;
  readonly agentId: string;
  readonly version?: number;
}

/** A thing of the service on one connection: the service's own noun for what it is, its id, and what it stands below. */
export interface Reference {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
  readonly parent?: Reference;
}

/** A group of the Resources view, or one below a thing in it. */
export interface GroupReference {
  readonly connection: string;
  readonly kind: string;
  readonly parent?: Reference;
}

/** A delivery that the receiver on this machine took. */
export interface DeliveryTarget {
  readonly deliveryKey?: string;
}

/** What an error of a session says of the credential that it has not, or that does not work. */
export interface CredentialNeed {
  readonly connection: string;
  readonly sessionId: string;
  /** The MCP server that wants it, as the agent names it. */
  readonly serverName?: string;
  /** The credential itself, where the error names it. */
  readonly vaultId?: string;
  readonly credentialId?: string;
}

/** Which sessions the Sessions view lists. */
export interface SessionsFilter {
  readonly agent?: { readonly id: string; readonly name: string };
  /** States as the view groups them. */
  readonly states?: readonly string[];
  /** Only those created within so many hours. */
  readonly withinHours?: number;
  readonly includeArchived?: boolean;
}

/** A thing of any kind, by its row or reference, or the document of one. */
export type KindTarget = Uri | Reference | GroupReference | AgentReference | SessionReference | BatchReference | RunReference;
