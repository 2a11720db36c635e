import { parseExact } from '../../shared/exactJson';
import { hasAnswer, type ResultStatus } from '../../shared/results/resultStatus';
import { promptText } from '../answers/promptText';
import { type IndexContents, outcomeOf } from '../results/resultsIndexFile';
import { countsOf } from '../results/resultUsage';
import { answerText, errorText, toRecord } from '../results/resultWords';
import { costOfTokens, type TokenPrices } from '../results/tokenCost';
import type { ExportSource } from './exportingJobs';

/** Contents of one result in a table or page. */
export interface ExportedRow {
  readonly id: string;
  /** Line number, 1-based; `undefined` if it is unknown. */
  readonly line: number | undefined;
  readonly status: ResultStatus;
  readonly stopReason: string;
  readonly errorType: string;
  readonly errorMessage: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Cost of the answer; `undefined` if a price or a count is missing. */
  readonly cost: number | undefined;
  readonly text: string;
  readonly request: { readonly model: string; readonly prompt: string } | undefined;
  /** Extra fields of the request, each as text. */
  readonly fields: readonly (readonly [name: string, text: string])[];
}

/** Creates a row from its columns, the text of its joined line, and the text of its request's `params`. */
export function toExportedRow(
  row: number,
  contents: IndexContents,
  line: string,
  params: string | undefined,
  { prices = {}, fields = [] }: Partial<Pick<ExportSource, 'prices'> & Pick<ExportedRow, 'fields'>> = {},
): ExportedRow {
  const result = toRecord(toRecord(parseExact(line)).result);
  const { rows, ids, lines, reasons } = contents;
  const { status, stopReason = '', errorType = '' } = outcomeOf(contents, row);
  const request = params === undefined ? undefined : toRecord(JSON.parse(params));
  const number = lines[row] as number;
  return {
    id: ids.text(rows.ids[row] as number),
    line: number < 0 ? undefined : number + 1,
    status,
    stopReason,
    errorType,
    errorMessage: status === 'failed' ? errorText(result) : '',
    inputTokens: rows.inputTokens[row] as number,
    outputTokens: rows.outputTokens[row] as number,
    cacheReadTokens: rows.cacheReadTokens[row] as number,
    cacheWriteTokens: rows.cacheWriteTokens[row] as number,
    cost: hasAnswer(status) ? costOf(row, rows, prices[reasons[(rows.models[row] as number) - 1] ?? '']) : undefined,
    text: hasAnswer(status) ? answerText(result) : '',
    request: request && { model: typeof request.model === 'string' ? request.model : '', prompt: promptText(request) },
    fields,
  };
}

/** Returns the cost of an answer, or `undefined` if its price, its token counts or the lifetime of its cached tokens is unknown. */
function costOf(row: number, rows: IndexContents['rows'], prices: TokenPrices | undefined): number | undefined {
  if (prices === undefined || rows.uncounted[row] !== 0) {
    return undefined;
  }
  const { low, high } = costOfTokens(countsOf(rows, row), prices);
  return low === high ? Number(low.toPrecision(12)) : undefined;
}
