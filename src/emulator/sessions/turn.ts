import type { ServerStyle } from '../http/serverStyle';
import { Interrupted, interruptedWords, Line, type LineTurn, TurnEnd } from './line';
import { resumeCalls, runScript } from './scripts/runScript';
import type { Answer } from './sentEvents';
import type { OpenCall } from './sessionRecord';
import type { StopReason, StoredSession } from './storedSession';

/** One turn: from the first processed event until the session is idle and no call is pending. */
export class Turn implements LineTurn {
  readonly #lines: Line[] = [];
  readonly #active = new Set<Line>();
  /** Threads that wait for the client. */
  readonly #waiting = new Set<Line>();
  readonly #answers = new Map<string, (answer: Answer) => void>();
  #isDropped = false;

  constructor(
    readonly session: StoredSession,
    /** Called when no work is left. */
    private readonly ended: () => void,
  ) {}

  /** Runs the script of each queued event in order. */
  start(): void {
    const main = this.line(this.session.primary.id);
    void this.#run(main, async () => {
      this.wake(main);
      for (let taken = this.session.takeQueued(); taken.length > 0; taken = this.session.takeQueued()) {
        await runScript(main, taken);
        main.throwIfStopped();
      }
    });
  }

  /** Waits again for the pending calls of an earlier run of the emulator. Other work of the earlier run has ended. */
  resume(): void {
    const { record } = this.session;
    const main = this.line(this.session.primary.id);
    const style = this.session.parts.style();
    for (const thread of record.threads) {
      const isOpen = record.openCalls.some(call => call.threadId === thread.id);
      if (!isOpen && (thread.status === 'running' || thread.status === 'rescheduling')) {
        this.session.setThreadStatus(thread, 'idle', { stop_reason: { type: 'end_turn' } });
      }
    }
    const asked = this.#asked();
    if (record.status !== 'idle' && record.openCalls.some(call => idlesSession(call, style))) {
      this.session.becomeIdle({ type: 'requires_action', event_ids: asked });
    }
    const calls = record.openCalls.splice(0);
    void this.#run(main, () => resumeCalls(main, calls));
  }

  /** Ends a turn that can't continue. */
  fail(message: string): void {
    const main = this.line(this.session.primary.id);
    void this.#run(main, async () => {
      throw new Error(message);
    });
  }

  line(threadId: string): Line {
    const line = new Line(this, this.session.thread(threadId));
    this.#lines.push(line);
    return line;
  }

  /** Stops a thread. Without `threadId`, or for the primary thread, stops the whole turn. */
  interrupt(threadId: string | undefined): void {
    const whole = threadId === undefined || threadId === this.session.primary.id;
    for (const line of this.#lines) {
      if (whole || line.thread.id === threadId) {
        line.stop(new Interrupted());
      }
    }
  }

  drop(): void {
    this.#isDropped = true;
    for (const line of this.#lines) {
      line.stop(new Interrupted());
    }
  }

  answer(call: OpenCall, answer: Answer): void {
    const { record } = this.session;
    record.openCalls = record.openCalls.filter(open => open.eventId !== call.eventId);
    this.session.changed();
    if (this.session.parts.style().repeatsIdle && this.session.record.status === 'idle' && this.#asked().length > 0) {
      this.session.becomeIdle({ type: 'requires_action', event_ids: this.#asked() });
    }
    this.#answers.get(call.eventId)?.(answer);
    this.#answers.delete(call.eventId);
  }

  /** Resolves when each call has an answer. The session is idle meanwhile unless another thread runs. */
  async wait(line: Line, calls: readonly OpenCall[]): Promise<ReadonlyMap<string, Answer>> {
    const style = this.session.parts.style();
    const answers = calls.map(
      ({ eventId }) => new Promise<readonly [string, Answer]>(resolve => this.#answers.set(eventId, answer => resolve([eventId, answer]))),
    );
    this.session.record.openCalls.push(...calls);
    this.session.changed();
    const idles = calls.some(call => idlesSession(call, style));
    if (idles) {
      this.#waiting.add(line);
      this.rest(line, { type: 'requires_action', event_ids: calls.map(call => call.eventId) });
    }
    const given = await line.interruptible(Promise.all(answers));
    if (idles) {
      this.#waiting.delete(line);
      this.wake(line);
    }
    return new Map(given);
  }

  /** Marks the thread as running, and the session with it. */
  wake(line: Line): void {
    if (this.#active.has(line)) {
      return;
    }
    this.#active.add(line);
    line.due = this.session.parts.clock.now();
    this.session.setThreadStatus(line.thread, 'running');
    if (this.session.record.status !== 'running') {
      this.session.setStatus('running');
      this.session.emit(this.session.primary, 'session.status_running', {});
    }
  }

  /** Marks the thread as idle. If no other thread runs, the session becomes idle too and lists its pending calls. */
  rest(line: Line, stop: StopReason): void {
    if (!this.#active.delete(line)) {
      return;
    }
    this.session.setThreadStatus(line.thread, 'idle', { stop_reason: stop });
    if (this.#active.size === 0) {
      const asked = this.#asked();
      this.session.becomeIdle(asked.length > 0 ? { type: 'requires_action', event_ids: asked } : stop);
    }
  }

  /** Ends a stopped thread: its pending calls get an error as result. */
  close(line: Line, reason: string): void {
    for (const call of line.calls.unanswered) {
      line.calls.emitResult(call, [{ type: 'text', text: reason }], true);
    }
    const { record } = this.session;
    record.openCalls = record.openCalls.filter(open => open.threadId !== line.thread.id);
    if (this.#waiting.delete(line)) {
      // The final events count as activity, although the thread was already idle.
      this.#active.add(line);
    }
  }

  async #run(main: Line, script: () => Promise<void>): Promise<void> {
    let stop: StopReason['type'] | 'terminated' = 'end_turn';
    try {
      await script();
    } catch (error) {
      stop = this.#isDropped ? 'end_turn' : this.#stopOf(error);
    }
    if (this.#isDropped) {
      return;
    }
    this.#end(main, stop);
    this.ended();
  }

  #stopOf(error: unknown): StopReason['type'] | 'terminated' {
    const isInterrupted = error instanceof Interrupted;
    for (const line of this.#lines) {
      this.close(line, isInterrupted ? interruptedWords : 'The turn ended before it was finished.');
    }
    if (isInterrupted) {
      this.session.closeOutcome('interrupted', 'The user interrupted the session.');
      return 'end_turn';
    }
    this.session.closeOutcome('failed', 'The turn ended before it was judged.');
    if (error instanceof TurnEnd) {
      return error.stop;
    }
    const message = error instanceof Error ? error.message : String(error);
    this.session.emit(this.session.primary, 'session.error', {
      error: { type: 'unknown_error', message, retry_status: { type: 'exhausted' } },
    });
    return 'retries_exhausted';
  }

  #end(main: Line, stop: StopReason['type'] | 'terminated'): void {
    const { session } = this;
    session.record.openCalls = [];
    for (const line of this.#lines) {
      if (line !== main && this.#active.has(line)) {
        session.setThreadStatus(line.thread, 'idle', { stop_reason: { type: 'end_turn' } });
      }
    }
    this.#active.clear();
    if (stop === 'terminated') {
      session.setThreadStatus(main.thread, 'terminated');
      session.setStatus('terminated');
      session.emit(session.primary, 'session.status_terminated', {});
      return;
    }
    this.#active.add(main);
    main.emitSpanAround(() => this.rest(main, { type: stop }));
  }

  /** Returns the ids of the events that wait for the client, on all threads. */
  #asked(): readonly string[] {
    return this.session.record.openCalls.filter(({ waitsFor }) => waitsFor !== 'toolResult').map(call => call.eventId);
  }
}

/** Returns whether a pending call makes its session idle. Permissions always do, custom tools on most servers, built-in tools never. */
function idlesSession({ waitsFor }: OpenCall, style: ServerStyle): boolean {
  return waitsFor === 'permission' || (waitsFor === 'customResult' && style.customToolIdles);
}
