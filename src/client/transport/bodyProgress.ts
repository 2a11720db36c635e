/** Decides which parts of a response body count as progress. Anything else does not reset the time-out. */
export interface BodyProgress {
  /** Returns whether the next bytes of the body count as progress. */
  moved(bytes: Uint8Array): boolean;
}

/** Counts every `least` bytes as progress. A body with fewer bytes within the silence time-out is ended. */
export class ByteProgress implements BodyProgress {
  private since = 0;

  constructor(private readonly least: number) {}

  moved({ byteLength }: Uint8Array): boolean {
    this.since += byteLength;
    if (this.since < this.least) {
      return false;
    }
    this.since = 0;
    return true;
  }
}

const lf = 0x0a;
const cr = 0x0d;
const colon = 0x3a;

/** Longest event that any reader of an event stream accepts, in bytes. */
const longestEvent = 64 * 1024 * 1024;

/**
 * Counts complete events and comments of an event stream as progress. In a long event, every `least` bytes also count. A comment or line
 * that never ends is no progress.
 */
export class EventStreamProgress implements BodyProgress {
  private readonly bytes: ByteProgress;
  private line: 'empty' | 'comment' | 'field' = 'empty';
  private endedInCr = false;
  private unfinished = 0;

  constructor(least: number) {
    this.bytes = new ByteProgress(least);
  }

  moved(bytes: Uint8Array): boolean {
    let isComplete = false;
    let at = this.endedInCr && bytes[0] === lf ? 1 : 0;
    this.endedInCr = bytes.at(-1) === cr;
    // Positions of the next line feed and carriage return. Each search continues only behind the last match, so that it stays linear.
    const next = { lf: -2, cr: -2 };
    while (at < bytes.length) {
      if (this.line === 'empty' && bytes[at] !== lf && bytes[at] !== cr) {
        this.line = bytes[at] === colon ? 'comment' : 'field';
      }
      next.lf = next.lf !== -1 && next.lf < at ? bytes.indexOf(lf, at) : next.lf;
      next.cr = next.cr !== -1 && next.cr < at ? bytes.indexOf(cr, at) : next.cr;
      const end = next.lf < 0 || next.cr < 0 ? Math.max(next.lf, next.cr) : Math.min(next.lf, next.cr);
      if (end < 0) {
        break;
      }
      isComplete ||= this.line !== 'field';
      this.line = 'empty';
      at = end + (bytes[end] === cr && bytes[end + 1] === lf ? 2 : 1);
    }
    this.unfinished = isComplete ? 0 : this.unfinished + bytes.byteLength;
    return isComplete || (this.line !== 'comment' && this.unfinished <= longestEvent && this.bytes.moved(bytes));
  }
}
