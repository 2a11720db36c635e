import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import type { BlockWriter } from '../files/blockWriter';
import { type Column, ColumnReader, writeColumnFile } from '../files/columnFile';
import { IdTable } from '../files/idTable';
import type { JoinedResults } from './joinedResults';
import { fromStored, statusOf, storedStatuses, toStored } from './resultStatus';
import { none, type ResultColumns, type WordColumns, wordColumns } from './resultsFile';
import type { ResultEntry } from './resultsReport';

/** Thrown if an index is damaged, has another version, or belongs to another joined file. Fetching or joining again fixes this. */
export class IndexMismatchError extends Error {
  override readonly name = 'IndexMismatchError';
}

/** Type of the rows of an index: fetched results, or the requests of a file that has not been sent. */
export type TableSubject = 'results' | 'requests';

export interface IndexContents {
  readonly subject: TableSubject;
  /** Rows of the joined file. Their `ids` are indices into the `ids` table below. */
  readonly rows: ResultColumns;
  /** Source line per row, ascending. Rows without a line (-1) come last. */
  readonly lines: Int32Array;
  /** Ids of the input first, answered or not, then ids that are not in the input. */
  readonly ids: IdTable;
  readonly rowOfId: Uint32Array;
  readonly reasons: readonly string[];
  readonly joinedBytes: number;
  readonly sample: string;
}

interface Header {
  /** Version 1 lacks statuses, models and lifetimes of cache writes. */
  readonly version: 1 | 2;
  readonly count: number;
  readonly joinedBytes: number;
  readonly sample: string;
  readonly seed: number;
  readonly reasons: readonly string[];
  /** Missing in older files, which contain results. */
  readonly subject?: TableSubject;
}

const magic = Buffer.from('MARESIX1');

/** Writes the index of a joined file. Publish the index after the joined file. */
export function writeIndex(out: BlockWriter, contents: IndexContents): void {
  const { rows, joinedBytes, sample, reasons, subject } = contents;
  const ids = contents.ids.parts();
  const cut = <T extends Float64Array | Uint32Array | Uint8Array>(column: T) => column.subarray(0, rows.count);
  const header: Header = { version: 2, count: rows.count, joinedBytes, sample, seed: ids.seed, reasons, subject };
  const columns: readonly Column[] = [
    ['offsets', cut(rows.offsets)],
    ['statuses', cut(rows.statuses)],
    ...wordColumns.map((name): Column => [name, cut(rows[name])]),
    ['lines', contents.lines],
    ['rowOfId', contents.rowOfId],
    ['idBytes', ids.bytes],
    ['idEnds', ids.ends],
    ['idSlots', ids.slots],
  ];
  writeColumnFile(out, magic, header, columns);
}

/** Parses the bytes of an index without copying them. Throws an `IndexMismatchError` if they are not a valid index. */
export function parseIndex(bytes: Buffer, path: string): IndexContents {
  try {
    return parse(new ColumnReader(bytes, magic));
  } catch (error) {
    throw new IndexMismatchError(`${path} is damaged or of another version. Fetch the results again.`, { cause: error });
  }
}

/**
 * Reads the index of joined results and verifies that it belongs to them. Throws an `IndexMismatchError` if the index belongs to another
 * file. Blocks the thread, so only for workers. Elsewhere, use `ResultsIndex.open`.
 */
export function readIndexOf({ joinedPath, indexPath }: JoinedResults): IndexContents {
  const contents = parseIndex(readFileSync(indexPath), indexPath);
  demandFit(joinedPath, contents);
  return contents;
}

/** Throws an `IndexMismatchError` if an index does not belong to the file at a path. Blocks the thread. */
export function demandFit(joinedPath: string, { joinedBytes, sample }: Pick<IndexContents, 'joinedBytes' | 'sample'>): void {
  const { size } = statSync(joinedPath);
  if (size !== joinedBytes || sampleFile(joinedPath, size) !== sample) {
    throw changedResults(joinedPath);
  }
}

/** Creates the error for a joined file that does not belong to its index. */
export function changedResults(joinedPath: string): IndexMismatchError {
  return new IndexMismatchError(`${joinedPath} is not the file that was written when the results were fetched. Fetch the results again.`);
}

function parse(file: ColumnReader): IndexContents {
  const { version, count, seed, joinedBytes, sample, reasons, subject = 'results' } = file.header as Header;
  const words = wordColumns.map(name => [name, file.has(name) ? file.words(name) : new Uint32Array(count)] as const);
  const columns = { count, offsets: file.doubles('offsets'), ...(Object.fromEntries(words) as WordColumns) };
  const rows = {
    ...columns,
    statuses: version === 1 ? statusesOfTypes(subject, file.column('states'), columns, reasons) : file.column('statuses'),
  };
  const ids = new IdTable({ seed, bytes: file.column('idBytes'), ends: file.words('idEnds'), slots: file.signed('idSlots') });
  return { subject, rows, lines: file.signed('lines'), ids, rowOfId: file.words('rowOfId'), reasons, joinedBytes, sample };
}

export function outcomeOf(
  { rows, reasons }: Pick<IndexContents, 'rows' | 'reasons'>,
  row: number,
): Pick<ResultEntry, 'status' | 'stopReason' | 'errorType'> {
  return {
    status: fromStored(rows.statuses[row]),
    stopReason: reasons[(rows.stopReasons[row] as number) - 1],
    errorType: reasons[(rows.errorTypes[row] as number) - 1],
  };
}

/** Returns the statuses of an index of version 1, which stored types in the order of `storedStatuses`. Doesn't detect blank texts. */
function statusesOfTypes(
  subject: TableSubject,
  states: Uint8Array,
  { stopReasons, texts }: WordColumns,
  reasons: readonly string[],
): Uint8Array {
  return states.map((state, row) =>
    subject === 'results' && storedStatuses[state] === 'succeeded'
      ? toStored(statusOf('succeeded', reasons[(stopReasons[row] as number) - 1], () => texts[row] === none))
      : state,
  );
}

/** Returns the blocks of a joined file to hash: all of a small file, otherwise 64 blocks of 4 KiB from start to end. */
export function sampledBlocks(size: number): readonly { readonly offset: number; readonly length: number }[] {
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

/** Hashes a file's size and the blocks at `sampledBlocks`, to check that an index and a joined file belong together. */
export function sampleOf(size: number, blocks: readonly Uint8Array[]): string {
  const hash = createHash('sha256').update(`${size}\n`);
  for (const block of blocks) {
    hash.update(block);
  }
  return hash.digest('hex');
}

/** Returns the `sampleOf` value of a file. Blocks the thread. */
export function sampleFile(path: string, size: number): string {
  const file = openSync(path, 'r');
  try {
    const blocks = sampledBlocks(size).map(({ offset, length }) => {
      const block = Buffer.alloc(length);
      return block.subarray(0, readSync(file, block, 0, length, offset));
    });
    return sampleOf(size, blocks);
  } finally {
    closeSync(file);
  }
}
