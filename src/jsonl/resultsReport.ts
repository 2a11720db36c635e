/** What became of one request. `attention` is not a state of the service: it marks an answer that was cut short. */
export type ResultState = 'succeeded' | 'errored' | 'canceled' | 'expired' | 'other';

/** What verifying and joining a results file found. Every count is of requests. */
export interface ResultsReport {
  /** Bytes of the raw results file. */
  readonly rawBytes: number;
  readonly counts: Readonly<Record<ResultState, number>>;
  /** Succeeded, but `stop_reason` says the answer was cut short (`max_tokens`, `model_context_window_exceeded`, `pause_turn`) or refused. */
  readonly cutShort: number;
  readonly refused: number;
  /** Sum of the answers' tokens. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Ids of the input without an answer: their number, and the first 100. */
  readonly missing: { readonly count: number; readonly first: readonly string[] };
  /** Ids answered that the input does not have. */
  readonly unexpected: { readonly count: number; readonly first: readonly string[] };
  /** Ids answered more than once; the first answer is the one kept. */
  readonly duplicate: { readonly count: number; readonly first: readonly string[] };
  /** Lines that are no result (cut, not JSON, not UTF-8): their number and the first 100 line numbers, from 0. */
  readonly damaged: { readonly count: number; readonly firstLines: readonly number[] };
  /** True when nothing above is missing, unexpected, duplicate or damaged and the counts are those of the batch. */
  readonly complete: boolean;
}

/** One request's result as the editor shows it. Offsets are bytes in the joined results file. */
export interface ResultEntry {
  readonly customId: string;
  /** Source line, from 0, at the time of submission. */
  readonly line: number;
  readonly state: ResultState;
  readonly stopReason: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly offset: number;
  readonly length: number;
}
