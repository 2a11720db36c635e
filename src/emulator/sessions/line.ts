import { setImmediate as nextTurn } from 'node:timers/promises';
import { piecesOf } from '../messagePieces';
import { randomId } from '../state/state';
import { newEventId } from './eventId';
import type { EventFields, KeptSession, StopReason, UnstoredEvent } from './keptSession';
import { addSpan, countSpan, failedSpan, type Span, spanFields } from './modelSpan';
import type { Answer } from './sentAnswers';
import { textOf } from './sentEvents';
import type { OpenCall, ThreadRecord } from './sessionRecord';
import { type CallOutcome, type ContentBlock, type MadeCall, type Permission, permissionOf, type ToolCall, toBlocks } from './toolCalls';
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
  readonly #stopped = new AbortController();
  readonly #unanswered = new Map<string, MadeCall>();
  #written = 0;
  #span: Span | undefined;

  constructor(
    readonly turn: LineTurn,
    readonly thread: ThreadRecord,
  ) {
    this.due = turn.session.parts.clock.now();
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

  /** Calls that have no result yet. */
  get unanswered(): readonly MadeCall[] {
    return [...this.#unanswered.values()];
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
    this.#written += words.length;
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
    this.#written += textOf(content).length;
    this.emit('agent.message', { id, content });
  }

  /** Stores the events of calls; `finish` runs them. */
  async call(...calls: readonly ToolCall[]): Promise<readonly MadeCall[]> {
    const made: MadeCall[] = [];
    for (const call of calls) {
      await this.pause(0.5);
      this.#written += JSON.stringify(call.input).length;
      const permission = permissionOf(this.agent, call);
      const one: MadeCall = {
        ...this.#emitUse(call, permission),
        kind: call.kind,
        name: call.name,
        permission,
        result: toBlocks(call.result),
        isError: call.isError ?? false,
      };
      this.#unanswered.set(one.eventId, one);
      made.push(one);
    }
    return made;
  }

  /** Waits for what the calls need of the client, runs those that are allowed, and stores the results. */
  async finish(calls: readonly MadeCall[]): Promise<readonly CallOutcome[]> {
    const answers = await this.#answersTo(calls);
    const outcomes: CallOutcome[] = [];
    for (const call of calls) {
      outcomes.push(await this.#finishOne(call, answers.get(call.eventId)));
    }
    return outcomes;
  }

  /** Stores the result of a call. */
  emitResult(call: MadeCall, content: readonly ContentBlock[], isError: boolean): void {
    this.#unanswered.delete(call.eventId);
    if (call.kind !== 'custom') {
      const isMcp = call.kind === 'mcp';
      const fields = { [isMcp ? 'mcp_tool_use_id' : 'tool_use_id']: call.resultOf, content, is_error: isError };
      this.session.emit(this.thread, isMcp ? 'agent.mcp_tool_result' : 'agent.tool_result', fields);
    }
  }

  /** Takes calls of an earlier run of the emulator as its own. */
  adopt(calls: readonly MadeCall[]): void {
    for (const call of calls) {
      this.#unanswered.set(call.eventId, call);
    }
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

  async #answersTo(calls: readonly MadeCall[]): Promise<ReadonlyMap<string, Answer>> {
    const open = calls.flatMap((call): OpenCall[] => {
      const waitsFor = this.#waitsFor(call);
      return waitsFor === undefined ? [] : [toOpenCall(call, this.thread.id, waitsFor)];
    });
    return open.length === 0 ? new Map<string, Answer>() : this.turn.wait(this, open);
  }

  #waitsFor({ kind, permission }: MadeCall): OpenCall['waitsFor'] | undefined {
    if (kind === 'custom') {
      return 'customResult';
    }
    if (permission === 'ask') {
      return 'permission';
    }
    return undefined;
  }

  #isRunByClient({ kind }: MadeCall): boolean {
    return kind === 'builtin' && this.session.isSelfHosted;
  }

  #takeResult(call: MadeCall, answer: Answer | undefined): CallOutcome {
    this.#unanswered.delete(call.eventId);
    return { isAllowed: true, isError: answer?.isError ?? false, text: textOf(answer?.content) };
  }

  async #finishOne(call: MadeCall, answer: Answer | undefined): Promise<CallOutcome> {
    if (call.permission === 'deny') {
      const text = `The tool ${call.name} is not enabled for this agent.`;
      this.emitResult(call, [{ type: 'text', text }], true);
      return { isAllowed: false, isError: true, text };
    }
    if (answer?.content !== undefined) {
      return this.#takeResult(call, answer);
    }
    if (answer?.isAllowed === false) {
      const text = `The user denied this call${answer.denyMessage ? `: ${answer.denyMessage}` : '.'}`;
      this.emitResult(call, [{ type: 'text', text }], true);
      return { isAllowed: false, isError: true, text };
    }
    if (this.#isRunByClient(call)) {
      const results = await this.turn.wait(this, [toOpenCall(call, this.thread.id, 'toolResult')]);
      return this.#takeResult(call, results.get(call.eventId));
    }
    await this.pause();
    this.emitResult(call, call.result, call.isError);
    return { isAllowed: true, isError: call.isError, text: textOf(call.result) };
  }

  #emitUse(call: ToolCall, permission: Permission): Pick<MadeCall, 'eventId' | 'resultOf'> {
    const { name, input, kind, server } = call;
    const type = kind === 'custom' ? 'agent.custom_tool_use' : kind === 'mcp' ? 'agent.mcp_tool_use' : 'agent.tool_use';
    const asks = permission === 'ask';
    const fields = { name, input, ...(kind === 'mcp' ? { mcp_server_name: server } : {}), ...this.#threadField() };
    if (kind === 'builtin' && this.session.parts.style().showsModelsCalls) {
      const id = `toolu_${randomId(12)}`;
      const shown = { ...fields, tool_name: name, tool_use_id: id };
      const first = this.emit(type, shown);
      return { eventId: asks ? this.emit(type, { ...shown, evaluated_permission: permission }, true) : first, resultOf: id };
    }
    const eventId = this.emit(
      type,
      kind === 'custom' ? fields : { ...fields, evaluated_permission: permission },
      asks || kind === 'custom',
    );
    return { eventId, resultOf: eventId };
  }

  #threadField(): EventFields {
    return this.isPrimary ? {} : { session_thread_id: this.thread.id };
  }
}

function toOpenCall(call: MadeCall, threadId: string, waitsFor: OpenCall['waitsFor']): OpenCall {
  const { eventId, kind, name, resultOf, result, isError } = call;
  return { eventId, threadId, waitsFor, kind, name, resultOf, result: [...result], isError };
}
