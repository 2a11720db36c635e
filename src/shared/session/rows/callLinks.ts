import { everything, isOfSession, nothing, scopeOf, stopOf, type TranscriptEvent, type TurnScope } from '../event';
import { callIdOf, textOf } from '../eventFields';
import { inputOf, nameOf } from './buildToolRow';
import type { LinkedLog, RowSource } from './rowSource';

/** An ask whose call is not in this log. */
export interface StrayAsk {
  readonly eventId: string;
  readonly seq: number;
}

/**
 * Links events to calls: repeated calls, permissions, results, and ends of turns. Each `link...` method takes the latest event with its
 * index and key, and returns the source of the row that the event belongs to.
 */
export class CallLinks {
  /** Calls by event id and by the model's id of the call. */
  readonly #calls = new Map<string, RowSource>();
  readonly #open = new Set<RowSource>();
  readonly #strays = new Map<string, StrayAsk>();
  /** Calls whose thread continued after the answer. */
  readonly #wentOn = new WeakSet<RowSource>();
  readonly #interrupted = new WeakSet<RowSource>();

  constructor(private readonly log: LinkedLog) {}

  /** Open calls that wait for the user, or whose answer was not processed yet, oldest ask first. */
  get asking(): readonly RowSource[] {
    return [...this.#open].filter(({ ask }) => ask !== undefined).sort((a, b) => (a.ask ?? 0) - (b.ask ?? 0));
  }

  get strays(): readonly StrayAsk[] {
    return [...this.#strays.values()];
  }

  /** Links a call. Some services repeat a call when it asks for permission. */
  linkCall(event: TranscriptEvent, seq: number, key: string): RowSource {
    const callId = textOf(event.tool_use_id);
    const known = this.#calls.get(callId ?? '');
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
    const isAwaited = this.#strays.delete(key);
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

  /** Links a result to its call, by the call's event id or the model's id of the call. */
  linkResult(event: TranscriptEvent, seq: number, key: string): RowSource {
    const call = this.#namedCall(event);
    const source = call === undefined || call.result !== undefined ? this.log.createSource(event, seq, key) : call;
    source.result = seq;
    this.#open.delete(source);
    this.#answered(source, seq);
    return source;
  }

  /** Links the answer to an ask. Returns `undefined` if the call is unknown or already answered. */
  linkConfirmation(event: TranscriptEvent, seq: number): RowSource | undefined {
    const call = this.#namedCall(event);
    if (call === undefined || call.confirmation !== undefined || call.result !== undefined) {
      return undefined;
    }
    call.confirmation = seq;
    const thread = this.#threadOf(call);
    if (this.#open.has(call) && this.#waitsIn(one => one === thread)) {
      this.#hold(call, seq);
    }
    this.#answered(call, seq);
    return call;
  }

  /** Handles an idle event. If the event names waiting calls, blocks the other calls. Otherwise, ends the turn and all open calls. */
  linkIdle(event: TranscriptEvent, seq: number, key: string): RowSource {
    const source = this.log.createSource(event, seq, key);
    const stop = stopOf(event);
    for (const eventId of stop?.waitsFor ?? []) {
      const call = this.#calls.get(eventId);
      if (call !== undefined && this.#open.has(call)) {
        this.#ask(call, seq, eventId);
      } else if (call === undefined && !this.#strays.has(eventId) && !this.log.isOver) {
        this.#strays.set(eventId, { eventId, seq });
      }
    }
    const isInScope = scopeOf(event, this.log.shownThread);
    if (stop?.reason === 'requires_action') {
      this.#rest(isInScope, seq);
    } else {
      // The session is idle when its own thread is. Asks of other threads stay open.
      const isForeign: TurnScope = thread => isOfSession(event) && thread !== undefined;
      this.#end(isInScope, seq, stop?.reason === 'budget_reached' ? everything : isForeign, true);
    }
    return source;
  }

  /** Handles a running event of the session or a thread: blocked calls continue, except in a thread that still waits. */
  linkRunning(event: TranscriptEvent, seq: number): undefined {
    const isWhole = isOfSession(event);
    for (const call of this.#openIn(scopeOf(event, this.log.shownThread))) {
      const thread = this.#threadOf(call);
      if (!isWhole || !this.#waitsIn(one => one === thread)) {
        this.#release(call, seq);
      }
      if (!isWhole && call.confirmation !== undefined) {
        this.#wentOn.add(call);
      }
    }
  }

  linkInterrupt(event: TranscriptEvent, seq: number): undefined {
    const isInScope = scopeOf(event, this.log.shownThread);
    for (const call of this.#openIn(isInScope)) {
      this.#interrupted.add(call);
      if (isWaiting(call)) {
        this.#endCall(call, seq);
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

  /** Returns the call that a result or an answer names. The call is no longer a stray ask. */
  #namedCall(event: TranscriptEvent): RowSource | undefined {
    const id = callIdOf(event) ?? '';
    this.#strays.delete(id);
    return this.#calls.get(id);
  }

  #ask(source: RowSource, seq: number, eventId: string): void {
    source.ask ??= seq;
    source.askId = eventId;
    this.log.dirty.add(source);
  }

  /** Blocks open calls that don't wait for an answer. Ends the calls of other threads that have continued after the answer. */
  #rest(isInScope: TurnScope, seq: number): void {
    if (!this.#waitsIn(isInScope)) {
      return;
    }
    for (const call of this.#openIn(isInScope).filter(one => !isWaiting(one))) {
      if (this.#threadOf(call) !== undefined && this.#wentOn.has(call)) {
        this.#endCall(call, seq, true);
      } else {
        this.#hold(call, seq);
      }
    }
  }

  /** Unblocks the calls of an answered call's thread if no other call waits there, and all calls if no call waits in any thread. */
  #answered(answered: RowSource, seq: number): void {
    this.log.dirty.add(answered);
    const thread = this.#threadOf(answered);
    const scopes: readonly TurnScope[] = [everything, one => one === thread];
    for (const call of this.#openIn(scopes.find(isInScope => !this.#waitsIn(isInScope)) ?? nothing)) {
      this.#release(call, seq);
    }
  }

  #hold(call: RowSource, seq: number): void {
    if (!call.isHeld) {
      call.isHeld = true;
      call.held ??= seq;
      this.log.dirty.add(call);
    }
  }

  #release(call: RowSource, seq: number): void {
    if (call.isHeld) {
      call.isHeld = false;
      call.released = seq;
      this.log.dirty.add(call);
    }
  }

