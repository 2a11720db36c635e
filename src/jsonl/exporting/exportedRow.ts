import { parseExact } from '../../shared/exactJson';
import { promptText } from '../querying/promptText';
import { toRecord } from '../querying/toRecord';
import type { IndexContents } from '../results/resultsIndexFile';
import { attentionOf, type ResultState, resultStates } from '../results/resultsReport';
import { answerText, errorText } from '../results/resultWords';
import type { ExportSource } from './exportingJobs';

/** What a table or a page says of one result. */
export interface ExportedRow {
  readonly id: string;
  /** From 1; undefined when no line is known. */
  readonly line: number | undefined;
  readonly state: ResultState;
  readonly needsLook: boolean;
  readonly stopReason: string;
  readonly errorType: string;
  readonly errorMessage: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** What the answer cost; `undefined` if a price or a count is missing. */
  readonly cost: number | undefined;
  readonly text: string;
  readonly request: { readonly model: string; readonly prompt: string } | undefined;
  /** Extra fields of the request, each as text. */
  readonly fields: readonly (readonly [name: string, text: string])[];
}

/** A row from its columns, the text of its joined line, and the text of its request's `params`. */
export function toExportedRow(
  row: number,
  { rows, ids, lines, reasons }: IndexContents,
  line: string,
  params: string | undefined,
  { prices = {}, fields = [] }: Partial<Pick<ExportSource, 'prices'> & Pick<ExportedRow, 'fields'>> = {},
): ExportedRow {
  const result = toRecord(toRecord(parseExact(line)).result);
  const state = resultStates[rows.states[row] as number] ?? 'other';
  const stopReason = reasons[(rows.stopReasons[row] as number) - 1];
  const request = params === undefined ? undefined : toRecord(JSON.parse(params));
  const number = lines[row] as number;
  return {
    id: ids.text(rows.ids[row] as number),
    line: number < 0 ? undefined : number + 1,
    state,
    needsLook: state !== 'succeeded' || attentionOf(stopReason) !== undefined,
    stopReason: stopReason ?? '',
    errorType: reasons[(rows.errorTypes[row] as number) - 1] ?? '',
    errorMessage: state === 'errored' ? errorText(result) : '',
    inputTokens: rows.inputTokens[row] as number,
    outputTokens: rows.outputTokens[row] as number,
    cacheReadTokens: rows.cacheReadTokens[row] as number,
    cacheWriteTokens: rows.cacheWriteTokens[row] as number,
    cost: state === 'succeeded' ? costOf(toRecord(result.message), prices) : undefined,
    text: state === 'succeeded' ? answerText(result) : '',
    request: request && { model: typeof request.model === 'string' ? request.model : '', prompt: promptText(request) },
    fields,
  };
}

const million = 1_000_000;

/** The cost of a message by its usage. Tokens of a cache have their own prices, and are no input tokens. */
function costOf({ model, usage }: Readonly<Record<string, unknown>>, prices: NonNullable<ExportSource['prices']>): number | undefined {
  const price = typeof model === 'string' && Object.hasOwn(prices, model) ? prices[model] : undefined;
  const counts = toRecord(usage);
  const times = toRecord(counts.cache_creation);
  const [input, output, read, written] = [
    ...[counts.input_tokens, counts.output_tokens].map(toCount),
    ...[counts.cache_read_input_tokens ?? 0, counts.cache_creation_input_tokens ?? 0].map(toCount),
  ];
  const [short, long] = [times.ephemeral_5m_input_tokens ?? 0, times.ephemeral_1h_input_tokens ?? 0].map(toCount);
  if (price === undefined || input === undefined || output === undefined || read === undefined || written === undefined) {
    return undefined;
  }
  // Whoever does not say for how long tokens were written leaves the price open.
  if (short === undefined || long === undefined || short + long !== written) {
    return undefined;
  }
  const sum = input * price.input + output * price.output + read * price.cacheRead + short * price.cacheWrite5m + long * price.cacheWrite1h;
  return Number((sum / million).toPrecision(12));
}

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
