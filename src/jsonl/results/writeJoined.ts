import type { BlockWriter } from '../files/blockWriter';
import type { IdTable } from '../files/idTable';
import { LineAssembler, SpanSource } from '../files/lineAssembler';
import type { LineMap } from '../files/lineMap';
import { none, type RawResults, type ResultColumns, type WordColumns, wordColumns } from './resultsFile';
import { type IndexContents, sampleFile } from './resultsIndexFile';

/** Positions of the `params` of each request in a file, by id number. */
export interface RequestPositions {
  readonly path: string;
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
}

/** Maximum number of bytes of a line other than its id, request and result. */
const fixedBytes = '{"custom_id":"","line":2147483648,"request":,"result":}\n'.length;

/** Returns the start of a joined line. `line` is 0-based, or -1 without a line. In the text, the line is 1-based. */
export function joinedHead(ids: IdTable, id: number, line: number): string {
  return `{"custom_id":${JSON.stringify(ids.text(id))}${lineField}${lineNumber(line)}`;
}

const lineField = ',"line":';

function lineNumber(line: number): string {
  return line < 0 ? 'null' : String(line + 1);
}

/**
 * Writes the joined lines to `joined`: first the results of the input in input order, then all others. Returns the contents of their index.
 * Lines are assembled in windows. Within a window, both sources are read in byte order.
 */
export function writeJoined(
  rawPath: string,
  raw: RawResults,
  map: LineMap | undefined,
  requests: RequestPositions | undefined,
  joined: BlockWriter,
  onCopied: (doneBytes: number) => void,
): IndexContents {
  const { ids } = raw;
  // The table has the ids of the input first, in input order, then all others in file order.
  const order = raw.rowOfId.filter(row => row !== none);
  const rows = rowsInOrder(raw.rows, order);
  const lines = new Int32Array(order.length).fill(-1);
  const rowOfId = new Uint32Array(raw.rowOfId.length).fill(none);
  const results = new SpanSource(rawPath, raw.rows.offsets, raw.rows.lengths);
  const params = requests && new SpanSource(requests.path, requests.offsets, requests.lengths);
  try {
    const assembler = new LineAssembler(joined, params === undefined ? [results] : [results, params], maxBytes(raw, requests), onCopied);
    for (let index = 0; index < order.length; index++) {
      const row = order[index] as number;
      const id = rows.ids[index] as number;
      const ownParams = id < raw.expectedIds ? params : undefined;
      if (map !== undefined && id < raw.expectedIds) {
        lines[index] = map.lines[id] as number;
      }
      // An escaped byte takes at most 6 bytes.
      const idBytes = 6 * (ids.endOf(id) - ids.startOf(id));
      assembler.reserve(fixedBytes + idBytes + (ownParams?.lengths[id] ?? 0) + (rows.lengths[index] as number));
      const start = assembler.position;
      assembler.put('{"custom_id":');
      assembler.putString(ids.allBytes, ids.startOf(id), ids.endOf(id));
      assembler.put(lineField);
      assembler.put(lineNumber(lines[index] as number));
      if (ownParams !== undefined) {
        assembler.put(',"request":');
        assembler.putRow(ownParams, id);
      }
      assembler.put(',"result":');
      const text = rows.texts[index] as number;
      rows.texts[index] = text === none ? none : assembler.position - start + text;
      assembler.putRow(results, row);
      assembler.put('}\n');
      rows.offsets[index] = start;
      rows.lengths[index] = assembler.position - start - 1;
      rowOfId[id] = index;
    }
    assembler.flush();
    joined.flush();
    const sample = sampleFile(joined.partPath, joined.byteLength);
    return { subject: 'results', rows, lines, ids, rowOfId, reasons: raw.reasons.texts(), joinedBytes: joined.byteLength, sample };
  } finally {
    results.close();
    params?.close();
  }
}

/**
 * Returns the rows in joined order. Copies column by column, because a tight loop lets the processor overlap cache misses. Until the lines
 * are written, the offsets are 0 and the lengths are those of the results.
 */
function rowsInOrder(rows: ResultColumns, order: Uint32Array): ResultColumns {
  const words = wordColumns.map(name => [name, gather(rows[name], order, new Uint32Array(order.length))] as const);
  return {
    count: order.length,
    offsets: new Float64Array(order.length),
    statuses: gather(rows.statuses, order, new Uint8Array(order.length)),
    ...(Object.fromEntries(words) as WordColumns),
  };
}

function gather<T extends Uint32Array | Uint8Array>(column: T, order: Uint32Array, into: T): T {
  for (let index = 0; index < order.length; index++) {
    into[index] = column[order[index] as number] as number;
  }
  return into;
}

/** Returns an upper bound for the bytes of all lines, so that small files get small windows. */
function maxBytes({ rows, bytes }: RawResults, requests: RequestPositions | undefined): number {
  return (requests?.lengths ?? new Uint32Array()).reduce((sum, length) => sum + length, bytes + rows.count * (fixedBytes + 64));
}
