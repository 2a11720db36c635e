import type { Disposable, Memento } from 'vscode';
import { realTimers, type Timers } from '../../../common/lists/poller';
import type { SessionReference } from '../../../contributions';
import { sessionKey } from '../facts/listedSession';

/** Last time, by the service's clock, at which the user saw each session in this workspace. Limited in number. */
export class ReadMarks implements Disposable {
  private readonly marks: Map<string, number>;
  private timer: unknown;

  constructor(
    private readonly memento: Pick<Memento, 'get' | 'update'>,
    private readonly timers: Timers = realTimers,
  ) {
    const saved: unknown = memento.get(key);
    this.marks = new Map(Array.isArray(saved) ? saved.filter(isMark) : []);
  }

  /** Records the `updated_at` of a session that the user saw. Returns whether it is later than the recorded one. */
  mark(reference: SessionReference, updatedAt: string | null | undefined): boolean {
    const seenAt = Date.parse(updatedAt ?? '');
    const name = sessionKey(reference);
    if (Number.isNaN(seenAt) || (this.marks.get(name) ?? -1) >= seenAt) {
      return false;
    }
    this.marks.delete(name);
    this.marks.set(name, seenAt);
    for (const oldest of this.marks.keys()) {
      if (this.marks.size <= maxMarks) {
        break;
      }
      this.marks.delete(oldest);
    }
    // A streaming session is marked many times a second.
    this.timer ??= this.timers.set(() => this.write(), writeAfter);
    return true;
  }

  /** Returns whether a session changed since the user saw it. False if they never did. */
  isUnread(reference: SessionReference, updatedAt: string | null | undefined): boolean {
    const seenAt = this.marks.get(sessionKey(reference));
    return seenAt !== undefined && Date.parse(updatedAt ?? '') - seenAt > sameMoment;
  }

  dispose(): void {
    if (this.timer !== undefined) {
      this.timers.clear(this.timer);
      this.write();
    }
  }

  private write(): void {
    this.timer = undefined;
    // A failed write marks a session as unread again, which is harmless.
    this.memento.update(key, [...this.marks]).then(undefined, () => undefined);
  }
}

const key = 'managedAgents.sessionsRead';
const maxMarks = 500;
// In milliseconds. Some services report whole seconds, or a change shortly after its event.
const sameMoment = 2_000;
const writeAfter = 2_000;

function isMark(value: unknown): value is [string, number] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number';
}
