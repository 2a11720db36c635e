import type { TranscriptEvent } from './event';
import { idOf, type Moment, momentOf, numberOf, textOf } from './eventFields';
import { builderOf, buildGapRow, stopOf } from './eventRows';
import { partLimit } from './parts';
import { type RowContext, RowSource, threadOf } from './rowSource';
import type { Row } from './rows';
import { inputOf, nameOf } from './toolRow';

/** An id that waits for an answer and whose call is not in this log. `until` is the place where it no longer did. */
export interface StrayAsk {
  readonly eventId: string;
  readonly seq: number;
  until?: number;
}

/**
 * The log of one thread in the service's order, and what each event belongs to: which call a result ends, which span an end
 * closes, which calls wait for the user. It changes by events added at its end; anything else means building a new one.
 */
export class Timeline implements RowContext {
  readonly limit = partLimit;
  readonly events: TranscriptEvent[] = [];
  readonly sources: RowSource[] = [];
  /** Calls that wait, or once waited, for the user, in their order. */
  readonly asking: RowSource[] = [];
  readonly strayAsks: StrayAsk[] = [];
  /** Sources of rows that have to be built again. */
  readonly dirty = new Set<RowSource>();
  readonly #keys: string[] = [];
  readonly #moments: (Moment | undefined)[] = [];
  readonly #owners: RowSource[] = [];
  readonly #places = new Map<string, number>();
  readonly #calls = new Map<string, RowSource>();
  readonly #openCalls = new Set<RowSource>();
  readonly #openRequests = new Map<string, RowSource>();
  readonly #openEvaluations = new Map<string, RowSource>();
  readonly #openStrays = new Map<string, StrayAsk>();
  readonly #agentNames = new Map<string, string>();
  #shownThread: string | undefined;

  constructor(shownThread: string | undefined) {
    this.#shownThread = shownThread;
  }

  get shownThread(): string | undefined {
    return this.#shownThread;
  }

  set shownThread(thread: string | undefined) {
    if (thread === this.#shownThread) {
      return;
    }
    this.#shownThread = thread;
    for (const source of this.sources) {
      if (this.events[source.seq]?.session_thread_id === thread) {
        this.dirty.add(source);
      }
    }
  }

  eventAt(seq: number): TranscriptEvent {
    return this.events[seq] ?? { type: '' };
  }

  keyAt(seq: number): string {
    return this.#keys[seq] ?? '';
  }

  momentAt(seq: number | undefined): Moment | undefined {
    return seq === undefined ? undefined : this.#moments[seq];
  }

  agentNameOf(thread: string): string | undefined {
    return this.#agentNames.get(thread);
  }

  /** Place of the event with this key: its id, or what stands for one. */
  placeOf(key: string): number | undefined {
    return this.#places.get(key);
  }

  /** What the row of an event is made of. */
  ownerOf(seq: number): RowSource | undefined {
    return this.#owners[seq];
  }

