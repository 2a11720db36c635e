import type { Refusal } from './stops';

/**
 * A piece of content, as the panel shows it. Long ones are cut: `cut` then tells their whole size, `cutLines` how many line ends are in
 * what is not there (absent: none), and they are loaded on demand.
 */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly cut?: number; readonly cutLines?: number }
  /** Pretty-printed JSON. */
  | { readonly type: 'json'; readonly text: string; readonly cut?: number; readonly cutLines?: number }
  /** Never loaded by itself. `bytes` is the size of inlined data. */
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

interface RowBase {
  /** Stable over the life of a transcript: the event's id, or one made of its place where the service gave none. */
  readonly key: string;
  /** Wire type of the event it stands for; '' for a gap. */
  readonly type: string;
  /** Place of its event in the service's order, counted from 0. Own words that wait to be stored come last. */
  readonly seq: number;
  /** Milliseconds since 1970 by the service's clock; undefined when not told. Whole seconds on some servers: order goes by `seq`. */
  readonly at: number | undefined;
  /** Thread it came from when that is not the one that is shown. */
  readonly thread?: string;
  /** One line, at most 200 code points, unsafe characters shown as escapes: for lists, screen readers and search results. */
  readonly summary: string;
}

/** Own words: what becomes of them. */
export type Delivery =
  /** On its way to the service. */
  | 'sending'
  /** The service has it and has not taken it up yet. */
  | 'queued'
  | 'delivered'
  /** The service has it, but the turn failed or the session ended before it was taken up. */
  | 'undelivered'
  /** Not sent, or not known to be: `problem` says why. */
  | 'failed';

export interface MessageRow extends RowBase {
  readonly kind: 'user' | 'agent' | 'system';
  readonly parts: readonly Part[];
  readonly delivery?: Delivery;
  /** Place of the event that shows that it was taken up, where the service itself did not say so. */
  readonly takenUpSeq?: number;
  /** Index of the event that left it over. */
  readonly leftSeq?: number;
  readonly problem?: string;
  /** Still being written: from previews. */
  readonly preview?: boolean;
}

/** `agent.thinking` carries no text by the facts; where a service sends some, it is shown folded. */
export interface ThinkingRow extends RowBase {
  readonly kind: 'thinking';
  readonly parts: readonly Part[];
  /** Time since the event before it. */
  readonly durationMs?: number;
  readonly preview?: boolean;
}

export type ToolState =
  /** Asks for a confirmation, or, for a custom tool, for its result. */
  | 'waiting'
  /** May run, and does not before other asks are answered. */
  | 'held'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  /** The turn was ended before it had a result. */
  | 'interrupted'
  /** Of another thread, which has gone on from it: only the log of that thread tells its result. */
  | 'elsewhere';

/** From one event to another one, while a call was held up. */
export interface Hold {
  readonly seq: number;
  readonly at: number | undefined;
  readonly until?: { readonly seq: number; readonly at: number | undefined };
}

/** A tool call and its result, one row. */
export interface ToolRow extends RowBase {
  readonly kind: 'tool';
  readonly tool: 'builtin' | 'mcp' | 'custom';
  readonly name: string;
  readonly server?: string;
  readonly input: Part;
  /** As the service evaluated it: `allow`, `ask`, `deny`, or another word. */
  readonly permission?: string;
  readonly state: ToolState;
  /** Place of the event that made it wait for the user, and the event id to answer with. */
  readonly askSeq?: number;
  readonly askId?: string;
  /** Place of the end of the turn that left it without a result. */
  readonly endedSeq?: number;
  readonly endedAt?: number;
  readonly endedElsewhere?: boolean;
  /** When it was held up by asks of others, in order. */
  readonly holds?: readonly Hold[];
  /** Answer to the ask: seq counts its event, so that a replay knows when it came. */
  readonly confirmation?: { readonly result: string; readonly denyMessage?: string; readonly seq: number; readonly at: number | undefined };
  readonly result?: { readonly parts: readonly Part[]; readonly isError: boolean; readonly seq: number; readonly at: number | undefined };
  /** How long it ran, without what it waited; undefined while it runs, where no times are told, and where the client runs it. */
  readonly durationMs?: number;
  /** How long it waited for people: for its permission and those of others, or for its result where the user gives it. */
  readonly waitMs?: number;
  /** The model request that made the call; only the first of its calls has it. */
  readonly request?: RequestUsage & { readonly seq: number };
  /** Keys of rows' events folded into this one: the second `agent.tool_use` of one call, for instance. */
  readonly alsoKeys?: readonly string[];
  /** Place of the second event of one call. */
  readonly againSeq?: number;
}

