import { createReadStream } from 'node:fs';
import type { ByteStream } from '../../../client/transport/callResult';
import { lineOfDerivedId } from '../../../jsonl/files/derivedIds';
import { ResultLineScanner } from '../../../jsonl/results/resultLineScanner';
import { decodeString, LF, TAB } from '../../../jsonl/scanning/jsonBytes';

/** Maximum number of results that are compared. The first ones suffice: all ids of a batch are from the same file. */
const maxIds = 1_000;
const maxBytes = 16 * 1024 * 1024;
/** Maximum number of results whose model is read. */
const maxAnswers = 20;

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
  readonly models: readonly string[];
}

/** Compares the first results with the ids in a `lines.tsv` until the result is clear. Throws errors of the stream and the disk. */
export async function compareIds({ body }: Pick<ByteStream, 'body'>, linesPath: string): Promise<IdComparison> {
  const models = new Set<string>();
  const ids = await idsOfResults(body, models);
  const compared = ids.size;
  const areDerived = compared > 0 && [...ids].every(id => lineOfDerivedId(id) !== undefined);
  await removeKnown(ids, linesPath);
  const known = compared - ids.size;
  const verdict = known === compared ? 'same' : known === 0 ? 'different' : 'unclear';
  return { verdict: compared === 0 ? 'unclear' : verdict, compared, known, areDerived, models: [...models] };
}

/** Returns the first ids of a line map. */
export async function firstIds(linesPath: string, count: number): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const id of idsIn(linesPath)) {
    ids.add(id);
    if (ids.size >= count) {
      break;
    }
  }
  return ids;
}

/** Returns whether a line map has one of these ids. */
export async function usesAny(linesPath: string, ids: ReadonlySet<string>): Promise<boolean> {
  for await (const id of idsIn(linesPath)) {
    if (ids.has(id)) {
      return true;
    }
  }
  return false;
}

/** Returns the ids of the first results, and adds the models of the first few to `models`. */
async function idsOfResults(body: AsyncIterable<Uint8Array>, models: Set<string>): Promise<Set<string>> {
  const ids = new Set<string>();
  const scanner = new ResultLineScanner();
  for await (const line of linesIn(body, maxBytes)) {
    scanner.use(line);
    if (scanner.scan(0) >= 0) {
      ids.add(decodeString(line, scanner.customId.start, scanner.customId.end));
    }
    const model = ids.size <= maxAnswers ? modelOf(line) : undefined;
    if (model !== undefined) {
      models.add(model);
    }
    if (ids.size >= maxIds) {
      break;
    }
  }
  return ids;
}

function modelOf(line: Buffer): string | undefined {
  try {
    const model: unknown = JSON.parse(line.toString())?.result?.message?.model;
    return typeof model === 'string' ? model : undefined;
  } catch {
    return undefined;
  }
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
