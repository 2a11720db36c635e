import { appendFileSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { WireObject } from '../http/toWire';
import { randomId } from '../state/recordStore';

export function newEventId(): string {
  return `sevt_${randomId(24)}`;
}

/** Event as sent to clients. */
export interface WireEvent extends WireObject {
  readonly id: string;
}

/** Event of a log with its JSON text, which is created only once. */
interface StoredEvent {
  readonly id: string;
  readonly type: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly json: string;
}

/** Message to the listeners of a log: a stored event, or a preview that is not stored. */
export interface LogNews {
  readonly type: string;
  readonly json: string;
  /** Type of the previewed event. Absent for a stored event. */
  readonly previewOf?: string;
}

/**
 * Events of one thread in the order they were stored. An event can be amended. The event keeps its position, and listeners receive it
 * again. If the log has a file, events are saved there and read when the log is opened.
 */
export class EventLog {
  readonly #file: string | undefined;
  readonly #events: StoredEvent[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #listeners = new Set<(news: readonly LogNews[]) => void>();

  /** Creates a new log. Its file is created with the first event. */
  constructor(file: string | undefined) {
    this.#file = file;
    if (file !== undefined) {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    }
  }

  /** Opens the log of a file, or an empty one in memory. An unreadable line is left out. */
  static async open(file: string | undefined): Promise<EventLog> {
    const log = new EventLog(file);
    if (file !== undefined) {
      const text = await readFile(file, 'utf8').catch(() => '');
      for (const line of text.split('\n')) {
        log.#restore(line);
      }
    }
    return log;
  }

  #restore(line: string): void {
    try {
      const [, createdAt = '', json = ''] = /^(\d+) (.*)$/s.exec(line) ?? [];
      // This class wrote the JSON, so every line that can be parsed is an event.
      const { id, type } = JSON.parse(json) as WireEvent;
      this.#put({ id, type, createdAt: Number(createdAt), json });
    } catch {
      // The line was not written completely.
    }
  }

  get length(): number {
    return this.#events.length;
  }

  append(events: readonly WireEvent[], createdAt: number): void {
    this.#store(events.map(event => ({ id: event.id, type: event.type, createdAt, json: JSON.stringify(event) })));
  }

  /** Changes fields of a stored event at its position and notifies listeners. */
  amend(id: string, fields: Readonly<Record<string, unknown>>): void {
    const old = this.#events[this.#indexes.get(id) ?? -1];
    if (old !== undefined) {
      this.#store([{ ...old, json: JSON.stringify({ ...JSON.parse(old.json), ...fields }) }]);
    }
  }

  /** Sends an event that is not stored to listeners who asked for previews of `previewOf`. */
  preview(event: WireObject, previewOf: string): void {
    if (this.#listeners.size > 0) {
      this.#notify([{ type: event.type, json: JSON.stringify(event), previewOf }]);
    }
  }

  get(id: string): WireEvent | undefined {
    const stored = this.#events[this.#indexes.get(id) ?? -1];
    // This class wrote the JSON, so it needs no validation.
    return stored && (JSON.parse(stored.json) as WireEvent);
  }

  /** Returns the event at a 0-based position. */
  at(index: number): StoredEvent | undefined {
    return this.#events[index];
  }

  /**
   * Calls `listener` with everything that is stored or previewed from now on, and with an empty list at the end. The returned function
   * unsubscribes.
   */
  listen(listener: (news: readonly LogNews[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the log for all listeners. No event will follow. */
  end(): void {
    for (const listener of this.#listeners) {
      listener([]);
    }
  }

  #store(events: readonly StoredEvent[]): void {
    for (const event of events) {
      this.#put(event);
    }
    this.#keep(events);
    this.#notify(events);
  }

  #put(event: StoredEvent): void {
    const index = this.#indexes.get(event.id);
    if (index === undefined) {
      this.#indexes.set(event.id, this.#events.length);
      this.#events.push(event);
    } else {
      this.#events[index] = event;
    }
  }

  #notify(news: readonly LogNews[]): void {
    for (const listener of this.#listeners) {
      listener(news);
    }
  }

  #keep(events: readonly StoredEvent[]): void {
    if (this.#file === undefined) {
      return;
    }
    try {
      appendFileSync(this.#file, events.map(({ createdAt, json }) => `${createdAt} ${json}\n`).join(''), { mode: 0o600 });
    } catch (error) {
      console.error(`Events could not be kept: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
