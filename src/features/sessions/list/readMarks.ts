import type { Disposable, Memento } from 'vscode';
import { realTimers, type Timers } from '../../../common/lists/poller';
import type { SessionReference } from '../../../contributions';
import { sessionKey } from '../facts/sessionKey';

/** How far the user has seen the sessions that were looked at in this workspace, by the service's clock. Bounded. */
export class ReadMarks implements Disposable {
  private readonly marks: Map<string, number>;
  private timer: unknown;

  constructor(
    private readonly memento: Pick<Memento, 'get' | 'update'>,
    private readonly timers: Timers = realTimers,
  ) {
    const kept: unknown = memento.get(key);
    this.marks = new Map(Array.isArray(kept) ? kept.filter(isMark) : []);
  }

  /** Notes that the user saw a session as it was at a time of the service. Answers whether that is news. */
  mark(reference: SessionReference, updatedAt: string | null | undefined): boolean {
    const seen = Date.parse(updatedAt ?? '');
    const name = sessionKey(reference);
    if (Number.isNaN(seen) || (this.marks.get(name) ?? -1) >= seen) {
      return false;
    }
    this.marks.delete(name);
    this.marks.set(name, seen);
    for (const oldest of this.marks.keys()) {
      if (this.marks.size <= mostMarks) {
        break;
      }
      this.marks.delete(oldest);
    }
    // While a session streams it is seen many times a second.
    this.timer ??= this.timers.set(() => this.write(), writeAfter);
    return true;
  }

  /** Whether something happened in a session since the user looked at it. One that was never looked at is not unread. */
  isUnread(reference: SessionReference, updatedAt: string | null | undefined): boolean {
    const seen = this.marks.get(sessionKey(reference));
    return seen !== undefined && Date.parse(updatedAt ?? '') - seen > sameMoment;
  }

  dispose(): void {
    if (this.timer !== undefined) {
      this.timers.clear(this.timer);
      this.write();
    }
  }

  private write(): void {
    this.timer = undefined;
    // What cannot be kept is unread once more, which hurts nobody.
    this.memento.update(key, [...this.marks]).then(undefined, () => undefined);
  }
}

const key = 'managedAgents.sessionsRead';
const mostMarks = 500;
// Milliseconds. Some services keep whole seconds, and write down a change a moment after its event.
const sameMoment = 2_000;
const writeAfter = 2_000;

function isMark(value: unknown): value is [string, number] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number';
}
