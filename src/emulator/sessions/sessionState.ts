import { rm } from 'node:fs/promises';
import path from 'node:path';
import { invalidRequest } from '../http/apiError';
import { RecordStore } from '../state/recordStore';
import { EventLog } from './eventLog';
import type { SessionParts } from './storedSession';
import { LiveSession } from './runningSession';
import { type SessionRecord, sessionRecordSchema } from './sessionRecord';

type StateParts = Pick<SessionParts, 'clock' | 'scenario' | 'style' | 'dialect' | 'files' | 'memories' | 'tell'> & {
  /** If absent, sessions are in memory only. */
  readonly folder: string | undefined;
};

/** Sessions of the emulator (contract, Session; API facts, sections 7 to 9). The logs of a session are read on first use. */
export class SessionState {
  readonly #records: RecordStore<SessionRecord>;
  readonly #live = new Map<string, LiveSession>();
  readonly #opening = new Map<string, Promise<LiveSession>>();
  readonly #parts: StateParts;

  private constructor(parts: StateParts, records: RecordStore<SessionRecord>) {
    this.#parts = parts;
    this.#records = records;
  }

  /** Opens a folder with the sessions of an earlier run. Those that were running continue or have failed. */
  static async open(parts: StateParts): Promise<SessionState> {
    const folder = parts.folder === undefined ? undefined : path.join(parts.folder, 'sessions');
    const records = await RecordStore.open<SessionRecord>(folder, sessionRecordSchema, 'Session');
    const state = new SessionState(parts, records);
    await Promise.all(
      records
        .list()
        .filter(isUnderWay)
        .map(({ id }) => state.live(id)),
    );
    return state;
  }

  nextSequence(): number {
    return this.#records.nextSequence();
  }

  /** Returns all sessions, newest first. */
  list(): SessionRecord[] {
    return this.#records.list();
  }

  get(id: string): SessionRecord {
    return this.#records.get(id);
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

  add(record: SessionRecord): LiveSession {
    const logs = new Map(record.threads.map(thread => [thread.id, this.#newLog(record.id, thread.id)]));
    const session = new LiveSession(record, logs, this.#sessionParts());
    this.#live.set(record.id, session);
    this.#records.put(record);
    return session;
  }

  /** Archives for good. Idempotent. Throws a 400 while it runs. */
  async archive(id: string): Promise<SessionRecord> {
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
  async delete(id: string): Promise<void> {
    const session = await this.live(id);
    refuseRunning(session.record, 'deleted');
    session.drop();
    session.emit(session.primary, 'session.deleted', {});
    for (const log of session.logs.values()) {
      log.end();
    }
    this.#live.delete(id);
    await this.#records.delete(id);
    const folder = this.#folderOf(id);
    if (folder !== undefined) {
      await Promise.all([...session.logs.values()].map(log => log.flush()));
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Stops running work, which continues or has failed at the next start. Resolves when everything is on disk. */
  async stop(): Promise<void> {
    for (const session of this.#live.values()) {
      session.drop();
    }
    const logs = [...this.#live.values()].flatMap(session => [...session.logs.values()]);
    await Promise.all([this.#records.flush(), ...logs.map(log => log.flush())]);
  }

  async #open(record: SessionRecord): Promise<LiveSession> {
    const entries = record.threads.map(async ({ id }) => [id, await EventLog.open(this.#fileOf(record.id, id))] as const);
    const session = new LiveSession(record, new Map(await Promise.all(entries)), this.#sessionParts());
    this.#live.set(record.id, session);
    session.resume();
    return session;
  }

  #sessionParts(): SessionParts {
    const { clock, scenario, style, dialect, files, memories, tell } = this.#parts;
    return {
      clock,
      scenario,
      style,
      dialect,
      files,
      ...(tell === undefined ? {} : { tell }),
      memories,
      save: record => void this.#records.put(record),
      newLog: (sessionId, threadId) => this.#newLog(sessionId, threadId),
    };
  }

  #newLog(sessionId: string, threadId: string): EventLog {
    return EventLog.create(this.#fileOf(sessionId, threadId));
  }

  #folderOf(sessionId: string): string | undefined {
    return this.#parts.folder === undefined ? undefined : path.join(this.#parts.folder, 'sessions', sessionId);
  }

  #fileOf(sessionId: string, threadId: string): string | undefined {
    const folder = this.#folderOf(sessionId);
    return folder === undefined ? undefined : path.join(folder, `${threadId}.events`);
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
