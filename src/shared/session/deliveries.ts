import type { TranscriptEvent } from './event';
import { objectOf, textOf } from './eventFields';
import { sentTypes } from './ownEvents';

/**
 * When what a client sent was taken up, as far as later events of its thread show it: some services never fill `processed_at` in.
 * A message to a session that rests is taken up when a turn begins. One that came during a turn waits for its end, also while the
 * turn waits for the user; an answer to a call goes into the turn under way.
 */
export class Deliveries {
  readonly #takenUpBy = new Map<number, number>();
  #waiting: { readonly seq: number; forEnd: boolean }[] = [];
  #isTurnOpen = false;

  /** Place of the event that shows that the event at `seq` was taken up. */
  takenUpBy(seq: number): number | undefined {
    return this.#takenUpBy.get(seq);
  }

  /** Takes in the next event of the thread; gives the places of those that it shows to have been taken up. */
  add(event: TranscriptEvent, seq: number): readonly number[] {
    if (sentTypes.has(event.type)) {
      this.#waiting.push({ seq, forEnd: this.#isTurnOpen && !answers.has(event.type) });
      return [];
    }
    switch (event.type) {
      case 'session.status_running':
      case 'session.thread_status_running':
        this.#isTurnOpen = true;
        return this.#takeUp(seq, ({ forEnd }) => !forEnd);
      case 'session.status_idle':
      case 'session.thread_status_idle':
        return this.#rest(seq, textOf(objectOf(event.stop_reason)?.type));
      case 'session.status_terminated':
      case 'session.thread_status_terminated':
      case 'session.deleted':
        this.#isTurnOpen = false;
        return this.#takeUp(seq, () => true);
      default:
        return isOfTurn(event) ? this.#takeUp(seq, ({ forEnd }) => !forEnd) : [];
    }
  }

  #rest(seq: number, reason: string | undefined): readonly number[] {
    this.#isTurnOpen = reason === 'requires_action';
    if (reason === 'budget_reached') {
      for (const one of this.#waiting) {
        one.forEnd = false;
      }
    }
    return reason === 'requires_action' || reason === 'budget_reached' ? [] : this.#takeUp(seq, () => true);
  }

  #takeUp(by: number, isTaken: (one: { readonly forEnd: boolean }) => boolean): readonly number[] {
    const taken = this.#waiting.filter(isTaken).map(({ seq }) => seq);
    if (taken.length > 0) {
      this.#waiting = this.#waiting.filter(one => !isTaken(one));
      for (const seq of taken) {
        this.#takenUpBy.set(seq, by);
      }
    }
    return taken;
  }
}

const answers: ReadonlySet<string> = new Set(['user.tool_confirmation', 'user.custom_tool_result', 'user.tool_result']);

function isOfTurn({ type }: TranscriptEvent): boolean {
  return type.startsWith('agent.') || type === 'span.model_request_start';
}
