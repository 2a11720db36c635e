import type { Refusal } from '../event';

/**
 * A content part of a row. Long parts are cut and loaded on demand. `cut` is the full size of a cut part. `cutLines` is the number of line
 * ends in the cut text (0 if missing).
 */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly cut?: number; readonly cutLines?: number }
  | { readonly type: 'json'; readonly text: string; readonly cut?: number; readonly cutLines?: number }
  /** An image, never loaded automatically. `bytes` is the size of inlined data. */
  | {
      readonly type: 'image';
      readonly source: 'base64' | 'url' | 'file';
      readonly mediaType?: string;
      readonly bytes?: number;
      readonly name: string;
    }
  | {
      readonly type: 'document';
      readonly title: string;
      readonly source: string;
      readonly bytes?: number;
      readonly text?: string;
      readonly cut?: number;
      readonly cutLines?: number;
    }
  | { readonly type: 'redacted' };

/** An event by its index in the service's order (0-based) and its time, if reported. */
export interface EventMoment {
  readonly seq: number;
  readonly at: number | undefined;
}

export interface RowBase {
  /** Id of the event, or a key derived from the event's position. Stable over the life of a transcript. */
  readonly key: string;
  /** Wire type of the row's event; '' for a gap. */
  readonly type: string;
  /** Index of the row's event in the service's order (0-based). Messages of the user that are not stored yet come last. */
  readonly seq: number;
  /** Time by the service's clock, in milliseconds since 1970. Some services round to seconds, so rows are ordered by `seq`. */
  readonly at: number | undefined;
  /** Thread of the event. Absent for the displayed thread. */
  readonly thread?: string;
  /** One line for lists, screen readers and search results: at most 200 code points, with unsafe characters escaped. */
  readonly summary: string;
}

export type Delivery =
  | 'sending'
  /** Received by the service, but not yet processed. */
  | 'queued'
  | 'delivered'
  /** Received by the service, but the turn failed or the session ended before the message was processed. */
  | 'undelivered'
  /** Not sent, or with an unknown outcome. `problem` is the reason. */
  | 'failed';

export interface MessageRow extends RowBase {
  readonly kind: 'user' | 'agent' | 'system';
  readonly parts: readonly Part[];
  readonly delivery?: Delivery;
  readonly problem?: string;
  readonly preview?: boolean;
}

/** A thought of the agent. By the contract, a thought has no text (API facts). Text from a service is shown folded. */
export interface ThinkingRow extends RowBase {
  readonly kind: 'thinking';
  readonly parts: readonly Part[];
  /** Time since the previous event, in milliseconds. */
  readonly durationMs?: number;
  readonly preview?: boolean;
}

export type ToolState =
  /** Waits for a confirmation or, for a custom tool, for its result. */
  | 'waiting'
  /** Allowed, but waits until other asks are answered. */
  | 'held'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  /** Without a result when the turn ended. */
  | 'interrupted'
  /** Ended in another thread. Only that thread's log has the result. */
  | 'elsewhere';

/** A tool call and its result in one row. */
export interface ToolRow extends RowBase {
  readonly kind: 'tool';
  readonly tool: 'builtin' | 'mcp' | 'custom';
  readonly name: string;
  readonly server?: string;
  readonly input: Part;
  /** Evaluation by the service: `allow`, `ask`, `deny`, or another word. */
  readonly permission?: string;
  /** The service's own decision: `allow`, `ask`, `deny`, or another word, with a code for the reason. */
  readonly decision?: { readonly result: string; readonly reason?: string };
  readonly state: ToolState;
  /** Index of the event that made the call wait for the user, and the event id for the answer. */
  readonly askSeq?: number;
  readonly askId?: string;
  /** The end of the turn that left the call without a result. */
  readonly ended?: EventMoment;
  /** Present if other asks blocked the call. `until` is missing while the call is blocked. */
  readonly hold?: { readonly until?: EventMoment };
  readonly confirmation?: EventMoment & { readonly result: string; readonly denyMessage?: string };
  readonly result?: EventMoment & { readonly parts: readonly Part[]; readonly isError: boolean };
  /** Run time without waiting, in milliseconds. `undefined` while the call runs, without times, and for a tool that the client runs. */
  readonly durationMs?: number;
  /** Time that the call waited for a person's permission, for this or another call, or result, in milliseconds. */
  readonly waitMs?: number;
  /** Model request that made the call. Set only for the first call of the request. */
  readonly request?: RequestUsage & { readonly seq: number };
  /** Keys of further events in this row, such as the second `agent.tool_use` of one call. */
  readonly alsoKeys?: readonly string[];
}