  build(source: RowSource, limit = partLimit): Row {
    return source.build(source, limit === partLimit ? this : this.#withLimit(limit));
  }

  /** Puts an event at the end. Gives its key. */
  add(event: TranscriptEvent): string {
    const seq = this.events.length;
    const key = this.#keyOf(event, seq);
    this.events.push(event);
    this.#keys.push(key);
    this.#moments.push(momentOf(event));
    this.#places.set(key, seq);
    this.#learn(event);
    const owner = linkers.get(event.type)?.(this, event, seq, key) ?? this.#newSource(event, seq, key);
    this.#owners.push(owner);
    if (owner.seq !== seq) {
      owner.folded ??= [];
      owner.folded.push(seq);
    }
    return key;
  }

  /** Puts another body in the place of an event. Nothing that links events to each other may have changed. */
  replace(seq: number, event: TranscriptEvent): void {
    this.events[seq] = event;
    this.#moments[seq] = momentOf(event);
    const owner = this.#owners[seq];
    if (owner !== undefined) {
      this.dirty.add(owner);
    }
  }

  addGap(key: string, problem: string): void {
    this.sources.push(new RowSource(key, this.events.length, this.sources.length, buildGapRow, problem));
  }

  /** @internal A call, or the same call told again by a service that does so when it asks for permission. */
  linkCall(event: TranscriptEvent, seq: number, key: string): RowSource {
    const callId = textOf(event.tool_use_id);
    const known = callId === undefined ? undefined : this.#calls.get(callId);
    const isAgain =
      known !== undefined && known.again === undefined && this.#openCalls.has(known) && isSameCall(this.eventAt(known.seq), event);
    const source = isAgain ? known : this.#newSource(event, seq, key);
    if (isAgain) {
      source.again = seq;
      this.dirty.add(source);
    }
    this.#calls.set(key, source);
    if (callId !== undefined) {
      this.#calls.set(callId, source);
    }
    this.#openCalls.add(source);
    const isAwaited = this.#settleStray(key, seq);
    if (event.evaluated_permission === 'ask' || event.type === 'agent.custom_tool_use' || isAwaited) {
      this.#ask(source, seq, key);
    }
    if (event.evaluated_permission === 'deny') {
      this.#openCalls.delete(source);
    }
    return source;
  }

  /** @internal The result of a call, told by the call's event id or by the id that the model gave it. */
  linkResult(event: TranscriptEvent, seq: number, key: string): RowSource {
    const callId = textOf(event.tool_use_id) ?? textOf(event.mcp_tool_use_id) ?? textOf(event.custom_tool_use_id);
    const call = callId === undefined ? undefined : this.#calls.get(callId);
    this.#settleStray(callId, seq);
    const source = call === undefined || call.result !== undefined ? this.#newSource(event, seq, key) : call;
    source.result = seq;
    this.#openCalls.delete(source);
    this.dirty.add(source);
    return source;
  }

  /** @internal */
  linkConfirmation(event: TranscriptEvent, seq: number): RowSource | undefined {
    const callId = textOf(event.tool_use_id);
    const call = callId === undefined ? undefined : this.#calls.get(callId);
    this.#settleStray(callId, seq);
    if (call === undefined || call.confirmation !== undefined || call.result !== undefined) {
      return undefined;
    }
    call.confirmation = seq;
    this.dirty.add(call);
    return call;
  }

  /** @internal Going idle names the calls that wait, or ends the turn with all that it left open. */
  linkIdle(event: TranscriptEvent, seq: number): undefined {
    const stop = stopOf(event);
    for (const eventId of stop?.waitsFor ?? []) {
      const call = this.#calls.get(eventId);
      if (call === undefined) {
        this.#addStray(eventId, seq);
      } else if (this.#openCalls.has(call)) {
        this.#ask(call, seq, eventId);
      }
    }
    if (stop?.reason !== 'requires_action') {
      this.#endTurn(event, seq, stop?.reason === 'budget_reached');
    }
  }

  /** @internal */
  linkEnd(event: TranscriptEvent, seq: number): undefined {
    this.#endTurn(event, seq, false);
  }

  /** @internal */
  linkRequestStart(event: TranscriptEvent, seq: number, key: string): RowSource {
    // A request that was cut off gets no end; the next one shows it.
    const thread = threadOf(event);
    for (const [id, open] of this.#openRequests) {
      if (threadOf(this.eventAt(open.seq)) === thread) {
        open.end = seq;
        this.dirty.add(open);
        this.#openRequests.delete(id);
      }
    }
    const source = this.#newSource(event, seq, key);
    this.#openRequests.set(key, source);
    return source;
  }

  /** @internal */
  linkRequestEnd(event: TranscriptEvent, seq: number, key: string): RowSource {
    const told = textOf(event.model_request_start_id);
    const place = told === undefined ? undefined : this.#places.get(told);
    const start =
      (place === undefined ? undefined : this.#owners[place]) ?? (told === undefined ? this.#lastOpenRequest(event) : undefined);
    const source = start !== undefined && this.#isWithoutEnd(start) ? start : this.#newSource(event, seq, key);
    source.end = seq;
    this.#openRequests.delete(source.key);
    this.dirty.add(source);
    return source;
  }

  /** @internal */
  linkEvaluationStart(event: TranscriptEvent, seq: number, key: string): RowSource {
    const source = this.#newSource(event, seq, key);
    this.#openEvaluations.set(key, source);
    this.#openEvaluations.set(evaluationOf(event), source);
    return source;
  }

  /** @internal */
  linkEvaluation(event: TranscriptEvent, seq: number, key: string): RowSource {
    const start = textOf(event.outcome_evaluation_start_id);
    const open = (start === undefined ? undefined : this.#openEvaluations.get(start)) ?? this.#openEvaluations.get(evaluationOf(event));
    const source = open ?? this.linkEvaluationStart(event, seq, key);
    if (event.type === 'span.outcome_evaluation_end') {
      source.end = seq;
      this.#openEvaluations.delete(source.key);
      this.#openEvaluations.delete(evaluationOf(event));
    } else {
      source.progress ??= seq;
    }
    this.dirty.add(source);
    return source;
  }

  #withLimit(limit: number): RowContext {
    return {
      limit,
      shownThread: this.#shownThread,
      eventAt: seq => this.eventAt(seq),
      keyAt: seq => this.keyAt(seq),
      momentAt: seq => this.momentAt(seq),
      agentNameOf: thread => this.agentNameOf(thread),
    };
  }

  #newSource(event: TranscriptEvent, seq: number, key: string): RowSource {
    const source = new RowSource(key, seq, this.sources.length, builderOf(event.type));
    this.sources.push(source);
    return source;
  }

  #keyOf(event: TranscriptEvent, seq: number): string {
    const id = idOf(event);
    if (id !== undefined && !this.#places.has(id)) {
      return id;
    }
    let key = `${id ?? ''}#${seq}`;
    while (this.#places.has(key)) {
      key += '#';
    }
    return key;
  }

