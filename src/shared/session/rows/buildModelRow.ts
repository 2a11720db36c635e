import { toLabel } from '../../text';
import type { TranscriptEvent } from '../event';
import { millisecondsBetween, textOf } from '../eventFields';
import { toSpanTokens, toTokensByModel } from '../facts/tokens';
import { type Mutable, type RowContext, type RowSource, toRow } from './rowSource';
import type { ModelRow, RequestUsage } from './rows';

/** One request to the model. One that nothing more was heard of counts as ended where the next thing began. */
export function buildModelRow(source: RowSource, context: RowContext): ModelRow {
  const end = source.end === undefined ? undefined : context.eventAt(source.end);
  const endSeq = source.end ?? source.cut;
  const model = textOf((end ?? context.eventAt(source.seq)).model);
  const row: Mutable<ModelRow> = toRow(source, context, 'model', model === undefined ? '' : toLabel(model), {
    ended: endSeq !== undefined,
    isError: end?.is_error === true,
  });
  if (endSeq !== undefined) {
    row.endSeq = endSeq;
    row.endAt = context.momentAt(endSeq)?.ms;
  }
  if (source.cut !== undefined && end !== undefined) {
    Object.assign(row, { cutSeq: source.cut, cutAt: context.momentAt(source.cut)?.ms });
  }
  if (end !== undefined && source.end !== source.seq) {
    const durationMs = millisecondsBetween(context.momentAt(source.seq), context.momentAt(source.end));
    if (durationMs !== undefined) {
      row.durationMs = durationMs;
    }
  }
  Object.assign(row, toRequestUsage(end), model === undefined ? {} : { model });
  return row;
}

/** Returns what a model request used, read from its end. */
export function toRequestUsage(end: TranscriptEvent | undefined): RequestUsage {
  const tokens = end === undefined ? undefined : toSpanTokens(end);
  const byModel = toTokensByModel(end?.model_usage);
  const model = textOf(end?.model);
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(byModel.length > 0 ? { byModel } : {}),
    ...(model === undefined ? {} : { model }),
  };
}
