import { createReadStream } from 'node:fs';
import type { ByteStream } from '../../../client/transport/answer';
import { lineOfMadeId } from '../../../jsonl/files/madeIds';
import { ResultLineScanner } from '../../../jsonl/results/resultLineScanner';
import { decodeString, LF } from '../../../jsonl/scanning/jsonBytes';
import { LineScanner } from '../../../jsonl/scanning/lineScanner';

/** Results that are looked at: the ids of one batch are all of one kind, so that the first ones tell. */
const mostIds = 1_000;
const mostBytes = 16 * 1024 * 1024;
/** Results of which the model is read. */
const mostAnswers = 20;
const TAB = 0x09;

/** What the ids of some results say about the requests they are of. */
export interface IdComparison {
  /** `unclear` when only some ids are known, or none could be read. */
  readonly verdict: 'same' | 'different' | 'unclear';
  /** Ids that were looked at: those of all results, or the first thousand. */
  readonly looked: number;
  /** Of those, how many are ids of requests. */
  readonly known: number;
  /** Whether each is one that is made for a line without an id: those of any such file are the same. */
  readonly areMade: boolean;
  /** Models that answered the first requests. */
  readonly models: readonly string[];
}

/**
 * Whether results are those of the requests in a `lines.tsv`, by the ids of the first ones. Leaves both as soon as it is known.
 * Throws what the stream or the disk throws.
 */
export async function compareIds({ body }: Pick<ByteStream, 'body'>, linesPath: string): Promise<IdComparison> {
  const models = new Set<string>();
  const ids = await idsOfResults(body, models);
  const looked = ids.size;
  const areMade = looked > 0 && [...ids].every(id => lineOfMadeId(id) !== undefined);
  await removeKnown(ids, linesPath);
  const known = looked - ids.size;
  const verdict = known === looked ? 'same' : known === 0 ? 'different' : 'unclear';
  return { verdict: looked === 0 ? 'unclear' : verdict, looked, known, areMade, models: [...models] };
}

/** The first ids of a line map. */
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

/** Whether one of some ids stands in a line map. */
export async function usesAny(linesPath: string, ids: ReadonlySet<string>): Promise<boolean> {
  for await (const id of idsIn(linesPath)) {
    if (ids.has(id)) {
      return true;
    }
  }
  return false;
}

/** The ids of the first results; of the first few, what they say of their models goes to `models`. */
async function idsOfResults(body: AsyncIterable<Uint8Array>, models: Set<string>): Promise<Set<string>> {
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
      const model = ids.size <= mostAnswers ? modelOf(bytes) : undefined;
      if (model !== undefined) {
        models.add(model);
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

/** The model that a result names, where one answered. */
function modelOf(line: Uint8Array): string | undefined {
  try {
    const model: unknown = JSON.parse(Buffer.from(line).toString())?.result?.message?.model;
    return typeof model === 'string' ? model : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the ids of a line map out of `ids`. */
async function removeKnown(ids: Set<string>, linesPath: string): Promise<void> {
  for await (const id of idsIn(linesPath)) {
    ids.delete(id);
    if (ids.size === 0) {
      return;
    }
  }
}

async function* idsIn(linesPath: string): AsyncGenerator<string> {
  const lines = new LineScanner();
  for await (const chunk of createReadStream(linesPath)) {
    for (const { bytes } of lines.push(chunk)) {
      yield Buffer.from(bytes.subarray(bytes.indexOf(TAB) + 1)).toString();
    }
  }
}
