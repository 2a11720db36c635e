import type { TranscriptEvent } from './event';
import type { RowContext, RowSource } from './rows/rowSource';
import type { Delivery } from './rows/rows';

/** What the service said of an event that a client sent. */
export function toDelivery(event: TranscriptEvent): Delivery {
  return event.processed_at === null ? 'queued' : 'delivered';
}

/** As `toDelivery`, and what later events showed of it. */
export function deliveryOf(
  { seq }: RowSource,
  context: RowContext,
): { readonly delivery: Delivery; readonly takenUpSeq?: number; readonly leftSeq?: number } {
  const delivery = toDelivery(context.eventAt(seq));
  const takenUpSeq = delivery === 'queued' ? context.takenUpBy(seq) : undefined;
  const leftSeq = delivery === 'queued' ? context.leftBy(seq) : undefined;
  return {
    delivery: takenUpSeq !== undefined ? 'delivered' : leftSeq !== undefined ? 'undelivered' : delivery,
    ...(takenUpSeq === undefined ? {} : { takenUpSeq }),
    ...(leftSeq === undefined ? {} : { leftSeq }),
  };
}
