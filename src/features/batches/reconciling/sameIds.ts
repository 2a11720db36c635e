import { createReadStream } from 'node:fs';
import type { ByteStream } from '../../../client/transport/callResult';
import { lineOfDerivedId } from '../../../jsonl/files/derivedIds';
import { ResultLineScanner } from '../../../jsonl/results/resultLineScanner';
import { decodeString, LF, TAB } from '../../../jsonl/scanning/jsonBytes';

/** Maximum number of results that are compared. The first ones suffice: all ids of a batch are from the same file. */
const maxIds = 1_000;
const maxBytes = 16 * 1024 * 1024;

/** Result of comparing the ids of some results with those of requests. */
export interface IdComparison {
  /** `unclear` if only some ids are known, or none could be read. */
  readonly verdict: 'same' | 'different' | 'unclear';
  /** Number of ids that were compared: all, or the first thousand. */
  readonly compared: number;
  /** Number of compared ids that are ids of requests. */
  readonly known: number;
  /** True if each id was derived from the line number of a request without an id. Such ids are the same for every file. */
  readonly areDerived: boolean;
}

/** Compares the first results with the ids in a `lines.tsv` until the result is clear. Throws errors of the stream and the disk. */
export async function compareIds({ body }: Pick<ByteStream, 'body'>, linesPath: string): Promise<IdComparison> {
  const ids = await idsOfResults(body);
  const compared = ids.size;
  const areDerived = compared > 0 && [...ids].every(id => lineOfDerivedId(id) !== undefined);
  await removeKnown(ids, linesPath);
  const known = compared - ids.size;
  const verdict = known === compared ? 'same' : known === 0 ? 'different' : 'unclear';
  return { verdict: compared === 0 ? 'unclear' : verdict, compared, known, areDerived };
}

/** Returns the ids of the first results. */
async function idsOfResults(body: AsyncIterable<Uint8Array>): Promise<Set<string>> {
  const ids = new Set<string>();
  const scanner = new ResultLineScanner();
  for await (const line of linesIn(body, maxBytes)) {
    scanner.use(line);
    if (scanner.scan(0) >= 0) {
      ids.add(decodeString(line, scanner.customId.start, scanner.customId.end));
    }
    if (ids.size >= maxIds) {
      break;
    }
  }
  return ids;
}

async function removeKnown(ids: Set<string>, linesPath: string): Promise<void> {
  for await (const id of idsIn(linesPath)) {
    ids.delete(id);
    if (ids.size === 0) {
      return;
    }
  }
}

async function* idsIn(linesPath: string): AsyncGenerator<string> {
  for await (const line of linesIn(createReadStream(linesPath))) {
    yield line.toString('utf8', line.indexOf(TAB) + 1, line.length - 1);
  }
}

/** Yields each line with its LF. Ends after the chunk that exceeds the limit, and leaves out a last line without LF. */
async function* linesIn(chunks: AsyncIterable<Uint8Array>, limit = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end + 1)]);
      parts = [];
      start = end + 1;
    }
    // The owner of a chunk may overwrite it.
    parts.push(new Uint8Array(chunk.subarray(start)));
    read += chunk.length;
    if (read > limit) {
      return;
    }
  }
}
