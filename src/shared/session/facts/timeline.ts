import { Deliveries } from '../deliveries';
import { callTypes, evaluationTypes, foreignThreadOf, forTypes, resultTypes, runTypes, type TranscriptEvent, threadOf } from '../event';
import { idOf, type Moment, momentOf, textOf } from '../eventFields';
import { CallLinks } from '../rows/callLinks';
import { builderOf, gapEventType } from '../rows/eventRows';
import { partLimit } from '../rows/parts';
import { type LinkedLog, RowSource } from '../rows/rowSource';
import type { Row } from '../rows/rows';
import { SpanLinks } from '../rows/spanLinks';
import { createSessionFacts, learnEvent } from './sessionFacts';

/**
 * The log of one thread in the service's order, with its facts and the links between its events, such as the link of a call and its result.
 * Events can only be added at the end. Any other change needs a new timeline.
 */
export class Timeline implements LinkedLog {
  limit = partLimit;
  /** Facts about the session. They change with the timeline. */
  facts = createSessionFacts();
  readonly events: TranscriptEvent[] = [];
  readonly sources: RowSource[] = [];
  readonly dirty = new Set<RowSource>();
  readonly calls = new CallLinks(this);
  readonly spans = new SpanLinks(this);
  readonly #keys: string[] = [];
  readonly #moments: (Moment | undefined)[] = [];
  readonly #owners: RowSource[] = [];
  readonly #indexes = new Map<string, number>();
  /** Indexes of events that share their id with an event of another type, by type and id. */
  readonly #twins = new Map<string, number>();
  readonly deliveries = new Deliveries();
  readonly #agentNames = new Map<string, string>();
  #shownThread: string | undefined;
  #isOver = false;

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

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Marks the session as ended after it was archived or deleted without an event. Ends everything in progress. */
  close(): void {
    const seq = this.events.length - 1;
    this.#isOver = true;
    if (seq >= 0) {
      this.calls.close(seq);
      this.spans.close(seq);
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

  threadAt(seq: number): string | undefined {
    return foreignThreadOf(this.eventAt(seq), this.#shownThread);
  }

  agentNameOf(thread: string): string | undefined {
    return this.#agentNames.get(thread);
  }

  /** Returns the index of the event with this key: its id, or a substitute. */
  indexOf(key: string): number | undefined {
    return this.#indexes.get(key);
  }

  indexOfCopy(event: TranscriptEvent): number | undefined {
    const id = idOf(event) ?? '';
    const index = this.#indexes.get(id);
    return index === undefined || this.eventAt(index).type === event.type ? index : this.#twins.get(`${event.type} ${id}`);
  }

  ownerOf(seq: number | undefined): RowSource | undefined {
    return seq === undefined ? undefined : this.#owners[seq];
  }

  build(source: RowSource, limit = partLimit): Row {
    this.limit = limit;
    return source.build(source, this, this.eventAt(source.seq));
  }

  add(event: TranscriptEvent): string {
    const seq = this.events.length;
    const key = this.#keyOf(event, seq);
    this.events.push(event);
    this.#keys.push(key);
    this.#moments.push(momentOf(event));
    this.#indexes.set(key, seq);
    this.#learn(event);
    const { type } = event;
    this.#isOver =
      type === 'session.status_terminated' || type === 'session.deleted' || (this.#isOver && type !== 'session.status_running');
    const owner = linkers.get(event.type)?.(this, event, seq, key) ?? this.createSource(event, seq, key);
    this.#owners.push(owner);
    if (owner.seq !== seq) {
      // Pushing to an empty array would allocate 17 slots.
      if (owner.folded === undefined) {
        owner.folded = [seq];
      } else {
        owner.folded.push(seq);
      }
    }
    this.#settle(event, seq);
    this.#learnFacts(event, seq);
    return key;
  }

  /**
   * Replaces events, by index, in one pass over the rows. Fields that link events must not have changed. `relearn` has to follow, unless
   * all of them are gaps.
   */
  replace(changes: ReadonlyMap<number, TranscriptEvent>): void {
    let first = Number.POSITIVE_INFINITY;
    for (const [seq, event] of changes) {
      first = Math.min(first, seq);
      this.events[seq] = event;
      this.#moments[seq] = momentOf(event);
      const owner = this.#owners[seq];
      if (owner !== undefined) {
        this.dirty.add(owner);
      }
    }
    const isIn = (seq: number | undefined) => seq !== undefined && changes.has(seq);
    for (const source of this.sources) {
      // The duration of a thought starts at the previous event. A call can also stop being blocked at the answer to another call.
      const isThought = source.seq > first && this.eventAt(source.seq).type === 'agent.thinking';
      if (isThought || isIn(source.held) || isIn(source.released)) {
        this.dirty.add(source);
      }
    }
  }

  /** Derives the facts again, after events were replaced. */
  relearn(): void {
    this.facts = createSessionFacts();
    for (const [seq, event] of this.events.entries()) {
      this.#learnFacts(event, seq);
    }
  }

  createSource(event: TranscriptEvent, seq: number, key: string): RowSource {
    const source = new RowSource(key, seq, this.sources.length, builderOf(event.type));
    this.sources.push(source);
    return source;
  }

  #learnFacts(event: TranscriptEvent, seq: number): void {
    if (event.type !== gapEventType) {
      learnEvent(this.facts, event, this.#moments[seq], this.#shownThread);
    }
  }

  #settle(event: TranscriptEvent, seq: number): void {
    if (this.threadAt(seq) !== undefined) {
      return;
    }
    for (const index of this.deliveries.add(event, seq)) {
      const owner = this.#owners[index];
      if (owner !== undefined && this.eventAt(index).processed_at === null) {
        this.dirty.add(owner);
      }
    }
  }

  #keyOf(event: TranscriptEvent, seq: number): string {
    const id = idOf(event);
    if (id !== undefined && !this.#indexes.has(id)) {
      return id;
    }
    if (id !== undefined) {
      this.#twins.set(`${event.type} ${id}`, seq);
    }
    let key = `${id ?? ''}#${seq}`;
    while (this.#indexes.has(key)) {
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
    if (this.#shownThread === undefined && ofPrimaryThread.test(event.type)) {
      this.shownThread = thread;
    }
  }
}

/**
 * Event types that always belong to the primary thread. If a server sets a thread on every event, these events contain the id of the
 * primary thread.
 */
const ofPrimaryThread = /^(?:user\.message|session\.(?:status_(?:running|idle|rescheduled)|updated|usage))$/;

type Linker = (timeline: Timeline, event: TranscriptEvent, seq: number, key: string) => RowSource | undefined;

/** Functions by event type that link an event to the row of another event. A linker returns `undefined` if the event gets its own row. */
const linkers: ReadonlyMap<string, Linker> = new Map<string, Linker>([
  ...forTypes<Linker>(callTypes, ({ calls, spans }, event, seq, key) => spans.linkCall(seq, calls.linkCall(event, seq, key))),
  ...forTypes<Linker>(resultTypes, ({ calls }, event, seq, key) => calls.linkResult(event, seq, key)),
  ['user.tool_confirmation', ({ calls }, event, seq) => calls.linkConfirmation(event, seq)],
  ['user.interrupt', ({ calls }, event, seq) => calls.linkInterrupt(event, seq)],
  ...forTypes<Linker>(['session.status_running', 'session.thread_status_running'], ({ calls }, event, seq) =>
    calls.linkRunning(event, seq),
  ),
  ...forTypes<Linker>(['session.status_idle', 'session.thread_status_idle'], ({ calls, spans }, event, seq, key) => {
    spans.linkRest(event, seq);
    return calls.linkIdle(event, seq, key);
  }),
  ...forTypes<Linker>(['session.status_terminated', 'session.thread_status_terminated', 'session.deleted'], (timeline, event, seq) => {
    timeline.spans.linkRest(event, seq);
    return timeline.calls.linkEnd(event, seq);
  }),
  ...forTypes<Linker>([...runTypes, 'workflow_run.error'], ({ spans }, event, seq, key) => spans.linkRun(event, seq, key)),
  ['span.model_request_start', ({ spans }, event, seq, key) => spans.linkRequestStart(event, seq, key)],
  ['span.model_request_end', ({ spans }, event, seq, key) => spans.linkRequestEnd(event, seq, key)],
  ...forTypes<Linker>(evaluationTypes, ({ spans }, event, seq, key) => spans.linkEvaluation(event, seq, key)),
]);
