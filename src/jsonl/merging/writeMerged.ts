import type { BlockWriter } from '../files/blockWriter';
import { LineAssembler, SpanSource } from '../files/lineAssembler';
import { createRows, none, wordColumns } from '../results/resultsFile';
import { changedResults, type IndexContents, sampleFile } from '../results/resultsIndexFile';
import { joinedHead } from '../results/writeJoined';
import { CLOSE_BRACE, COMMA } from '../scanning/jsonBytes';
import type { Generation, Merged } from './mergedAnswers';

const reasonColumns = ['stopReasons', 'errorTypes', 'models'] as const;
const countColumns = wordColumns.filter(name => !['lengths', 'ids', 'texts', ...reasonColumns].includes(name));

/** Writes the lines that count to `joined` and returns the content of their index. */
export function writeMerged(merged: Merged, joined: BlockWriter, onCopied: (doneBytes: number) => void): IndexContents {
  const { ids, order, generations, generationOf, rowOf } = merged;
  const sources = generations.map((generation, at) => openSource(generation, merged, at));
  const rows = { ...createRows(order.length), count: order.length, ids: order };
  const lines = Int32Array.from(order, id => merged.lines[id] as number);
  const rowOfId = new Uint32Array(ids.size).fill(none);
  const spans = sources.map(({ rests }) => rests);
  try {
    const assembler = new LineAssembler(joined, spans, merged.bytes + order.length * 16, onCopied);
    for (const [place, id] of order.entries()) {
      const { rests, heads, reasonNumbers, rows: from } = sources[generationOf[id] as number] as Source;
      const row = rowOf[id] as number;
      const head = joinedHead(ids, id, lines[place] as number);
      const headBytes = Buffer.byteLength(head);
      const text = from.texts[row] as number;
      assembler.reserve(headBytes + (rests.lengths[row] as number) + 1);
      rows.offsets[place] = assembler.position;
      rows.lengths[place] = headBytes + (rests.lengths[row] as number);
      rows.texts[place] = text === none ? none : text + headBytes - (heads[row] as number);
      rows.statuses[place] = from.statuses[row] as number;
      rowOfId[id] = place;
      for (const column of reasonColumns) {
        rows[column][place] = reasonNumbers[from[column][row] as number] as number;
      }
      for (const column of countColumns) {
        rows[column][place] = from[column][row] as number;
      }
      assembler.put(head);
      assembler.putRow(rests, row);
      assembler.put('\n');
    }
    assembler.flush();
    joined.flush();
  } finally {
    for (const span of spans) {
      span.close();
    }
  }
  const sample = sampleFile(joined.partPath, joined.byteLength);
  return { subject: 'results', rows, lines, ids, rowOfId, reasons: merged.reasons.texts(), joinedBytes: joined.byteLength, sample };
}

interface Source {
  readonly rows: Generation['contents']['rows'];
  /** Length of each line up to the end of its line number, in bytes. */
  readonly heads: Uint32Array;
  readonly rests: SpanSource;
  /** Numbers of its reasons in the merged table, plus 1, by their number plus 1. */
  readonly reasonNumbers: readonly number[];
}

function openSource({ contents, joinedPath }: Generation, { reasons }: Merged, at: number): Source {
  const { rows, ids, lines } = contents;
  const heads = Uint32Array.from({ length: rows.count }, (_, row) =>
    Buffer.byteLength(joinedHead(ids, rows.ids[row] as number, lines[row] as number)),
  );
  const offsets = Float64Array.from(heads, (bytes, row) => (rows.offsets[row] as number) + bytes);
  const lengths = Uint32Array.from(heads, (bytes, row) => (rows.lengths[row] as number) - bytes);
  const verify = (bytes: Buffer, start: number, end: number) => {
    if (bytes[start] !== COMMA || bytes[end - 1] !== CLOSE_BRACE) {
      throw changedResults(joinedPath);
    }
  };
  try {
    const rests = new SpanSource(joinedPath, offsets, lengths, verify);
    return { rows, heads, rests, reasonNumbers: [0, ...contents.reasons.map(name => reasons.findText(name) + 1)] };
  } catch (error) {
    throw new Error(`The results of generation ${at + 1} cannot be read.`, { cause: error });
  }
}
