import { isFinalError, type TranscriptEvent } from './event';
import { objectOf, textOf } from './eventFields';
import type { RowContext, RowSource } from './rows/rowSource';
import type { Delivery } from './rows/rows';

/**
 * Detects by later events whether a client's event was processed, because some services never set `processed_at`. A message to an idle
 * session is processed when a turn starts. A message during a turn waits for the turn's end, also while the turn waits for the user. An
 * answer to a call is processed in the current turn. Events that wait when a turn fails or the session ends are undelivered. Undelivered
 * events are only processed if the session continues by itself, or if the service says so.
 */
export class Deliveries {
  readonly #states = new Map<number, 'delivered' | 'undelivered'>();
  #waiting: { readonly seq: number; forEnd: boolean }[] = [];
  #isTurnOpen = false;

  /** Returns the state of the event at `seq`, if later events show the state. */
  stateOf(seq: number): 'delivered' | 'undelivered' | undefined {
    return this.#states.get(seq);
  }

  /** Adds the next event of the thread. Returns the sequence numbers of events that are now processed or undelivered. */
  add(event: TranscriptEvent, seq: number): readonly number[] {
    if (sentTypes.has(event.type)) {
      // If the session continues now, this event is the reason. Undelivered events then stay undelivered.
      this.#waiting = this.#waiting.filter(({ seq: at }) => !this.#isLeft(at));
      this.#waiting.push({ seq, forEnd: this.#isTurnOpen && !answerTypes.has(event.type) });
      return [];
    }
    switch (event.type) {
      case 'session.status_running':
      case 'session.thread_status_running':
        this.#isTurnOpen = true;
        return this.#takeUp(({ forEnd }) => !forEnd);
      case 'session.status_idle':
      case 'session.thread_status_idle':
        return this.#rest(textOf(objectOf(event.stop_reason)?.type));
      case 'session.status_terminated':
      case 'session.thread_status_terminated':
      case 'session.deleted':
        this.#isTurnOpen = false;
        return this.#leave(() => true);
      case 'session.error':
        if (!isFinalError(event)) {
          return [];
        }
        this.#isTurnOpen = false;
        return this.#leave(({ forEnd }) => forEnd);
      default: {
        const isOfTurn = event.type.startsWith('agent.') || event.type === 'span.model_request_start';
        return isOfTurn ? this.#takeUp(({ forEnd }) => !forEnd) : [];
      }
    }
  }

  #rest(reason: string | undefined): readonly number[] {
    this.#isTurnOpen = reason === 'requires_action';
    if (reason === 'budget_reached') {
      for (const one of this.#waiting) {
        one.forEnd = false;
      }
    }
    if (reason === 'requires_action' || reason === 'budget_reached') {
      return [];
    }
    const undeliveredSeqs = reason === 'retries_exhausted' ? this.#leave(({ forEnd }) => forEnd) : [];
    return [...undeliveredSeqs, ...this.#takeUp(({ seq: at }) => !this.#isLeft(at))];
  }

  #leave(isLeft: (one: { readonly forEnd: boolean }) => boolean): readonly number[] {
    const undeliveredEvents = this.#waiting.filter(one => !this.#isLeft(one.seq) && isLeft(one));
    for (const one of undeliveredEvents) {
      one.forEnd = false;
      this.#states.set(one.seq, 'undelivered');
    }
    return undeliveredEvents.map(({ seq }) => seq);
  }

  #isLeft(seq: number): boolean {
    return this.#states.get(seq) === 'undelivered';
  }

  #takeUp(isTaken: (one: { readonly seq: number; readonly forEnd: boolean }) => boolean): readonly number[] {
    const taken = this.#waiting.filter(isTaken);
    this.#waiting = this.#waiting.filter(one => !taken.includes(one));
    for (const { seq } of taken) {
      this.#states.set(seq, 'delivered');
    }
    return taken.map(({ seq }) => seq);
  }
}

/** Types of events whose delivery is shown. */
export const deliveryTypes: ReadonlySet<string> = new Set(['user.message', 'user.define_outcome', 'system.message']);

/** Types of events that answer a call. They have no row of their own. */
export const answerTypes: ReadonlySet<string> = new Set(['user.tool_confirmation', 'user.custom_tool_result', 'user.tool_result']);

export const sentTypes: ReadonlySet<string> = new Set([...answerTypes, ...deliveryTypes, 'user.interrupt']);

/** Returns the delivery state of a client's event, as reported by the service. */
export function toDelivery(event: TranscriptEvent): Delivery {
  return event.processed_at === null ? 'queued' : 'delivered';
}

/** Like `toDelivery`, but also uses later events. */
export function deliveryOf({ seq }: RowSource, context: RowContext): Delivery {
  const delivery = toDelivery(context.eventAt(seq));
  return delivery === 'queued' ? (context.deliveries.stateOf(seq) ?? delivery) : delivery;
}
