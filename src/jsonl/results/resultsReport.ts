/** What became of one request; `other` is a result type that the contract does not know. */
export type ResultState = 'succeeded' | 'errored' | 'canceled' | 'expired' | 'other';

/** All states; the index file keeps a state as its place in this list. */
export const resultStates: readonly ResultState[] = ['succeeded', 'errored', 'canceled', 'expired', 'other'];

/** An answer that succeeded and still needs a look: it was cut short, or the model refused. Not a state of the service. */
export type ResultAttention = 'cut_short' | 'refused';

const attentionByStopReason: ReadonlyMap<string, ResultAttention> = new Map([
  ['max_tokens', 'cut_short'],
  ['model_context_window_exceeded', 'cut_short'],
  ['pause_turn', 'cut_short'],
  ['refusal', 'refused'],
]);

/** Whether a succeeded answer with this `stop_reason` needs a look. */
export function attentionOf(stopReason: string | undefined): ResultAttention | undefined {
  return stopReason === undefined ? undefined : attentionByStopReason.get(stopReason);
}

/** Number of something, and the first 100 of it by name. */
export interface NamedIds {
  readonly count: number;
  readonly first: readonly string[];
}

/** What verifying and joining a results file found. Every count is of requests. */
export interface ResultsReport {
  /** Bytes of the raw results file. */
  readonly rawBytes: number;
  /** Of the answers in the joined file: one for every id that was answered. */
  readonly counts: Readonly<Record<ResultState, number>>;
  /** Succeeded, but `stop_reason` says the answer was cut short (`max_tokens`, `model_context_window_exceeded`, `pause_turn`) or refused. */
  readonly cutShort: number;
  readonly refused: number;
  /** Sum of the answers' tokens. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that are not among `inputTokens`: read from a cache, and written to one. Absent in records of older versions. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Ids of the input without an answer. */
  readonly missing: NamedIds;
  /** Ids answered that the input does not have. */
  readonly unexpected: NamedIds;
  /** Ids answered more than once; the first answer is the one kept. */
  readonly duplicate: NamedIds;
  /** Lines that are no result (cut, not JSON, not UTF-8, no id): their number and the first 100 line numbers, from 0. */
  readonly damaged: { readonly count: number; readonly firstLines: readonly number[] };
  /** False when the batch's own counts are other than `counts`; true also when there are none to compare with. */
  readonly countsMatch: boolean;
  /** True when nothing above is missing, unexpected, duplicate or damaged and the counts are those of the batch. */
  readonly complete: boolean;
}

/** One request's result as the editor shows it. Offsets are bytes in the joined results file. */
export interface ResultEntry {
  /** Line of the joined results file, from 0. */
  readonly row: number;
  readonly customId: string;
  /** Source line, from 0, at the time of submission; -1 when the source has no such request or its lines are not known. */
  readonly line: number;
  readonly state: ResultState;
  readonly stopReason: string | undefined;
  /** The innermost error type of an errored request. */
  readonly errorType: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly offset: number;
  /** Bytes of the joined line without its LF. */
  readonly length: number;
}

/** How many requests have no good answer: those that did not succeed, were cut short or refused, or were not answered at all. */
export function unansweredCount({
  counts,
  cutShort,
  refused,
  missing,
}: Pick<ResultsReport, 'counts' | 'cutShort' | 'refused' | 'missing'>): number {
  return counts.errored + counts.canceled + counts.expired + counts.other + cutShort + refused + missing.count;
}
