import type { PassContext } from '../files/lineFile';
import { type LineMap, readLineMap } from '../files/lineMap';
import { type BytesPiece, SpanReader } from '../files/spanReader';
import type { IndexContents } from '../results/resultsIndexFile';
import { findSubmitted } from '../retrying/findSubmitted';
import type { SubmittedFile } from '../retrying/submittedFile';

/** Reads the `params` of the requests for rows of a joined file, from the files that were submitted. */
export class RequestsBeside {
  private readonly readers: readonly SpanReader[];

  private constructor(
    files: readonly SubmittedFile[],
    /** Index of the file plus 1 for each row; 0 if there is none. */
    private readonly fileOf: Uint32Array,
    private readonly offsets: Float64Array,
    private readonly lengths: Uint32Array,
  ) {
    this.readers = files.map(({ path }) => new SpanReader(path));
  }

  /** Finds the requests. Skips files that are missing or have changed since submission. */
  static find(files: readonly SubmittedFile[], contents: IndexContents, context: PassContext): RequestsBeside {
    const { count } = contents.rows;
    const same: SubmittedFile[] = [];
    let positions = { fileOf: new Uint32Array(count), offsets: new Float64Array(count), lengths: new Uint32Array(count) };
    for (const file of files) {
      const map = readLineMap(file.linesPath);
      const rowOf = rowsOf(map, contents);
      // Copied because a change is only detected at the end of the file.
      const next = { fileOf: positions.fileOf.slice(), offsets: positions.offsets.slice(), lengths: positions.lengths.slice() };
      const fate = findSubmitted(file, map, context, (number, line) => {
        const row = rowOf[number] as number;
        if (row < count && line.paramsStart >= 0) {
          next.fileOf[row] = same.length + 1;
          next.offsets[row] = line.offset + line.paramsStart - line.start;
          next.lengths[row] = line.paramsEnd - line.paramsStart;
        }
      });
      if (fate === 'same') {
        same.push(file);
        positions = next;
      }
    }
    return new RequestsBeside(same, positions.fileOf, positions.offsets, positions.lengths);
  }

  /** Returns the `params` of a row, or `undefined` if no file has them. Valid until the next call. */
  of(row: number): BytesPiece | undefined {
    return this.readers[(this.fileOf[row] as number) - 1]?.read(this.offsets[row] as number, this.lengths[row] as number);
  }

  close(): void {
    for (const reader of this.readers) {
      reader.close();
    }
  }
}

/** Returns the row that answers each request of a map, by number. Requests without a row get an invalid row number. */
function rowsOf(map: LineMap, { ids, rowOfId }: IndexContents): Uint32Array {
  return Uint32Array.from({ length: map.ids.size }, (_, number) => {
    const id = ids.findFrom(map.ids, number);
    return id < 0 ? 0xffff_ffff : (rowOfId[id] as number);
  });
}
