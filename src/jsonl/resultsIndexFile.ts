import { createHash } from 'node:crypto';
import { IdTable } from './idTable';
import type { ResultColumns } from './resultsFile';
import { type FileWriting, WholeFile } from './wholeFile';

/** The index is damaged, of another version, or was made for another joined file: fetch or join again. */
export class IndexMismatchError extends Error {
  override readonly name = 'IndexMismatchError';
}

/** Everything an index file holds. */
export interface IndexContents {
  /** Rows of the joined file; their `ids` are numbers in `ids`. */
  readonly rows: ResultColumns;
  /** Source line per row, or -1; ascending but for those, which stand last. */
  readonly lines: Int32Array;
  /** Ids of the input first, answered or not; then those it does not have. */
  readonly ids: IdTable;
  readonly rowOfId: Uint32Array;
  readonly reasons: readonly string[];
  readonly joinedBytes: number;
  /** See `sampleOf`. */
  readonly sample: string;
}

interface Header {
  readonly version: 1;
  readonly count: number;
  readonly joinedBytes: number;
  readonly sample: string;
  readonly seed: number;
  readonly reasons: readonly string[];
  /** Name, offset and byte length of each column; offsets are multiples of 8. */
  readonly columns: readonly (readonly [name: string, offset: number, length: number])[];
}

const magic = Buffer.from('MARESIX1');

/** Writes the index of a joined file; finish and publish it after that one. Numbers have this machine's byte order. */
export async function writeIndex(path: string, contents: IndexContents, writing?: FileWriting): Promise<WholeFile> {
  const { rows } = contents;
  const ids = contents.ids.parts();
  const cut = <T extends Float64Array | Uint32Array | Uint8Array>(column: T) => column.subarray(0, rows.count);
  const columns: readonly (readonly [string, ArrayBufferView])[] = [
    ['offsets', cut(rows.offsets)],
    ['lengths', cut(rows.lengths)],
    ['ids', cut(rows.ids)],
    ['states', cut(rows.states)],
    ['stopReasons', cut(rows.stopReasons)],
    ['errorTypes', cut(rows.errorTypes)],
    ['inputTokens', cut(rows.inputTokens)],
    ['outputTokens', cut(rows.outputTokens)],
    ['texts', cut(rows.texts)],
    ['lines', contents.lines],
    ['rowOfId', contents.rowOfId],
    ['idBytes', ids.bytes],
    ['idEnds', ids.ends],
    ['idSlots', ids.slots],
  ];
  let offset = 0;
  const header: Header = {
    version: 1,
    count: rows.count,
    joinedBytes: contents.joinedBytes,
    sample: contents.sample,
    seed: ids.seed,
    reasons: contents.reasons,
    columns: columns.map(([name, column]) => {
      const entry = [name, offset, column.byteLength] as const;
      offset += padded(column.byteLength);
      return entry;
    }),
  };
  const headerText = Buffer.from(JSON.stringify(header));
  const start = Buffer.alloc(16 + padded(headerText.length));
  magic.copy(start);
  start.writeDoubleLE(headerText.length, 8);
  headerText.copy(start, 16);
  const file = await WholeFile.create(path, writing);
  try {
    file.append(start);
    for (const [, column] of columns) {
      file.append(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
      file.append(new Uint8Array(padded(column.byteLength) - column.byteLength));
    }
  } catch (error) {
    await file.discard();
    throw error;
  }
  return file;
}

/** Reads what `writeIndex` wrote; nothing is copied. Throws `IndexMismatchError`. */
export function parseIndex(bytes: Buffer, path: string): IndexContents {
  try {
    return parse(bytes);
  } catch (error) {
    throw new IndexMismatchError(`${path} is damaged or of another version. Fetch the results again.`, { cause: error });
  }
}

function parse(bytes: Buffer): IndexContents {
  if (!bytes.subarray(0, magic.length).equals(magic)) {
    throw new Error('no index');
  }
  const headerLength = bytes.readDoubleLE(8);
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + headerLength)) as Header;
  const start = 16 + padded(headerLength);
  const places = new Map(header.columns.map(([name, offset, length]) => [name, { offset, length }]));
  const column = (name: string): Buffer => {
    const place = places.get(name);
    if (place === undefined || start + place.offset + place.length > bytes.length) {
      throw new Error(`${name} is cut`);
    }
    return bytes.subarray(start + place.offset, start + place.offset + place.length);
  };
  const words = (name: string) => {
    const view = column(name);
    return new Uint32Array(view.buffer, view.byteOffset, view.byteLength / 4);
  };
  const signed = (name: string) => {
    const view = column(name);
    return new Int32Array(view.buffer, view.byteOffset, view.byteLength / 4);
  };
  const offsets = column('offsets');
  const rows = {
    count: header.count,
    offsets: new Float64Array(offsets.buffer, offsets.byteOffset, offsets.byteLength / 8),
    lengths: words('lengths'),
    ids: words('ids'),
    states: column('states'),
    stopReasons: words('stopReasons'),
    errorTypes: words('errorTypes'),
    inputTokens: words('inputTokens'),
    outputTokens: words('outputTokens'),
    texts: words('texts'),
  };
  const ids = new IdTable({ seed: header.seed, bytes: column('idBytes'), ends: words('idEnds'), slots: signed('idSlots') });
  const { joinedBytes, sample, reasons } = header;
  return { rows, lines: signed('lines'), ids, rowOfId: words('rowOfId'), reasons, joinedBytes, sample };
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}

/** Where a joined file of this size is sampled: 64 blocks of 4 KiB from its first byte to its last. */
export function samplePlaces(size: number): readonly { readonly offset: number; readonly length: number }[] {
  const block = 4096;
  const blocks = 64;
  if (size <= block * blocks) {
    return [{ offset: 0, length: size }];
  }
  return Array.from({ length: blocks }, (_, index) => ({
    offset: Math.floor((index * (size - block)) / (blocks - 1)),
    length: block,
  }));
}

/** A hash of a file's size and the blocks at `samplePlaces`: tells whether an index and a joined file belong together. */
export function sampleOf(size: number, blocks: readonly Uint8Array[]): string {
  const hash = createHash('sha256').update(`${size}\n`);
  for (const block of blocks) {
    hash.update(block);
  }
  return hash.digest('hex');
}
