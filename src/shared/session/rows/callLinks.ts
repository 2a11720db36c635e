import type { TranscriptEvent } from '../event';
import { callIdOf, textOf } from '../eventFields';
import { inputOf, nameOf } from './buildToolRow';
import { foreignThreadOf, type LinkedLog, type RowSource } from './rowSource';
import { stopOf } from './stops';
import { everything, isOfSession, nothing, scopeOf, type TurnScope } from './turnScope';

/** An ask whose call is not in this log. */
export interface StrayAsk {
  readonly eventId: string;
  readonly seq: number;
}

/**
 * Links events to calls: a repeated call, its permission, its result, the end of its turn. Each `link...` method takes the latest event
 * with its index and key, and returns the source of the row that the event belongs to.
 */
export class CallLinks {
  /** Calls by event id and by the id that the model gave them. */
  readonly #calls = new Map<string, RowSource>();
  readonly #open = new Set<RowSource>();
  readonly #openStrays = new Map<string, StrayAsk>();
  /** Calls whose thread continued after the answer. */
  readonly #wentOn = new WeakSet<RowSource>();
  readonly #interrupted = new WeakSet<RowSource>();

  constructor(private readonly log: LinkedLog) {}

  /** Open calls that wait for the user, or whose answer was not processed yet, oldest ask first. */
  get asking(): readonly RowSource[] {
    return [...this.#open].filter(({ ask }) => ask !== undefined).sort((a, b) => (a.ask ?? 0) - (b.ask ?? 0));
  }

  get strays(): readonly StrayAsk[] {
    return [...this.#openStrays.values()];
  }

  /** Links a call. Some services repeat a call when it asks for permission. */
  linkCall(event: TranscriptEvent, seq: number, key: string): RowSource {
    const callId = textOf(event.tool_use_id);
    const known = callId === undefined ? undefined : this.#calls.get(callId);
    const isAgain =
      known !== undefined && known.again === undefined && this.#open.has(known) && isSameCall(this.log.eventAt(known.seq), event);
    const source = isAgain ? known : this.log.createSource(event, seq, key);
    if (isAgain) {
      source.again = seq;
      this.log.dirty.add(source);
    }
    this.#calls.set(key, source);
    if (callId !== undefined) {
      this.#calls.set(callId, source);
    }
    this.#open.add(source);
    const isAwaited = this.#settleStray(key);
    if (event.evaluated_permission === 'deny') {
      this.#open.delete(source);
    } else if (event.evaluated_permission === 'ask' || event.type === 'agent.custom_tool_use' || isAwaited) {
      this.#ask(source, seq, key);
    }
    if (this.log.isOver) {
      this.#endCall(source, seq);
    }
    return source;
  }

  /** Links a result to its call, by the call's event id or the id that the model gave it. */
  linkResult(event: TranscriptEvent, seq: number, key: string): RowSource {
    const callId = callIdOf(event);
    const call = callId === undefined ? undefined : this.#calls.get(callId);
    this.#settleStray(callId);
    const source = call === undefined || call.result !== undefined ? this.log.createSource(event, seq, key) : call;
    source.result = seq;
    this.#open.delete(source);
    this.log.dirty.add(source);
    this.#answered(source, seq);
    return source;
  }

  /** Links the answer to an ask. Returns `undefined` if the call is unknown or already answered. */
  linkConfirmation(event: TranscriptEvent, seq: number): RowSource | undefined {
    const callId = textOf(event.tool_use_id);
    const call = callId === undefined ? undefined : this.#calls.get(callId);
    this.#settleStray(callId);
    if (call === undefined || call.confirmation !== undefined || call.result !== undefined) {
      return undefined;
    }
    call.confirmation = seq;
    this.log.dirty.add(call);
    if (this.#open.has(call) && this.#waitsIn(this.#threadOf(call))) {
      this.#hold(call, seq);
    }
    this.#answered(call, seq);
    return call;
  }

  /** Handles an idle event: it names the calls that wait and blocks the others, or ends the turn with all open calls. */
  linkIdle(event: TranscriptEvent, seq: number, key: string): RowSource {
    const source = this.log.createSource(event, seq, key);
    const stop = stopOf(event);
    const waitsFor = stop?.waitsFor ?? [];
    for (const eventId of waitsFor) {
      const call = this.#calls.get(eventId);
      if (call === undefined) {
        this.#addStray(eventId, seq);
      } else if (this.#open.has(call)) {
        this.#ask(call, seq, eventId);
      }
    }
    if (stop?.reason === 'requires_action') {
      this.#rest(scopeOf(event, this.log.shownThread), seq);
    } else {
      // The session is idle when its own thread is. Asks of other threads stay open.
      const isForeign: TurnScope = asking => isOfSession(event) && foreignThreadOf(asking, this.log.shownThread) !== undefined;
      const keepsAsk = stop?.reason === 'budget_reached' ? everything : isForeign;
      this.#end(scopeOf(event, this.log.shownThread), seq, keepsAsk, true);
    }
    return source;
  }

  /** Handles a running event of the session or a thread: blocked calls continue, except in a thread that still waits. */
  linkRunning(event: TranscriptEvent, seq: number): undefined {
    const isInScope = scopeOf(event, this.log.shownThread);
    const isWhole = isOfSession(event);
    for (const call of this.#open) {
      if (isInScope(this.#eventOf(call)) && !(isWhole && this.#waitsIn(this.#threadOf(call)))) {
        this.#release(call, seq);
        if (!isWhole && call.confirmation !== undefined) {
          this.#wentOn.add(call);
        }
      }
    }
  }

  linkInterrupt(event: TranscriptEvent, seq: number): undefined {
    const isInScope = scopeOf(event, this.log.shownThread);
    for (const call of this.#open) {
      if (isInScope(this.#eventOf(call))) {
        this.#interrupted.add(call);
        if (isWaiting(call)) {
          this.#endCall(call, seq);
        }
      }
    }
    this.#endStrays(isInScope);
  }

  linkEnd(event: TranscriptEvent, seq: number): undefined {
    this.#end(scopeOf(event, this.log.shownThread), seq, nothing, false);
  }

  /** Ends all open calls when the session ends without an event. */
  close(seq: number): void {
    this.#end(everything, seq, nothing, false);
  }

  #ask(source: RowSource, seq: number, eventId: string): void {
    source.ask ??= seq;
    source.askId = eventId;
    this.log.dirty.add(source);
  }

  #addStray(eventId: string, seq: number): void {
    if (!this.#openStrays.has(eventId) && !this.log.isOver) {
      this.#openStrays.set(eventId, { eventId, seq });
    }
  }

  /** Ends the stray ask with this id. Returns whether there was one. */
  #settleStray(eventId: string | undefined): boolean {
    return eventId !== undefined && this.#openStrays.delete(eventId);
  }

  /** Blocks open calls that don't wait for an answer. Ends calls of another thread that continued after the answer. */
  #rest(isInScope: TurnScope, seq: number): void {
    const calls = [...this.#open].filter(call => isInScope(this.#eventOf(call)));
    const strays = this.strays.some(stray => isInScope(this.log.eventAt(stray.seq)));
    if (!strays && !calls.some(isWaiting)) {
      return;
    }
    for (const call of calls) {
      if (!isWaiting(call)) {
        if (this.#threadOf(call) !== undefined && this.#wentOn.has(call)) {
          this.#endCall(call, seq, true);
        } else {
          this.#hold(call, seq);
        }
      }
    }
  }

  /** Unblocks the calls of an answered call's thread if nothing else waits there, and all calls if nothing waits in any thread. */
  #answered(answered: RowSource, seq: number): void {
    const thread = this.#threadOf(answered);
    const isLast = !this.#waits();
    if (isLast || !this.#waitsIn(thread)) {
      for (const call of this.#open) {
        if (isLast || this.#threadOf(call) === thread) {
          this.#release(call, seq);
        }
      }
    }
  }

