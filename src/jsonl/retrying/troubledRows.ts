import { closeSync, openSync, readSync } from 'node:fs';
import { none } from '../results/resultsFile';
import type { IndexContents } from '../results/resultsIndexFile';
import { BACKSLASH, QUOTE } from '../scanning/jsonBytes';

/** Length of an error message that is read, in bytes. */
const messageBytes = 2048;
/** Maximum length of a joined refusal that is read, in bytes. Refusals have no answer, so they are short. */
const longestRefusal = 1 << 20;
const windowBytes = 1 << 20;

/** Fallbacks that a refusal offers. The token itself is not read out. */
export interface RefusalFacts {
  readonly hasToken: boolean;
  readonly recommendedModel: string | undefined;
}

/** Reads rows of a joined file without a good answer. Fastest in the order of the file. Blocks, so it runs in a thread. */
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

  /** Returns the first 2 KiB of the message of an errored row. Empty if there is none. */
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

  /** The result is valid until the next read. */
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

/** Decodes the text of a JSON string that may be cut anywhere after its opening quote. */
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