  #learn(event: TranscriptEvent): void {
    const thread = threadOf(event);
    if (thread === undefined) {
      return;
    }
    const name = textOf(event.agent_name);
    if (name !== undefined) {
      this.#agentNames.set(thread, name);
    }
    if (this.#shownThread === undefined && ofPrimaryThread.has(event.type)) {
      this.shownThread = thread;
    }
  }

  #ask(source: RowSource, seq: number, eventId: string): void {
    if (source.ask === undefined) {
      source.ask = seq;
      this.asking.push(source);
    }
    source.askId = eventId;
    this.dirty.add(source);
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
    const ended = threadOf(event) ?? this.#shownThread;
    const concerns = (seqOfCall: number): boolean => {
      const thread = threadOf(this.eventAt(seqOfCall)) ?? this.#shownThread;
      return isWhole || thread === ended;
    };
    for (const call of this.#openCalls) {
      if (concerns(call.seq) && !(keepsAsks && call.ask !== undefined && call.confirmation === undefined)) {
        call.ended = seq;
        this.#openCalls.delete(call);
        this.dirty.add(call);
      }
    }
    for (const stray of this.#openStrays.values()) {
      if (!keepsAsks && concerns(stray.seq)) {
        this.#settleStray(stray.eventId, seq);
      }
    }
  }

  #isWithoutEnd({ seq, end }: RowSource): boolean {
    const isEnded = end !== undefined && this.eventAt(end).type === 'span.model_request_end';
    return !isEnded && this.eventAt(seq).type === 'span.model_request_start';
  }

  #lastOpenRequest(event: TranscriptEvent): RowSource | undefined {
    const thread = threadOf(event);
    let last: RowSource | undefined;
    for (const open of this.#openRequests.values()) {
      last = threadOf(this.eventAt(open.seq)) === thread ? open : last;
    }
    return last;
  }
}

/** Events that belong to the primary thread wherever they name one: servers that stamp every event tell its id this way. */
const ofPrimaryThread = new Set([
  'user.message',
  'session.status_running',
  'session.status_idle',
  'session.status_rescheduled',
  'session.updated',
  'session.usage',
]);

type Linker = (timeline: Timeline, event: TranscriptEvent, seq: number, key: string) => RowSource | undefined;

const linkCall: Linker = (timeline, event, seq, key) => timeline.linkCall(event, seq, key);
const linkResult: Linker = (timeline, event, seq, key) => timeline.linkResult(event, seq, key);
const linkIdle: Linker = (timeline, event, seq) => timeline.linkIdle(event, seq);
const linkEnd: Linker = (timeline, event, seq) => timeline.linkEnd(event, seq);
const linkEvaluation: Linker = (timeline, event, seq, key) => timeline.linkEvaluation(event, seq, key);

/** Events that belong to others. What a linker gives is what the event is part of; nothing means a row of its own. */
const linkers: ReadonlyMap<string, Linker> = new Map<string, Linker>([
  ['agent.tool_use', linkCall],
  ['agent.mcp_tool_use', linkCall],
  ['agent.custom_tool_use', linkCall],
  ['agent.tool_result', linkResult],
  ['agent.mcp_tool_result', linkResult],
  ['user.tool_result', linkResult],
  ['user.custom_tool_result', linkResult],
  ['user.tool_confirmation', (timeline, event, seq) => timeline.linkConfirmation(event, seq)],
  ['session.status_idle', linkIdle],
  ['session.thread_status_idle', linkIdle],
  ['session.status_terminated', linkEnd],
  ['session.thread_status_terminated', linkEnd],
  ['session.deleted', linkEnd],
  ['span.model_request_start', (timeline, event, seq, key) => timeline.linkRequestStart(event, seq, key)],
  ['span.model_request_end', (timeline, event, seq, key) => timeline.linkRequestEnd(event, seq, key)],
  ['span.outcome_evaluation_start', (timeline, event, seq, key) => timeline.linkEvaluationStart(event, seq, key)],
  ['span.outcome_evaluation_ongoing', linkEvaluation],
  ['span.outcome_evaluation_end', linkEvaluation],
]);

/** Whether an event tells a call again to add a permission. One that differs in what would be allowed is a call of its own. */
function isSameCall(call: TranscriptEvent, again: TranscriptEvent): boolean {
  const isSame = call.type === again.type && nameOf(call) === nameOf(again) && call.evaluated_permission === undefined;
  return isSame && JSON.stringify(inputOf(call)) === JSON.stringify(inputOf(again));
}

/** One evaluation: which outcome, which round. */
function evaluationOf(event: TranscriptEvent): string {
  return JSON.stringify([textOf(event.outcome_id), numberOf(event.iteration)]);
}
