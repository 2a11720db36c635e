import type { CallRecord } from '../../client/clientOptions';

/** Call to a service, and its end in milliseconds since 1970. */
export interface RecentCall extends CallRecord {
  readonly endedAt: number;
}

/** Number of successful and of failed calls to keep. They are counted separately, so that repeated polls don't evict failures. */
const maxCalls = 15;

/** Latest calls of this window to any service, for a problem report. Only in memory. */
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