  #hold(call: RowSource, seq: number): void {
    const isHeld = call.holds !== undefined && call.holds.at(-1)?.until === undefined;
    if (!isHeld) {
      call.holds = [...(call.holds ?? []), { seq }];
      this.log.dirty.add(call);
    }
  }

  #release(call: RowSource, seq: number): void {
    const { holds = [] } = call;
    const last = holds.at(-1);
    if (last !== undefined && last.until === undefined) {
      call.holds = [...holds.slice(0, -1), { ...last, until: seq }];
      this.log.dirty.add(call);
    }
  }

  #waits(): boolean {
    return this.#openStrays.size > 0 || [...this.#open].some(isWaiting);
  }

  #waitsIn(thread: string | undefined): boolean {
    return (
      [...this.#open].some(call => isWaiting(call) && this.#threadOf(call) === thread) ||
      this.strays.some(({ seq }) => foreignThreadOf(this.log.eventAt(seq), this.log.shownThread) === thread)
    );
  }

  /**
   * Ends the open calls in scope, except asks for which `keepsAsk` is true. `hasResults`: calls of other threads may have results in their
   * logs.
   */
  #end(isInScope: TurnScope, seq: number, keepsAsk: TurnScope, hasResults: boolean): void {
    for (const call of this.#open) {
      if (isInScope(this.#eventOf(call)) && !(isWaiting(call) && keepsAsk(this.#eventOf(call)))) {
        const isElsewhere = this.#threadOf(call) !== undefined && !isWaiting(call) && !this.#interrupted.has(call);
        this.#endCall(call, seq, hasResults && isElsewhere);
      }
    }
    this.#endStrays(asking => isInScope(asking) && !keepsAsk(asking));
  }

  #endStrays(isInScope: TurnScope): void {
    for (const { eventId, seq } of this.strays) {
      if (isInScope(this.log.eventAt(seq))) {
        this.#openStrays.delete(eventId);
      }
    }
  }

  #endCall(call: RowSource, seq: number, isElsewhere = false): void {
    if (this.#open.delete(call)) {
      call.ended = seq;
      call.isElsewhere = isElsewhere;
      this.log.dirty.add(call);
    }
  }

  #eventOf({ seq }: RowSource): TranscriptEvent {
    return this.log.eventAt(seq);
  }

  #threadOf(call: RowSource): string | undefined {
    return foreignThreadOf(this.#eventOf(call), this.log.shownThread);
  }
}

function isWaiting({ ask, confirmation }: RowSource): boolean {
  return ask !== undefined && confirmation === undefined;
}

/** Returns whether an event repeats a call to add a permission. An event with other arguments is a separate call. */
function isSameCall(call: TranscriptEvent, again: TranscriptEvent): boolean {
  const isSame = call.type === again.type && nameOf(call) === nameOf(again) && call.evaluated_permission === undefined;
  return isSame && JSON.stringify(inputOf(call)) === JSON.stringify(inputOf(again));
}
