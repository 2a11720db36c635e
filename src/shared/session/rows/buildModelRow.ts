import { defined } from '../../defined';
import { toLabel } from '../../text';
import type { TranscriptEvent } from '../event';
import { millisecondsBetween, textOf } from '../eventFields';
import { toSpanTokens, toTokensByModel } from '../facts/tokens';
import { type RowContext, type RowSource, toRow } from './rowSource';
import type { ModelRow, RequestUsage } from './rows';

/** Builds the row of a model request. A request without an end counts as ended at the event that shows that it has stopped. */
export function buildModelRow(source: RowSource, context: RowContext): ModelRow {
  const end = source.end === undefined ? undefined : context.eventAt(source.end);
  const endSeq = source.end ?? source.cut;
  const model = textOf((end ?? context.eventAt(source.seq)).model);
  return toRow(source, context, 'model', model === undefined ? '' : toLabel(model), {
    ended: endSeq !== undefined,
    isError: end?.is_error === true,
    ...toRequestUsage(end),
    ...defined({
      endSeq,
      endAt: context.momentAt(endSeq)?.ms,
      durationMs: source.end === source.seq ? undefined : millisecondsBetween(context.momentAt(source.seq), context.momentAt(source.end)),
      model,
    }),
  });
}

/** Returns the models and tokens of a model request, read from its end. */
export function toRequestUsage(end: TranscriptEvent | undefined): RequestUsage {
  const byModel = toTokensByModel(end?.model_usage);
  return defined({ tokens: end && toSpanTokens(end), byModel: byModel.length > 0 ? byModel : undefined, model: textOf(end?.model) });
}
