import type { DialectName } from '../../client/dialect';
import type { EmulatorClock } from '../emulatorClock';
import type { Files } from '../files/files';
import { ApiError, invalidRequest } from '../http/apiError';
import { toEraJson } from '../http/eraFields';
import type { ServerStyle } from '../http/serverStyle';
import { toTime, type WireObject } from '../http/toWire';
import type { MemoryStores } from '../memories/memories';
import type { Scenario } from '../scenarios';
import { type EventLog, newEventId, type WireEvent } from './eventLog';
import type { SentEvent } from './sentEvents';
import { newThread, type SessionRecord, type Status, type ThreadRecord, toUsage } from './sessionRecord';

export interface SessionParts {
  readonly clock: EmulatorClock;
  readonly scenario: () => Scenario;
  readonly style: () => ServerStyle;
  readonly dialect: DialectName;
  readonly files: Files;
  /** Called for every event stored on a log. */
  readonly notify: (sessionId: string, event: WireEvent) => void;
  readonly memories: MemoryStores;
  readonly save: (record: SessionRecord) => void;
  readonly newLog: (sessionId: string, threadId: string) => EventLog;
}

/** Reason why a turn ended or waits (API facts, section 8.2). */
export interface StopReason {
  readonly type: 'end_turn' | 'requires_action' | 'retries_exhausted' | 'budget_reached' | 'refusal';
  readonly event_ids?: readonly string[];
}

/** Fields of an event other than its id and times. */
export type EventFields = Readonly<Record<string, unknown>>;

/**
 * State and logs of a session. Every change goes through this class, so that state and events agree. The changes are triggered by
 * `LiveSession` and the turns.
 */
export class StoredSession {
  readonly #since = new Map<string, number>();
  /** Events that were sent but not processed yet. */
  protected readonly queued: SentEvent[] = [];

  constructor(
    readonly record: SessionRecord,
    /** Logs by thread id. */
    readonly logs: Map<string, EventLog>,
    readonly parts: SessionParts,
  ) {}

  get primary(): ThreadRecord {
    const [primary] = this.record.threads;
    if (primary === undefined) {
      throw new Error(`Session ${this.record.id} has no thread`);
    }
    return primary;
  }

  /** Returns the thread, or throws the service's 404. */
  thread(id: string): ThreadRecord {
    return partOf(this.record.threads, id, 'Thread');
  }

  log(threadId = this.primary.id): EventLog {
    const log = this.logs.get(threadId);
    if (log === undefined) {
      throw new ApiError('not_found_error', `Thread not found: ${threadId}`);
    }
    return log;
  }

  /** Stores an event on its thread's log, and also on the session's log if `alsoOnSession`. */
  emit(thread: ThreadRecord, type: string, fields: EventFields, alsoOnSession = false): WireEvent {
    const whole = this.envelope(thread, { ...fields, type, processed_at: this.time() });
    const event: WireEvent = this.parts.dialect === 'contract' ? whole : JSON.parse(toEraJson(whole, this.parts.dialect));
    const now = this.parts.clock.now();
    this.log(thread.id).append([event], now);
    this.parts.notify(this.record.id, event);
    if (alsoOnSession && thread.parentId !== null) {
      this.log().append([event], now);
    }
    return event;
  }

  /** Stores many events at once, unchanged. Adds missing ids and times. */
  append(threadId: string, events: readonly WireObject[]): readonly WireEvent[] {
    const thread = this.thread(threadId);
    const processedAt = this.time();
    const whole = events.map(event => this.envelope(thread, { processed_at: processedAt, ...event }));
    this.log(threadId).append(whole, this.parts.clock.now());
    return whole;
  }

  /** Sets the status of a thread and emits it. Only some services emit the status of the primary thread. */
  setThreadStatus(thread: ThreadRecord, status: Status, fields: EventFields = {}): void {
    this.#count(thread.id, thread, thread.status, status);
    thread.status = status;
    thread.updatedAt = this.parts.clock.now();
    this.changed();
    if (thread.parentId !== null || this.parts.style().reportsUsageAndThreads) {
      const type = `session.thread_status_${status === 'rescheduling' ? 'rescheduled' : status}`;
      this.emit(thread, type, { session_thread_id: thread.id, agent_name: thread.agent.name, ...fields }, true);
    }
  }

