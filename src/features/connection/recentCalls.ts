import type { CallRecord } from '../../client/clientOptions';

/** Call and the time it ended, in milliseconds since 1970. */
export interface RecentCall extends CallRecord {
  readonly endedAt: number;
}

/** Number of calls to store, separately for successful and failed ones: repeated polls must not evict failures. */
const maxCalls = 15;

/** Latest calls of this window to any service, for a problem report. In memory only. */
export class RecentCalls {
  private readonly well: RecentCall[] = [];
  private readonly failed: RecentCall[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  note(call: CallRecord): void {
    const calls = call.status !== undefined && call.status < 400 ? this.well : this.failed;
    calls.push({ ...call, endedAt: this.now() });
    if (calls.length > maxCalls) {
      calls.shift();
    }
  }

  list(): readonly RecentCall[] {
    return [...this.well, ...this.failed].sort((one, other) => other.endedAt - one.endedAt);
  }
}
