/** What of an answer's body counts as life: whatever else arrives does not put off the end of a wait. */
export interface BodyProgress {
  /** Whether these bytes, the next of the body, show that it goes on. */
  moved(bytes: Uint8Array): boolean;
}

/** So many bytes together: fewer in the time of a silence come to no end. */
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

/** Nobody who reads an event stream takes an event that is longer. */
const longestEvent = 64 * 1024 * 1024;

/**
 * Of an event stream: an event or a comment that came to its end; or, of an event that is long, as many bytes as `ByteProgress`
 * demands. A comment, a line or an event that never ends is no life.
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
    // Each is looked for again only once it is passed: the whole stays linear, whichever of them the lines end with.
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
