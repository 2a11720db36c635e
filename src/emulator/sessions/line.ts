import { setImmediate as nextTurn } from 'node:timers/promises';
import { orAborted } from '../../shared/orAborted';
import type { WireObject } from '../http/toWire';
import { piecesOf } from '../messages/messageRoutes';
import { newEventId } from './eventLog';
import { LineCalls } from './lineCalls';
import { type Answer, textOf } from './sentEvents';
import type { OpenCall, ThreadRecord, Usage } from './sessionRecord';
import type { EventFields, StopReason, StoredSession } from './storedSession';

/** Result of a call that was running when its thread was interrupted. */
export const interruptedWords = 'Interrupted by the user before it was finished.';

/** Thrown into a script whose thread was interrupted. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Thrown by a script to end its turn for a reason other than `end_turn`. */
export class TurnEnd extends Error {
  override readonly name = 'TurnEnd';

  constructor(readonly stop: StopReason['type'] | 'terminated') {
    super(stop);
  }
}

/** Maximum number of preview pieces of a message. */
const maxPieces = 400;

/** Members of a turn that its threads use. */
export interface LineTurn {
  readonly session: StoredSession;
  line(threadId: string): Line;
  /** Resolves when each call has an answer. */
  wait(line: Line, calls: readonly OpenCall[]): Promise<ReadonlyMap<string, Answer>>;
  wake(line: Line): void;
  rest(line: Line, stop: StopReason): void;
  /** Ends the thread after it was stopped. */
  close(line: Line, reason: string): void;
}

/** Thread controlled by a script, with all actions that a script can use. Steps follow the pace of the scenario. */
export class Line {
  /** Time of the next step on the emulator's clock. */
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

  get session(): StoredSession {
    return this.turn.session;
  }

  get agent(): ThreadRecord['agent'] {
    return this.thread.agent;
  }

  get isPrimary(): boolean {
    return this.thread.parentId === null;
  }

  /** Rejects the script's pending waits with `reason`. */
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

  /** Waits for the duration of `steps` steps of the scenario. */
  async pause(steps = 1): Promise<void> {
    await this.sleep(this.session.parts.scenario().sessionPause * steps);
  }

  /** Waits a time in milliseconds from the last step. Rejects if the thread is stopped. */
  async sleep(milliseconds: number): Promise<void> {
    const { signal } = this.#stopped;
    signal.throwIfAborted();
    if (milliseconds <= 0) {
      return;
    }
    this.due += milliseconds;
    await this.session.parts.clock.sleepUntil(this.due, signal);
  }

  /** Settles like `promise`, or rejects if the thread is stopped first. */
  async interruptible<T>(promise: Promise<T>): Promise<T> {
    try {
      return await orAborted(promise, this.#stopped.signal);
    } finally {
      this.due = this.session.parts.clock.now();
    }
  }

  /** Emits a message in a model request of its own, which costs `cost` cents more than its tokens. */
  async reply(text: string, cost = 0): Promise<void> {
    await this.request(() => this.say(text), cost);
  }

  /** Wraps the events that the model creates in a model request. Throws `TurnEnd` if the request used up the budget. */
  async request(work: () => Promise<void>, cost = 0): Promise<void> {
    const isQuiet = this.session.parts.style().spanAroundIdle;
    const start = isQuiet ? '' : this.emit('span.model_request_start');
    this.#written = 0;
    await this.pause();
    await work();
    const span = countSpan(this.thread.usage, this.agent.system, this.#written, cost);
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

  /** Emits a model request that fails on the model's side, possibly in the middle of a message. */
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

  /** Emits a message, with piecewise previews for clients that requested them. */
  async say(text: string): Promise<void> {
    const id = this.startMessage();
    for (const piece of piecesOf(text, Math.max(12, Math.ceil(text.length / maxPieces)))) {
      await this.previewPiece(id, piece);
    }
    await this.pause();
    this.emitMessage([{ type: 'text', text }], id);
  }

  /** Announces a message. Returns its future id. */
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

  emitMessage(content: readonly WireObject[], id = newEventId()): void {
    this.countWritten(textOf(content).length);
    this.emit('agent.message', { id, content });
  }

  /** Simulates the service moving the work to another machine. */
  async reschedule(): Promise<void> {
    const { session, thread } = this;
    this.throwIfStopped();
    session.setStatus('rescheduling');
    session.setThreadStatus(thread, 'rescheduling');
    this.emit('session.status_rescheduled');
    await this.pause(3);
    session.setStatus('running');
    session.setThreadStatus(thread, 'running');
    this.emit('session.status_running');
  }

  countWritten(characters: number): void {
    this.#written += characters;
  }

  countWebSearch(): void {
    for (const usage of [this.thread.usage, this.session.record.usage]) {
      usage.webSearches++;
    }
  }

  /** Yields to other tasks in the middle of a lot of work. */
  async breathe(): Promise<void> {
    await nextTurn();
    this.#stopped.signal.throwIfAborted();
  }

  /** Emits the pending span of the turn's model requests around the events of `work`. Some services have only this span. */
  emitSpanAround(work: () => void): void {
    const span = this.#span;
    this.#span = undefined;
    const start = span && this.session.emit(this.thread, 'span.model_request_start', {}).id;
    work();
    if (span !== undefined) {
      const fields = { ...spanFields(span, this.agent.model.id), model_request_start_id: start };
      this.session.emit(this.thread, 'span.model_request_end', fields);
    }
  }
}

/** Tokens of the system prompt and the tools in the first request of a thread. */
const baseTokens = 1800;

/** Tokens of one model request, and its cost in thousandths of a cent. */
export interface Span {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: number;
  readonly isError: boolean;
}

export const failedSpan: Span = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, isError: true };

/**
 * Returns the span of a request and adds it to the `usage` of its thread. Earlier input is read from the cache, and new input is written to
 * the cache. `written` is the number of characters that the model wrote. `cost` is an additional cost in cents.
 */
export function countSpan(usage: Usage, system: string | null, written: number, cost: number): Span {
  const isFirst = usage.cacheWriteTokens === 0;
  const said = Math.ceil(written / 4);
  const input = 12;
  const output = Math.max(1, said);
  const cacheRead = usage.cacheWriteTokens;
  const cacheWrite = said + (isFirst ? baseTokens + Math.ceil((system?.length ?? 0) / 4) : 24);
  const price = input * 0.3 + output * 1.5 + cacheRead * 0.03 + cacheWrite * 0.375;
  const span: Span = { input, output, cacheRead, cacheWrite, cost: price + cost * 1000, isError: false };
  addSpan(usage, span);
  return span;
}

export function addSpan(usage: Usage, span: Span): void {
  usage.inputTokens += span.input;
  usage.outputTokens += span.output;
  usage.cacheReadTokens += span.cacheRead;
  usage.cacheWriteTokens += span.cacheWrite;
  usage.cost += span.cost;
}

/** Converts the tokens to their response form: flat, or below the model's id as on one server. */
export function spanFields(span: Span, model?: string): { readonly is_error: boolean; readonly model_usage: object } {
  const flat = {
    input_tokens: span.input,
    output_tokens: span.output,
    cache_creation_input_tokens: span.cacheWrite,
    cache_read_input_tokens: span.cacheRead,
    speed: 'standard',
  };
  const usage = model === undefined ? flat : { [model]: { inputTokens: span.input, outputTokens: span.output } };
  return { is_error: span.isError, model_usage: usage };
}
