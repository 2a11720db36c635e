import type { Usage } from './sessionRecord';

/** Tokens of the system prompt and the tools in the first request of a thread. */
const baseTokens = 1800;

/** Tokens of one model request, and its cost in thousandths of a cent. */
export interface Span {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: number;
  readonly isError: boolean;
}

export const failedSpan: Span = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, isError: true };

interface Counted {
  /** Usage of the thread, to which the span is added. */
  readonly usage: Usage;
  readonly system: string | null;
  /** Number of characters that the model wrote. */
  readonly written: number;
  /** Cost in cents to add to that of the tokens. */
  readonly cost: number;
}

/** Returns the span of a request and adds it to `usage`. Earlier input is read from the cache, new input is written to it. */
export function countSpan({ usage, system, written, cost }: Counted): Span {
  const isFirst = usage.cacheWriteTokens === 0;
  const said = Math.ceil(written / 4);
  const input = 12;
  const output = Math.max(1, said);
  const cacheRead = usage.cacheWriteTokens;
  const cacheWrite = said + (isFirst ? baseTokens + Math.ceil((system?.length ?? 0) / 4) : 24);
  const price = input * 0.3 + output * 1.5 + cacheRead * 0.03 + cacheWrite * 0.375;
  const span: Span = { input, output, cacheRead, cacheWrite, cost: price + cost * 1000, isError: false };
  addSpan(usage, span);
  return span;
}

export function addSpan(usage: Usage, span: Span): void {
  usage.inputTokens += span.input;
  usage.outputTokens += span.output;
  usage.cacheReadTokens += span.cacheRead;
  usage.cacheWriteTokens += span.cacheWrite;
  usage.cost += span.cost;
}

/** Converts the tokens to their response form: flat, or below the model's id as on one server. */
export function spanFields(span: Span, model?: string): { readonly is_error: boolean; readonly model_usage: object } {
  const flat = {
    input_tokens: span.input,
    output_tokens: span.output,
    cache_creation_input_tokens: span.cacheWrite,
    cache_read_input_tokens: span.cacheRead,
    speed: 'standard',
  };
  const usage = model === undefined ? flat : { [model]: { inputTokens: span.input, outputTokens: span.output } };
  return { is_error: span.isError, model_usage: usage };
}