/** A state of the session or of a thread: running, idle with its stop reason, rescheduled, terminated, deleted, archived. */
export interface StatusRow extends RowBase {
  readonly kind: 'status';
  readonly status: string;
  readonly stopReason?: string;
  readonly refusal?: Refusal;
  readonly agentName?: string;
}

export interface ErrorRow extends RowBase {
  readonly kind: 'error';
  readonly errorType: string;
  readonly message: string;
  /** Next step: `retrying`, `exhausted`, `terminal`, or another word. */
  readonly retry?: string;
  readonly details?: Part;
}

/** Types of errors that another credential or another secret would fix (API facts, 8.2). */
const credentialErrors: ReadonlySet<string> = new Set(['mcp_authentication_failed_error', 'credential_host_unreachable_error']);

/** Returns whether an error means that a credential is missing or doesn't work. */
export function isOfCredential({ errorType }: Pick<ErrorRow, 'errorType'>): boolean {
  return credentialErrors.has(errorType);
}

/** An outcome: its definition by the user, or an evaluation of the outcome. */
export interface OutcomeRow extends RowBase {
  readonly kind: 'outcome';
  /** `cut`: the turn ended before the evaluation. */
  readonly step: 'defined' | 'started' | 'ongoing' | 'ended' | 'cut';
  readonly outcomeId: string;
  readonly description?: string;
  readonly rubric?: Part;
  readonly iteration?: number;
  readonly maxIterations?: number;
  readonly result?: string;
  readonly explanation?: string;
  readonly end?: EventMoment;
  readonly delivery?: Delivery;
  readonly problem?: string;
}

export interface TokenBuckets {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
}

export interface RequestUsage {
  readonly tokens?: TokenBuckets;
  readonly model?: string;
  readonly byModel?: readonly { readonly model: string; readonly tokens: TokenBuckets }[];
}

/** One model request, from its start event to its end. */
export interface ModelRow extends RowBase, RequestUsage {
  readonly kind: 'model';
  readonly isError: boolean;
  /** Missing while the request runs. */
  readonly end?: EventMoment;
  readonly durationMs?: number;
}

/** The start of a thread, or a message from one thread to another. */
export interface ThreadRow extends RowBase {
  readonly kind: 'thread';
  readonly step: 'created' | 'sent' | 'received';
  readonly otherThread: string;
  readonly agentName: string;
  readonly parts: readonly Part[];
}

/** A workflow run, from its first event to its end. The run's phases and agents are in the view of the session. */
export interface RunRow extends RowBase {
  readonly kind: 'run';
  readonly runId: string;
  readonly name: string;
  readonly result?: string;
}

/** An event of `noteEvents.ts`, usage or a session update: one line. `details` is the text of a note, or the event's fields as JSON. */
export interface NoteRow extends RowBase {
  readonly kind: 'note' | 'usage' | 'update';
  readonly details?: Part;
  readonly tokens?: TokenBuckets;
  readonly cost?: { readonly cents: number; readonly currency: string };
  /** True if the update changes the session's agent, or the agent's version. */
  readonly changesAgent?: boolean;
}

/** An event of an unknown type, shown completely. */
export interface UnknownRow extends RowBase {
  readonly kind: 'unknown';
  readonly json: Part;
}

/** A position where events may be missing, because the history could not be read. */
export interface GapRow extends RowBase {
  readonly kind: 'gap';
  readonly problem: string;
}

export type Row =
  | MessageRow
  | ThinkingRow
  | ToolRow
  | StatusRow
  | ErrorRow
  | OutcomeRow
  | ModelRow
  | ThreadRow
  | RunRow
  | NoteRow
  | UnknownRow
  | GapRow;

export type RowKind = Row['kind'];

/** A change of a list of rows: `remove` rows at `at` are replaced by `rows`. Indexes apply after the previous splices. */
export interface RowSplice {
  readonly at: number;
  readonly remove: number;
  readonly rows: readonly Row[];
}
