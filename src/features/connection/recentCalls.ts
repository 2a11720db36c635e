import type { CallRecord } from '../../client/clientOptions';

/** A call and when it ended, in milliseconds since 1970. */
export interface RecentCall extends CallRecord {
  readonly endedAt: number;
}

/** How many are kept of those that went well, and of those that did not: looks that repeat push no failure out. */
const kept = 15;

/** The last calls of this window to any service, for a report of what went wrong. In memory only. */
export class RecentCalls {
  private readonly well: RecentCall[] = [];
  private readonly failed: RecentCall[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  note(call: CallRecord): void {
    const calls = call.status !== undefined && call.status < 400 ? this.well : this.failed;
    calls.push({ ...call, endedAt: this.now() });
    if (calls.length > kept) {
      calls.shift();
    }
  }

  /** The newest first. */
  list(): readonly RecentCall[] {
    return [...this.well, ...this.failed].sort((one, other) => other.endedAt - one.endedAt);
  }
}