  #openIn(isInScope: TurnScope): readonly RowSource[] {
    return [...this.#open].filter(call => isInScope(this.#threadOf(call)));
  }

  #waitsIn(isInScope: TurnScope): boolean {
    return this.#openIn(isInScope).some(isWaiting) || this.strays.some(stray => isInScope(this.#threadOf(stray)));
  }

  /** Ends the open calls in scope, except asks in `keepsAsk`. With `hasResults`, other logs may have their results. */
  #end(isInScope: TurnScope, seq: number, keepsAsk: TurnScope, hasResults: boolean): void {
    for (const call of this.#openIn(isInScope)) {
      const thread = this.#threadOf(call);
      if (!isWaiting(call)) {
        this.#endCall(call, seq, hasResults && thread !== undefined && !this.#interrupted.has(call));
      } else if (!keepsAsk(thread)) {
        this.#endCall(call, seq);
      }
    }
    this.#endStrays(thread => isInScope(thread) && !keepsAsk(thread));
  }

  #endStrays(isInScope: TurnScope): void {
    for (const stray of this.strays.filter(one => isInScope(this.#threadOf(one)))) {
      this.#strays.delete(stray.eventId);
    }
  }

  #endCall(call: RowSource, seq: number, isElsewhere = false): void {
    if (this.#open.delete(call)) {
      call.ended = seq;
      call.isElsewhere = isElsewhere;
      this.log.dirty.add(call);
    }
  }

  #threadOf({ seq }: RowSource | StrayAsk): string | undefined {
    return this.log.threadAt(seq);
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
