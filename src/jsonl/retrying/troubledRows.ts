import { closeSync, openSync, readSync } from 'node:fs';
import { none } from '../results/resultsFile';
import type { IndexContents } from '../results/resultsIndexFile';
import { BACKSLASH, QUOTE } from '../scanning/jsonBytes';

/** Bytes of an error's message that are looked at. */
const messageBytes = 2048;
/** Longest joined line of a refusal that is looked into; one holds no answer, so it is short. */
const longestRefusal = 1 << 20;
const windowBytes = 1 << 20;

/** What a refusal says of another way. The token itself stays where it is. */
export interface RefusalFacts {
  readonly hasToken: boolean;
  readonly recommendedModel: string | undefined;
}

/** Reads rows of a joined file without a good answer, best in the order of the file. Blocks, so it is for threads. */
export class TroubledRows {
  private readonly file: number;
  private readonly window = Buffer.allocUnsafe(windowBytes);
  private from = 0;
  private filled = 0;

  constructor(
    joinedPath: string,
    private readonly rows: IndexContents['rows'],
  ) {
    this.file = openSync(joinedPath, 'r');
  }

  /** The message of an errored row, its first 2 KiB; empty when there is none. */
  message(row: number): string {
    const text = this.rows.texts[row] as number;
    if (text === none) {
      return '';
    }
    const length = Math.min(messageBytes, (this.rows.lengths[row] as number) - text);
    return decodeStart(this.read((this.rows.offsets[row] as number) + text, length));
  }

  refusal(row: number): RefusalFacts {
    const length = this.rows.lengths[row] as number;
    const nothing: RefusalFacts = { hasToken: false, recommendedModel: undefined };
    if (length > longestRefusal) {
      return nothing;
    }
    try {
      const line = JSON.parse(this.read(this.rows.offsets[row] as number, length).toString('utf8')) as {
        readonly result?: { readonly message?: { readonly stop_details?: Readonly<Record<string, unknown>> | null } };
      };
      const details = line.result?.message?.stop_details ?? {};
      const model = details.recommended_model;
      return {
        hasToken: typeof details.fallback_credit_token === 'string' && details.fallback_credit_token !== '',
        recommendedModel: typeof model === 'string' && model !== '' ? model : undefined,
      };
    } catch {
      return nothing;
    }
  }

  close(): void {
    closeSync(this.file);
  }

  /** Valid until the next read. */
  private read(offset: number, length: number): Buffer {
    if (length > windowBytes) {
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(0, this.fill(bytes, offset));
    }
    if (offset < this.from || offset + length > this.from + this.filled) {
      this.from = offset;
      this.filled = this.fill(this.window, offset);
    }
    return this.window.subarray(offset - this.from, Math.min(offset - this.from + length, this.filled));
  }

  private fill(into: Buffer, offset: number): number {
    let done = 0;
    while (done < into.length) {
      const read = readSync(this.file, into, done, into.length - done, offset + done);
      if (read === 0) {
        break;
      }
      done += read;
    }
    return done;
  }
}

/** The text of a JSON string that may be cut anywhere behind its opening quote. */
function decodeStart(bytes: Buffer): string {
  let end = 1;
  let whole = 1;
  while (end < bytes.length && bytes[end] !== QUOTE) {
    end += bytes[end] === BACKSLASH ? (bytes[end + 1] === 0x75 ? 6 : 2) : 1;
    whole = end <= bytes.length ? end : whole;
  }
  try {
    return String(JSON.parse(`"${bytes.toString('utf8', 1, whole)}"`));
  } catch {
    return '';
  }
}
