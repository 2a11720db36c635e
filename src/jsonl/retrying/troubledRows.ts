import { SpanReader } from '../files/spanReader';
import { none } from '../results/resultsFile';
import type { IndexContents } from '../results/resultsIndexFile';
import { decodeStart } from '../results/resultsPreview';

/** Length of an error message that is read, in bytes. */
const messageBytes = 2048;
/** Maximum length of a joined refusal that is read, in bytes. Refusals have no answer, so they are short. */
const longestRefusal = 1 << 20;

/** Fallbacks that a refusal offers. The token itself is not read out. */
export interface RefusalFacts {
  readonly hasToken: boolean;
  readonly recommendedModel: string | undefined;
}

/** Reads rows of a joined file without a good answer. Fastest in the order of the file. Blocks, so it runs in a thread. */
export class TroubledRows {
  private readonly reader: SpanReader;

  constructor(
    joinedPath: string,
    private readonly rows: IndexContents['rows'],
  ) {
    this.reader = new SpanReader(joinedPath);
  }

  /** Returns the first 2 KiB of the message of an errored row. Empty if there is none. */
  message(row: number): string {
    const text = this.rows.texts[row] as number;
    if (text === none) {
      return '';
    }
    const length = Math.min(messageBytes, (this.rows.lengths[row] as number) - text);
    return decodeStart(this.read((this.rows.offsets[row] as number) + text, length))?.text ?? '';
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

  /** The result is valid until the next read. */
  private read(offset: number, length: number): Buffer {
    const { bytes, start, end } = this.reader.read(offset, length);
    return bytes.subarray(start, end);
  }

  close(): void {
    this.reader.close();
  }
}