  setStatus(status: Status): void {
    this.#count('', this.record, this.record.status, status);
    this.record.status = status;
    this.changed();
  }

  /** Emits that the session is idle. Some services emit its usage first. */
  becomeIdle(stopReason: StopReason): void {
    this.setStatus('idle');
    const { record } = this;
    const { reportsUsageAndThreads, showsModelsCalls } = this.parts.style();
    if (reportsUsageAndThreads) {
      this.emit(this.primary, 'session.usage', { usage: toUsage(record.usage), budget: record.budget });
    }
    const details = showsModelsCalls && stopReason.event_ids !== undefined ? { requires_action_details: stopReason } : {};
    this.emit(this.primary, 'session.status_idle', { stop_reason: stopReason, ...details });
  }

  /** Marks the queued events as processed and returns them. */
  takeQueued(): readonly SentEvent[] {
    for (const id of this.record.queued.splice(0)) {
      this.stamp(id);
    }
    return this.queued.splice(0);
  }

  stamp(id: string): void {
    if (this.log().get(id)?.processed_at === null) {
      this.log().amend(id, { processed_at: this.time() });
    }
  }

  /** Closes the outcome in progress, if there is one. A queued outcome stays open. */
  closeOutcome(result: string, explanation: string): void {
    const isQueued = this.queued.some(({ type }) => type === 'user.define_outcome');
    for (const outcome of this.record.outcomes) {
      if (outcome.completedAt === null && !isQueued) {
        Object.assign(outcome, { result, explanation, completedAt: this.parts.clock.now() });
      }
    }
    this.changed();
  }

  get budgetIsSpent(): boolean {
    const { budget, usage } = this.record;
    return budget !== null && usage.cost >= Number(budget.max_list_cost.amount) * 1000;
  }

  addThread(agent: ThreadRecord['agent'], runId?: string): ThreadRecord {
    const thread = newThread(agent, this.primary.id, this.parts.clock.now(), runId);
    this.record.threads.push(thread);
    this.logs.set(thread.id, this.parts.newLog(this.record.id, thread.id));
    this.changed();
    return thread;
  }

  /** Archives a thread of a sub-agent. Idempotent. Throws a 400 for the primary thread and while it runs. */
  archiveThread(id: string): ThreadRecord {
    const thread = this.thread(id);
    if (thread.parentId === null) {
      throw invalidRequest('the primary thread cannot be archived');
    }
    if (thread.archivedAt === null) {
      if (thread.status === 'running' || thread.status === 'rescheduling') {
        throw invalidRequest('running threads cannot be archived');
      }
      thread.archivedAt = this.parts.clock.now();
      thread.updatedAt = thread.archivedAt;
      this.changed();
    }
    return thread;
  }

  removeResource(id: string): void {
    this.record.resources = this.record.resources.filter(resource => resource.id !== id);
    this.changed();
  }

  changed(): void {
    this.record.updatedAt = this.parts.clock.now();
    this.parts.save(this.record);
  }

  time(): string {
    return toTime(this.parts.clock.now(), this.parts.style().wholeSeconds);
  }

  protected envelope(thread: ThreadRecord, { type, id, ...fields }: WireObject): WireEvent {
    const own = this.parts.style().wholeSeconds ? { created_at: this.time(), session_thread_id: thread.id } : {};
    return { type, id: typeof id === 'string' ? id : newEventId(), ...own, ...fields };
  }

  /** Adds the time during which the thread or session was running. */
  #count(key: string, counted: { readonly usage: { activeMilliseconds: number } }, from: Status, to: Status): void {
    const now = this.parts.clock.now();
    if (from === 'running' && to !== 'running') {
      counted.usage.activeMilliseconds += now - (this.#since.get(key) ?? now);
    } else if (from !== 'running' && to === 'running') {
      this.#since.set(key, now);
    }
  }
}

/** Returns the part of a session with this id, or throws the service's 404. */
export function partOf<T extends { readonly id: string }>(parts: readonly T[], id: string, noun: string): T {
  const found = parts.find(part => part.id === id);
  if (found === undefined) {
    throw new ApiError('not_found_error', `${noun} not found: ${id}`);
  }
  return found;
}
