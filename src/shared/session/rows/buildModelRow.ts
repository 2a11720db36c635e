import { defined } from '../../defined';
import { toLabel } from '../../text';
import type { TranscriptEvent } from '../event';
import { millisecondsBetween, textOf } from '../eventFields';
import { toSpanTokens, toTokensByModel } from '../facts/tokens';
import { placedIfAny, type RowContext, type RowSource, toRow } from './rowSource';
import type { ModelRow, RequestUsage } from './rows';

/** Builds the row of a model request. A request without an end event ends at the event that shows that it has stopped. */
export function buildModelRow(source: RowSource, context: RowContext, event: TranscriptEvent): ModelRow {
  const end = source.end === undefined ? undefined : context.eventAt(source.end);
  const model = textOf((end ?? event).model);
  return toRow(source, context, 'model', model === undefined ? '' : toLabel(model), {
    isError: end?.is_error === true,
    ...toRequestUsage(end),
    ...defined({
      end: placedIfAny(source.end ?? source.cut, context),
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