/** Running, idle with its stop reason, rescheduled, terminated, deleted, archived; of the session or of a thread. */
export interface StatusRow extends RowBase {
  readonly kind: 'status';
  readonly status: string;
  readonly stopReason?: string;
  /** Set if the turn was refused. */
  readonly refusal?: Refusal;
  readonly agentName?: string;
}

export interface ErrorRow extends RowBase {
  readonly kind: 'error';
  /** `error.type` of the service. */
  readonly errorType: string;
  readonly message: string;
  /** What happens next: `retrying`, `exhausted`, `terminal`, or another word. */
  readonly retry?: string;
  readonly details?: Part;
}

/** Errors that another credential, or another secret in it, would mend (API facts, 8.2). */
const credentialErrors: ReadonlySet<string> = new Set(['mcp_authentication_failed_error', 'credential_host_unreachable_error']);

/** Whether what an error tells is that a credential is missing or does not work. */
export function isOfCredential({ errorType }: Pick<ErrorRow, 'errorType'>): boolean {
  return credentialErrors.has(errorType);
}

/** One outcome: defined by the user, then each evaluation of it. */
export interface OutcomeRow extends RowBase {
  readonly kind: 'outcome';
  /** `cut`: its turn ended before it did. */
  readonly step: 'defined' | 'started' | 'ongoing' | 'ended' | 'cut';
  readonly outcomeId: string;
  readonly description?: string;
  readonly rubric?: Part;
  readonly iteration?: number;
  readonly maxIterations?: number;
  readonly result?: string;
  readonly explanation?: string;
  /** Places of an evaluation's first progress and of its end. */
  readonly progressSeq?: number;
  readonly endSeq?: number;
  /** Place of the end of its turn, where that came before its own. */
  readonly cutSeq?: number;
  readonly delivery?: Delivery;
  /** Place of the event that shows that it was taken up, where the service itself did not say so. */
  readonly takenUpSeq?: number;
  /** Index of the event that left it over. */
  readonly leftSeq?: number;
  readonly problem?: string;
}

export interface TokenBuckets {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
}

/** What a model request used. */
export interface RequestUsage {
  readonly tokens?: TokenBuckets;
  /** Model that was asked, if the event names one. */
  readonly model?: string;
  /** Tokens of each model, if the event counts them by model. */
  readonly byModel?: readonly { readonly model: string; readonly tokens: TokenBuckets }[];
}

/** One request to the model, from its start event to its end. */
export interface ModelRow extends RowBase, RequestUsage {
  readonly kind: 'model';
  readonly ended: boolean;
  readonly isError: boolean;
  readonly endSeq?: number;
  readonly endAt?: number;
  /** Where it seemed to have been cut off before its end came. */
  readonly cutSeq?: number;
  readonly cutAt?: number;
  readonly durationMs?: number;
}

/** A thread was made, or a message went from one to another. */
export interface ThreadRow extends RowBase {
  readonly kind: 'thread';
  readonly step: 'created' | 'sent' | 'received';
  readonly otherThread: string;
  readonly agentName: string;
  readonly parts: readonly Part[];
}

/** Compaction, usage, session updates: told in one line, details as JSON. */
export interface NoteRow extends RowBase {
  readonly kind: 'compaction' | 'usage' | 'update';
  readonly details?: Part;
  readonly tokens?: TokenBuckets;
  /** `list_cost` in cents with its currency, where the service tells it. */
  readonly cost?: { readonly cents: number; readonly currency: string };
  /** From here on the session has another agent, or another version of it. */
  readonly changesAgent?: boolean;
}

/** An event of a type we do not know, whole. */
export interface UnknownRow extends RowBase {
  readonly kind: 'unknown';
  readonly json: Part;
}

/** Here something may be missing: the history could not be read. */
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
  | NoteRow
  | UnknownRow
  | GapRow;

export type RowKind = Row['kind'];

/** A change of a list of rows: `remove` rows at `at` give way to `rows`. Indexes are those after the splices before it. */
export interface RowSplice {
  readonly at: number;
  readonly remove: number;
  readonly rows: readonly Row[];
}
