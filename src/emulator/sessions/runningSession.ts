import { invalidRequest } from '../http/apiError';
import { randomId } from '../state/recordStore';
import type { WireEvent } from './eventLog';
import { StoredSession } from './storedSession';
import { acceptSent, type CallAnswer, isAnswer, type SentEvent } from './sentEvents';
import { Turn } from './turn';

/** Loaded session. Accepts the events of clients and processes them in turns. */
export class LiveSession extends StoredSession {
  #turn: Turn | undefined;

  /** Continues after a restart of the emulator. Pending calls keep waiting, other running work has failed. */
  resume(): void {
    const { record } = this;
    for (const id of record.queued) {
      const event = this.log().get(id);
      if (event !== undefined) {
        // Checked when it was sent.
        this.queued.push(event as object as SentEvent);
      }
    }
    const turn = this.#newTurn();
    if (record.openCalls.length > 0) {
      this.#turn = turn;
      turn.resume();
    } else if (record.status === 'running' || record.status === 'rescheduling') {
      this.#turn = turn;
      turn.fail('The emulator was stopped in the middle of this turn.');
    } else {
      this.turnEnded();
    }
  }

  /**
   * Stores events of a client. The session processes them after this call has returned. Throws a 400 and stores nothing if one of them is
   * not accepted.
   */
  send(sent: readonly SentEvent[]): readonly WireEvent[] {
    const { record, parts } = this;
    const style = parts.style();
    if (record.archivedAt !== null) {
      throw invalidRequest('archived sessions do not accept new events');
    }
    if (record.status === 'terminated') {
      throw invalidRequest('terminated sessions do not accept new events');
    }
    const answers = acceptSent(sent, this);
    const stored = sent.map((event): WireEvent => {
      const fields = event.type === 'user.define_outcome' ? this.#outcomeFields(event) : event;
      const isLater =
        style.stampsLater === 'all' || (style.stampsLater === 'messages' && !isAnswer(event) && event.type !== 'user.define_outcome');
      return this.envelope(this.primary, { ...fields, processed_at: isLater ? null : this.time() });
    });
    this.log().append(stored, parts.clock.now());
    this.changed();
    queueMicrotask(() => this.#act(sent, stored, answers));
    return stored;
  }

  #newTurn(): Turn {
    return new Turn(this, () => this.turnEnded());
  }

  /** Handles the end of the turn. Starts the next turn if events other than system messages were sent meanwhile. */
  turnEnded(): void {
    this.#turn = undefined;
    if (this.queued.some(({ type }) => type !== 'system.message') && this.record.status !== 'terminated') {
      this.#turn = this.#newTurn();
      this.#turn.start();
    } else {
      this.takeQueued();
    }
  }

  /** Stops running work without an event: the session is archived or deleted, or the emulator stops. */
  drop(): void {
    this.#turn?.drop();
    this.#turn = undefined;
  }

  #outcomeFields(event: SentEvent & { readonly type: 'user.define_outcome' }): SentEvent & { readonly outcome_id: string } {
    const id = `outc_${randomId(24)}`;
    const maxIterations = event.max_iterations ?? 3;
    this.record.outcomes.push({
      id,
      description: event.description,
      maxIterations,
      result: 'pending',
      iteration: 0,
      completedAt: null,
      explanation: null,
    });
    return { ...event, outcome_id: id, max_iterations: maxIterations };
  }

  #act(sent: readonly SentEvent[], stored: readonly WireEvent[], answers: ReadonlyMap<SentEvent, CallAnswer>): void {
    sent.forEach((event, at) => {
      const id = stored[at]?.id ?? '';
      const found = answers.get(event);
      if (found !== undefined) {
        this.stamp(id);
        this.#turn?.answer(found.call, found.answer);
      } else if (event.type === 'user.interrupt') {
        this.stamp(id);
        this.#turn?.interrupt(event.session_thread_id ?? undefined);
      } else if (!isAnswer(event)) {
        this.queued.push(event);
        this.record.queued.push(id);
      } else {
        this.stamp(id);
      }
    });
    if (this.#turn === undefined) {
      this.turnEnded();
    }
    this.changed();
  }
}
