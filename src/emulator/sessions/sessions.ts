import { rm } from 'node:fs/promises';
import path from 'node:path';
import { invalidRequest } from '../http/apiError';
import { RecordStore, type StoreContext } from '../state/recordStore';
import { EventLog } from './eventLog';
import { LiveSession } from './runningSession';
import { type SessionRecord, sessionRecordSchema } from './sessionRecord';
import type { SessionParts } from './storedSession';

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
