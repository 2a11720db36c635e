import { setImmediate as nextTurn } from 'node:timers/promises';
import { piecesOf } from '../messages/messagePieces';
import { newEventId } from './eventId';
import type { EventFields, KeptSession, StopReason, UnstoredEvent } from './keptSession';
import { LineCalls } from './lineCalls';
import { addSpan, countSpan, failedSpan, type Span, spanFields } from './modelSpan';
import type { Answer } from './sentAnswers';
import { textOf } from './sentEvents';
import type { OpenCall, ThreadRecord } from './sessionRecord';
import type { ContentBlock } from './toolCalls';
import { TurnEnd } from './turnEnd';

/** Most pieces that a message is previewed in. */
const mostPieces = 400;

/** The turn in which threads speak, as one of them sees it. */
export interface LineTurn {
  readonly session: KeptSession;
  line(threadId: string): Line;
  /** Settles when each of the calls has its answer. */
  wait(line: Line, calls: readonly OpenCall[]): Promise<ReadonlyMap<string, Answer>>;
  /** The thread runs. */
  wake(line: Line): void;
  /** The thread is idle. */
  rest(line: Line, stop: StopReason): void;
  /** The thread was stopped. */
  close(line: Line, reason: string): void;
}

/** A thread while a script speaks for it: everything it can do, one step after the other, at the pace of the scenario. */
export class Line {
  /** When the next step is due, on the emulator's clock. */
  due = 0;
  readonly calls: LineCalls;
  readonly #stopped = new AbortController();
  #written = 0;
  #span: Span | undefined;

  constructor(
    readonly turn: LineTurn,
    readonly thread: ThreadRecord,
  ) {
    this.due = turn.session.parts.clock.now();
    this.calls = new LineCalls(this);
  }

  get session(): KeptSession {
    return this.turn.session;
  }

  get agent(): ThreadRecord['agent'] {
    return this.thread.agent;
  }

  get isPrimary(): boolean {
    return this.thread.parentId === null;
  }

  /** Ends whatever the script waits for with `reason`. */
  stop(reason: Error): void {
    this.#stopped.abort(reason);
  }

  throwIfStopped(): void {
    this.#stopped.signal.throwIfAborted();
  }

  emit(type: string, fields: EventFields = {}, alsoOnSession = false): string {
    this.throwIfStopped();
    return this.session.emit(this.thread, type, fields, alsoOnSession).id;
  }

  /** Waits as long as `steps` steps of the scenario take. */
  async pause(steps = 1): Promise<void> {
    await this.sleep(this.session.parts.scenario().sessionPause * steps);
  }

  /** Waits so many milliseconds after the last step; rejects when the thread is stopped. */
  async sleep(milliseconds: number): Promise<void> {
    const { signal } = this.#stopped;
    signal.throwIfAborted();
    if (milliseconds <= 0) {
      return;
    }
    this.due += milliseconds;
    await this.session.parts.clock.sleepUntil(this.due, signal);
  }

