import type { TranscriptEvent } from '../event';
import { foreignThreadOf, type LinkedLog, type RowSource } from './rowSource';
import { isOfSession } from './turnScope';

/** An event that says that the user is waited for, and the ids it names. */
interface Note {
  readonly source: RowSource;
  readonly event: TranscriptEvent;
  readonly waitsFor: readonly string[];
}

/** The rows that say that the user is waited for: they say so only until everything they name was answered, or a newer word came. */
export class WaitingNotes {
  readonly #log: LinkedLog;
  readonly #open = new Set<Note>();

  constructor(log: LinkedLog) {
    this.#log = log;
  }

  /** An event that came last, with its row: it takes the place of what was said before of the same thread, or of the session. */
  take(event: TranscriptEvent, seq: number, source?: RowSource, waitsFor: readonly string[] = []): void {
    const { shownThread } = this.#log;
    for (const note of this.#open) {
      const isSameThread = foreignThreadOf(note.event, shownThread) === foreignThreadOf(event, shownThread);
      if (isOfSession(event) ? isOfSession(note.event) : isSameThread && !isOfSession(note.event)) {
        this.#settle(note, seq);
      }
    }
    if (source !== undefined && waitsFor.length > 0) {
      this.#open.add({ source, event, waitsFor });
    }
  }

  /** Something was answered or ended with the event at a place; `isWaiting` tells of the ids that are named. */
  settle(seq: number, isWaiting: (eventId: string) => boolean): void {
    for (const note of this.#open) {
      if (!note.waitsFor.some(isWaiting)) {
        this.#settle(note, seq);
      }
    }
  }

  #settle(note: Note, seq: number): void {
    note.source.end = seq;
    this.#log.dirty.add(note.source);
    this.#open.delete(note);
  }
}
