import { createReadStream } from 'node:fs';
import type { ByteStream } from '../../../client/answer';
import { decodeString, LF } from '../../../jsonl/jsonBytes';
import { LineScanner } from '../../../jsonl/lineScanner';
import { ResultLineScanner } from '../../../jsonl/resultsLine';

/** Results that are looked at: the ids of one batch are all of one kind, so that the first ones tell. */
const mostIds = 1_000;
const mostBytes = 16 * 1024 * 1024;
const TAB = 0x09;

/** What the ids of some results say about the requests they are of. */
export interface IdComparison {
  /** `unclear` when only some ids are known, or none could be read. */
  readonly verdict: 'same' | 'different' | 'unclear';
  /** Ids that were looked at: those of all results, or the first thousand. */
  readonly looked: number;
  /** Of those, how many are ids of requests. */
  readonly known: number;
}

/**
 * Whether results are those of the requests in a `lines.tsv`, by the ids of the first ones. Leaves both as soon as it is known.
 * Throws what the stream or the disk throws.
 */
export async function compareIds({ body }: Pick<ByteStream, 'body'>, linesPath: string): Promise<IdComparison> {
  const ids = await idsOfResults(body);
  const looked = ids.size;
  await removeKnown(ids, linesPath);
  const known = looked - ids.size;
  const verdict = known === looked ? 'same' : known === 0 ? 'different' : 'unclear';
  return { verdict: looked === 0 ? 'unclear' : verdict, looked, known };
}

async function idsOfResults(body: AsyncIterable<Uint8Array>): Promise<Set<string>> {
  const ids = new Set<string>();
  const lines = new LineScanner();
  const scanner = new ResultLineScanner();
  let read = 0;
  for await (const chunk of body) {
    read += chunk.length;
    for (const { bytes } of lines.push(chunk)) {
      const line = new Uint8Array(bytes.length + 1);
      line.set(bytes);
      line[bytes.length] = LF;
      scanner.use(line);
      if (scanner.scan(0) >= 0) {
        ids.add(decodeString(line, scanner.customId.start, scanner.customId.end));
      }
      if (ids.size >= mostIds) {
        return ids;
      }
    }
    if (read > mostBytes) {
      return ids;
    }
  }
  return ids;
}

/** Takes the ids of a line map out of `ids`. */
async function removeKnown(ids: Set<string>, linesPath: string): Promise<void> {
  const lines = new LineScanner();
  for await (const chunk of createReadStream(linesPath)) {
    for (const { bytes } of lines.push(chunk)) {
      ids.delete(Buffer.from(bytes.subarray(bytes.indexOf(TAB) + 1)).toString());
    }
    if (ids.size === 0) {
      return;
    }
  }
}
