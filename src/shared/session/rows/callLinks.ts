import type { TranscriptEvent } from '../event';
import { textOf } from '../eventFields';
import { inputOf, nameOf } from './buildToolRow';
import { stopOf } from './eventRows';
import { type LinkedLog, type RowSource, threadOf } from './rowSource';

/** An id that waits for an answer and whose call is not in this log. `until` is the place where it no longer did. */
export interface StrayAsk {
  readonly eventId: string;
  readonly seq: number;
  until?: number;
}

/**
 * Which events belong to which call: the same call told again, its permission, its result, the end of its turn. Each `link...`
 * takes an event that came last, with its place and its key, and gives the source of the row that it is part of.
 */
export class CallLinks {
  /** Calls that wait, or once waited, for the user, in their order. */
  readonly asking: RowSource[] = [];
  readonly strayAsks: StrayAsk[] = [];
  readonly #log: LinkedLog;
  /** By event id and by the id that the model gave. */
  readonly #calls = new Map<string, RowSource>();
  readonly #open = new Set<RowSource>();
  readonly #openStrays = new Map<string, StrayAsk>();

  constructor(log: LinkedLog) {
    this.#log = log;
  }

  /** A call, or the same call told again by a service that does so when it asks for permission. */
  linkCall(event: TranscriptEvent, seq: number, key: string): RowSource {
    const callId = textOf(event.tool_use_id);
    const known = callId === undefined ? undefined : this.#calls.get(callId);
    const isAgain =
      known !== undefined && known.again === undefined && this.#open.has(known) && isSameCall(this.#log.eventAt(known.seq), event);
    const source = isAgain ? known : this.#log.createSource(event, seq, key);
    if (isAgain) {
      source.again = seq;
      this.#log.dirty.add(source);
    }
    this.#calls.set(key, source);
    if (callId !== undefined) {
      this.#calls.set(callId, source);
    }
    this.#open.add(source);
    const isAwaited = this.#settleStray(key, seq);
    if (event.evaluated_permission === 'ask' || event.type === 'agent.custom_tool_use' || isAwaited) {
      this.#ask(source, seq, key);
    }
    if (event.evaluated_permission === 'deny') {
      this.#open.delete(source);
    }
    return source;
  }

  /** The result of a call, told by the call's event id or by the id that the model gave it. */
  linkResult(event: TranscriptEvent, seq: number, key: string): RowSource {
    const callId = textOf(event.tool_use_id) ?? textOf(event.mcp_tool_use_id) ?? textOf(event.custom_tool_use_id);
    const call = callId === undefined ? undefined : this.#calls.get(callId);
    this.#settleStray(callId, seq);
    const source = call === undefined || call.result !== undefined ? this.#log.createSource(event, seq, key) : call;
    source.result = seq;
    this.#open.delete(source);
    this.#log.dirty.add(source);
    return source;
  }

  /** The answer to an ask; nothing where the call is not known, or has been answered. */
  linkConfirmation(event: TranscriptEvent, seq: number): RowSource | undefined {
    const callId = textOf(event.tool_use_id);
    const call = callId === undefined ? undefined : this.#calls.get(callId);
    this.#settleStray(callId, seq);
    if (call === undefined || call.confirmation !== undefined || call.result !== undefined) {
      return undefined;
    }
    call.confirmation = seq;
    this.#log.dirty.add(call);
    return call;
  }

  /** Going idle names the calls that wait, or ends the turn with all that it left open. */
  linkIdle(event: TranscriptEvent, seq: number): undefined {
    const stop = stopOf(event);
    for (const eventId of stop?.waitsFor ?? []) {
      const call = this.#calls.get(eventId);
      if (call === undefined) {
        this.#addStray(eventId, seq);
      } else if (this.#open.has(call)) {
        this.#ask(call, seq, eventId);
      }
    }
    if (stop?.reason !== 'requires_action') {
      this.#endTurn(event, seq, stop?.reason === 'budget_reached');
    }
  }

  /** The session or a thread is over, and so is all that was open in it. */
  linkEnd(event: TranscriptEvent, seq: number): undefined {
    this.#endTurn(event, seq, false);
  }

  #ask(source: RowSource, seq: number, eventId: string): void {
    if (source.ask === undefined) {
      source.ask = seq;
      this.asking.push(source);
    }
    source.askId = eventId;
    this.#log.dirty.add(source);
  }

  #addStray(eventId: string, seq: number): void {
    if (!this.#openStrays.has(eventId)) {
      const stray = { eventId, seq };
      this.strayAsks.push(stray);
      this.#openStrays.set(eventId, stray);
    }
  }

  #settleStray(eventId: string | undefined, seq: number): boolean {
    const stray = eventId === undefined ? undefined : this.#openStrays.get(eventId);
    if (stray === undefined) {
      return false;
    }
    stray.until = seq;
    this.#openStrays.delete(stray.eventId);
    return true;
  }

  #endTurn(event: TranscriptEvent, seq: number, keepsAsks: boolean): void {
    const isWhole = event.type === 'session.status_terminated' || event.type === 'session.deleted';
    const ended = threadOf(event) ?? this.#log.shownThread;
    const concerns = (seqOfCall: number): boolean => {
      const thread = threadOf(this.#log.eventAt(seqOfCall)) ?? this.#log.shownThread;
      return isWhole || thread === ended;
    };
    for (const call of this.#open) {
      if (concerns(call.seq) && !(keepsAsks && call.ask !== undefined && call.confirmation === undefined)) {
        call.ended = seq;
        this.#open.delete(call);
        this.#log.dirty.add(call);
      }
    }
    for (const stray of this.#openStrays.values()) {
      if (!keepsAsks && concerns(stray.seq)) {
        this.#settleStray(stray.eventId, seq);
      }
    }
  }
}

/** Whether an event tells a call again to add a permission. One that differs in what would be allowed is a call of its own. */
function isSameCall(call: TranscriptEvent, again: TranscriptEvent): boolean {
  const isSame = call.type === again.type && nameOf(call) === nameOf(again) && call.evaluated_permission === undefined;
  return isSame && JSON.stringify(inputOf(call)) === JSON.stringify(inputOf(again));
}
