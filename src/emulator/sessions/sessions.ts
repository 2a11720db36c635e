import { rm } from 'node:fs/promises';
import path from 'node:path';
import { invalidRequest } from '../http/apiError';
import { RecordStore, randomId, type StoreContext } from '../state/recordStore';
import { EventLog, type WireEvent } from './eventLog';
import { acceptSent, type CallAnswer, isAnswer, type SentEvent } from './sentEvents';
import { type SessionRecord, sessionRecordSchema } from './sessionRecord';
import { type SessionParts, StoredSession } from './storedSession';
import { Turn } from './turn';

/** Loaded session. Accepts the events of clients and processes them in turns. */
export class LiveSession extends StoredSession {
  #turn: Turn | undefined;

  /** Continues after a restart of the emulator. Pending calls keep waiting, other running work has failed. */
  resume(): void {
    const { record } = this;
    for (const id of record.queued) {
      const event = this.log().get(id);
      if (event !== undefined) {
        // The event was checked when it was sent.
        this.queued.push(event as object as SentEvent);
      }
    }
    const turn = this.#newTurn();
    if (record.openCalls.length > 0) {
      this.#turn = turn;
      turn.resume();
    } else if (record.status === 'running' || record.status === 'rescheduling') {
      this.#turn = turn;
      turn.fail('The emulator was stopped in the middle of this turn.');
    } else {
      this.turnEnded();
    }
  }

  /**
   * Stores events of a client. The session processes them after this call has returned. Throws a 400 and stores nothing if an event is not
   * accepted.
   */
  send(sent: readonly SentEvent[]): readonly WireEvent[] {
    const { record, parts } = this;
    const style = parts.style();
    if (record.archivedAt !== null) {
      throw invalidRequest('archived sessions do not accept new events');
    }
    if (record.status === 'terminated') {
      throw invalidRequest('terminated sessions do not accept new events');
    }
    const answers = acceptSent(sent, this);
    const stored = sent.map((event): WireEvent => {
      const fields = event.type === 'user.define_outcome' ? this.#outcomeFields(event) : event;
      const isLater =
        style.stampsLater === 'all' || (style.stampsLater === 'messages' && !isAnswer(event) && event.type !== 'user.define_outcome');
      return this.envelope(this.primary, { ...fields, processed_at: isLater ? null : this.time() });
    });
    this.log().append(stored, parts.clock.now());
    this.changed();
    queueMicrotask(() => this.#act(sent, stored, answers));
    return stored;
  }

  #newTurn(): Turn {
    return new Turn(this, () => this.turnEnded());
  }

  /** Handles the end of the turn. Starts the next turn if events other than system messages were sent meanwhile. */
  turnEnded(): void {
    this.#turn = undefined;
    if (this.queued.some(({ type }) => type !== 'system.message') && this.record.status !== 'terminated') {
      this.#turn = this.#newTurn();
      this.#turn.start();
    } else {
      this.takeQueued();
    }
  }

  /** Stops running work without an event: the session is archived or deleted, or the emulator stops. */
  drop(): void {
    this.#turn?.drop();
    this.#turn = undefined;
  }

  #outcomeFields(event: SentEvent & { readonly type: 'user.define_outcome' }): SentEvent & { readonly outcome_id: string } {
    const id = `outc_${randomId(24)}`;
    const maxIterations = event.max_iterations ?? 3;
    this.record.outcomes.push({
      id,
      description: event.description,
      maxIterations,
      result: 'pending',
      iteration: 0,
      completedAt: null,
      explanation: null,
    });
    return { ...event, outcome_id: id, max_iterations: maxIterations };
  }

  #act(sent: readonly SentEvent[], stored: readonly WireEvent[], answers: ReadonlyMap<SentEvent, CallAnswer>): void {
    sent.forEach((event, at) => {
      const id = stored[at]?.id ?? '';
      if (event.type !== 'user.interrupt' && !isAnswer(event)) {
        this.queued.push(event);
        this.record.queued.push(id);
        return;
      }
      this.stamp(id);
      const found = answers.get(event);
      if (found !== undefined) {
        this.#turn?.answer(found.call, found.answer);
      } else if (event.type === 'user.interrupt') {
        this.#turn?.interrupt(event.session_thread_id ?? undefined);
      }
    });
    if (this.#turn === undefined) {
      this.turnEnded();
    }
    this.changed();
  }
}

