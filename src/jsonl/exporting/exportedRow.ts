import { parseExact } from '../../shared/exactJson';
import { promptText } from '../querying/promptText';
import { toRecord } from '../querying/toRecord';
import type { IndexContents } from '../results/resultsIndexFile';
import { attentionOf, type ResultState, resultStates } from '../results/resultsReport';
import { answerText, errorText } from '../results/resultWords';

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
  readonly text: string;
  readonly request: { readonly model: string; readonly prompt: string } | undefined;
}

/** A row from its columns, the text of its joined line, and the text of its request's `params`. */
export function toExportedRow(
  row: number,
  { rows, ids, lines, reasons }: IndexContents,
  line: string,
  params: string | undefined,
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
    text: state === 'succeeded' ? answerText(result) : '',
    request: request && { model: typeof request.model === 'string' ? request.model : '', prompt: promptText(request) },
  };
}
