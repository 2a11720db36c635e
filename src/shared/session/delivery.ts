import { defined } from '../defined';
import type { TranscriptEvent } from './event';
import type { RowContext, RowSource } from './rows/rowSource';
import type { Delivery } from './rows/rows';

/** Returns the delivery state of a client's event, as reported by the service. */
export function toDelivery(event: TranscriptEvent): Delivery {
  return event.processed_at === null ? 'queued' : 'delivered';
}

/** Like `toDelivery`, but also uses later events. */
export function deliveryOf(
  { seq }: RowSource,
  context: RowContext,
): { readonly delivery: Delivery; readonly takenUpSeq?: number; readonly leftSeq?: number } {
  const delivery = toDelivery(context.eventAt(seq));
  const takenUpSeq = delivery === 'queued' ? context.takenUpBy(seq) : undefined;
  const leftSeq = delivery === 'queued' ? context.leftBy(seq) : undefined;
  return {
    delivery: takenUpSeq !== undefined ? 'delivered' : leftSeq !== undefined ? 'undelivered' : delivery,
    ...defined({ takenUpSeq, leftSeq }),
  };
}