/** Sessions of the emulator (contract, Session; API facts, sections 7 to 9). The logs of a session are read on first use. */
export class Sessions extends RecordStore<SessionRecord> {
  readonly #live = new Map<string, LiveSession>();
  readonly #opening = new Map<string, Promise<LiveSession>>();
  readonly #parts: SessionParts;

  constructor(context: StoreContext, parts: Omit<SessionParts, 'clock' | 'save' | 'newLog'>) {
    super(context, { folder: 'sessions', noun: 'Session', prefix: 'sesn_', schema: sessionRecordSchema });
    this.#parts = {
      ...parts,
      clock: context.clock,
      save: record => this.#save(record),
      newLog: (sessionId, threadId) => new EventLog(this.#fileOf(sessionId, threadId)),
    };
  }

  /** Reads the sessions of an earlier run. Pending calls keep waiting, other running work has failed. */
  override async load(): Promise<this> {
    await super.load();
    const underWay = this.list().filter(isUnderWay);
    await Promise.all(underWay.map(({ id }) => this.live(id)));
    return this;
  }

  /** Returns the session with its logs. Throws the service's 404. */
  async live(id: string): Promise<LiveSession> {
    const record = this.get(id);
    const open = this.#live.get(id);
    if (open !== undefined) {
      return open;
    }
    const opening = this.#opening.get(id) ?? this.#open(record).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  start(fields: Parameters<Sessions['add']>[0]): LiveSession {
    const record = this.add(fields);
    const logs = new Map(record.threads.map(thread => [thread.id, this.#parts.newLog(record.id, thread.id)]));
    const session = new LiveSession(record, logs, this.#parts);
    this.#live.set(record.id, session);
    return session;
  }

  /** Archives a session permanently. Idempotent. Throws a 400 while the session is running. */
  override async archive(id: string): Promise<SessionRecord> {
    const session = await this.live(id);
    const { record } = session;
    if (record.archivedAt === null) {
      refuseRunning(record, 'archived');
      session.drop();
      record.openCalls = [];
      record.archivedAt = this.#parts.clock.now();
      session.changed();
    }
    return record;
  }

  /** Deletes a session, with a last event on its streams. Throws a 400 while it runs. */
  override async delete(id: string): Promise<void> {
    const session = await this.live(id);
    refuseRunning(session.record, 'deleted');
    session.drop();
    session.emit(session.primary, 'session.deleted', {});
    for (const log of session.logs.values()) {
      log.end();
    }
    this.#live.delete(id);
    await super.delete(id);
    await rm(path.join(this.folder, id), { recursive: true, force: true });
  }

  /** Stops running work. At the next start, pending calls keep waiting and other work has failed. */
  stop(): void {
    for (const session of this.#live.values()) {
      session.drop();
    }
  }

  /** Saves a change made in the middle of a turn. The turn continues even if the disk fails. */
  #save(record: SessionRecord): void {
    try {
      this.put(record);
    } catch (error) {
      console.error(`Session ${record.id} could not be kept: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #open(record: SessionRecord): Promise<LiveSession> {
    const entries = record.threads.map(async ({ id }) => [id, await EventLog.open(this.#fileOf(record.id, id))] as const);
    const session = new LiveSession(record, new Map(await Promise.all(entries)), this.#parts);
    this.#live.set(record.id, session);
    session.resume();
    return session;
  }

  #fileOf(sessionId: string, threadId: string): string | undefined {
    return this.context.isPersistent ? path.join(this.folder, sessionId, `${threadId}.events`) : undefined;
  }
}

function isUnderWay({ status, openCalls, queued }: SessionRecord): boolean {
  return status === 'running' || status === 'rescheduling' || openCalls.length > 0 || queued.length > 0;
}

function refuseRunning(record: SessionRecord, what: string): void {
  if (record.status === 'running' || record.status === 'rescheduling') {
    throw invalidRequest(`running sessions cannot be ${what}`);
  }
}