  /** Settles with `promise`; rejects when the thread is stopped before. */
  async interruptible<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this.#stopped;
    signal.throwIfAborted();
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([promise, stopped]);
    } finally {
      signal.removeEventListener('abort', stop);
      this.due = this.session.parts.clock.now();
    }
  }

  /** A model request around what the model says in it. Throws `TurnEnd` when it spent the rest of the budget. */
  async request(work: () => Promise<void>, { cost = 0 }: { readonly cost?: number } = {}): Promise<void> {
    const isQuiet = this.session.parts.style().spanAroundIdle;
    const start = isQuiet ? '' : this.emit('span.model_request_start');
    this.#written = 0;
    await this.pause();
    await work();
    const span = countSpan({ usage: this.thread.usage, system: this.agent.system, written: this.#written, cost });
    addSpan(this.session.record.usage, span);
    this.session.changed();
    if (!isQuiet) {
      this.emit('span.model_request_end', { ...spanFields(span), model_request_start_id: start });
    } else if (this.isPrimary) {
      this.#span = { ...span, output: span.output + (this.#span?.output ?? 0) };
    }
    if (this.session.budgetIsSpent) {
      throw new TurnEnd('budget_reached');
    }
  }

  /** A model request that the model's side fails, possibly in the middle of a message. */
  async failedRequest(work = async () => {}): Promise<void> {
    const start = this.emit('span.model_request_start');
    await this.pause();
    await work();
    this.emit('span.model_request_end', {
      ...spanFields(failedSpan),
      model_request_start_id: start,
    });
  }

  async think(words = 'Emulated thinking: what was asked, what is known, what to do next.'): Promise<void> {
    const id = newEventId();
    this.countWritten(words.length);
    this.session.log(this.thread.id).preview({ type: 'event_start', event: { type: 'agent.thinking', id } }, 'agent.thinking');
    await this.pause();
    const isShown = this.session.parts.style().showsModelsCalls;
    this.emit('agent.thinking', {
      id,
      ...(isShown ? { content: [{ type: 'thinking', thinking: words, signature: 'ZW11bGF0ZWQ=' }] } : {}),
    });
  }

  /** A message, previewed piece by piece for those who ask for that. */
  async say(text: string): Promise<void> {
    const id = this.startMessage();
    for (const piece of piecesOf(text, Math.max(12, Math.ceil(text.length / mostPieces)))) {
      await this.previewPiece(id, piece);
    }
    await this.pause();
    this.tell([{ type: 'text', text }], id);
  }

  /** Announces a message and returns the id that it will have. */
  startMessage(): string {
    this.#stopped.signal.throwIfAborted();
    const id = newEventId();
    this.session.log(this.thread.id).preview({ type: 'event_start', event: { type: 'agent.message', id } }, 'agent.message');
    return id;
  }

  async previewPiece(id: string, text: string): Promise<void> {
    const { sessionPause, streamPause } = this.session.parts.scenario();
    await this.sleep(sessionPause === 0 ? 0 : streamPause);
    const delta = { type: 'content_delta', content: { type: 'text', text } };
    this.session.log(this.thread.id).preview({ type: 'event_delta', event_id: id, delta }, 'agent.message');
  }

  /** A message as it is, at once. */
  tell(content: readonly ContentBlock[], id = newEventId()): void {
    this.countWritten(textOf(content).length);
    this.emit('agent.message', { id, content });
  }

  /** The service takes the work off its machine and puts it on another one. */
  async reschedule(): Promise<void> {
    const { session, thread } = this;
    const tellsThreads = session.parts.style().tellsUsageAndThreads;
    const named = { session_thread_id: thread.id, agent_name: thread.agent.name };
    session.setThreadStatus(thread, 'rescheduling');
    session.setStatus('rescheduling');
    if (tellsThreads) {
      this.emit('session.thread_status_rescheduled', named);
    }
    this.emit('session.status_rescheduled');
    await this.pause(3);
    session.setThreadStatus(thread, 'running');
    session.setStatus('running');
    if (tellsThreads) {
      this.emit('session.thread_status_running', named);
    }
    this.emit('session.status_running');
  }

  /** Stores many events at once, as they are. */
  burst(events: readonly UnstoredEvent[]): void {
    this.throwIfStopped();
    this.session.append(this.thread.id, events);
  }

  /** Characters that the model wrote in the request that is under way. */
  countWritten(characters: number): void {
    this.#written += characters;
  }

  countWebSearch(): void {
    for (const usage of [this.thread.usage, this.session.record.usage]) {
      usage.webSearches++;
    }
  }

  /** Lets others have their turn: in the middle of much work at once. */
  async breathe(): Promise<void> {
    await nextTurn();
    this.#stopped.signal.throwIfAborted();
  }

  /** What is left to say of the turn's model requests where the service says it at the end. */
  takeSpan(): Span | undefined {
    const span = this.#span;
    this.#span = undefined;
    return span;
  }

  emitSpan(span: Span, start?: string): string {
    const fields = start === undefined ? {} : { ...spanFields(span, this.agent.model.id), model_request_start_id: start };
    return this.session.emit(this.thread, start === undefined ? 'span.model_request_start' : 'span.model_request_end', fields).id;
  }
}
