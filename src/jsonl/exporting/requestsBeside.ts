import type { PassContext } from '../files/lineFile';
import { type LineMap, readLineMap } from '../files/lineMap';
import { type BytesPiece, BytesReader } from '../querying/bytesReader';
import type { IndexContents } from '../results/resultsIndexFile';
import { findSubmitted } from '../retrying/findSubmitted';
import type { SubmittedFile } from '../retrying/submittedFile';

/** The `params` of the requests that rows of a joined file answer, read from the files they were sent from. */
export class RequestsBeside {
  private readonly readers: readonly BytesReader[];

  private constructor(
    files: readonly SubmittedFile[],
    /** By row: place of the file plus 1, 0 for none. */
    private readonly fileOf: Uint32Array,
    private readonly offsets: Float64Array,
    private readonly lengths: Uint32Array,
  ) {
    this.readers = files.map(({ path }) => new BytesReader(path));
  }

  /** Finds them. Files that are gone or are not what was sent have none. */
  static find(files: readonly SubmittedFile[], contents: IndexContents, context: PassContext): RequestsBeside {
    const { count } = contents.rows;
    const same: SubmittedFile[] = [];
    let places = { fileOf: new Uint32Array(count), offsets: new Float64Array(count), lengths: new Uint32Array(count) };
    for (const file of files) {
      const map = readLineMap(file.linesPath);
      const rowOf = rowsOf(map, contents);
      // Whether the file is what was sent is known at its end.
      const next = { fileOf: places.fileOf.slice(), offsets: places.offsets.slice(), lengths: places.lengths.slice() };
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
        places = next;
      }
    }
    return new RequestsBeside(same, places.fileOf, places.offsets, places.lengths);
  }

  /** The `params` that a row answers; undefined when nothing has them. Valid until the next are asked for. */
  of(row: number): BytesPiece | undefined {
    return this.readers[(this.fileOf[row] as number) - 1]?.read(this.offsets[row] as number, this.lengths[row] as number);
  }

  close(): void {
    for (const reader of this.readers) {
      reader.close();
    }
  }
}

/** By number of a request in a map the row that answers it; a number that no row has when none does. */
function rowsOf(map: LineMap, { ids, rowOfId }: IndexContents): Uint32Array {
  const bytes = map.ids.allBytes;
  return Uint32Array.from({ length: map.ids.size }, (_, number) => {
    const id = ids.find(bytes, map.ids.startOf(number), map.ids.endOf(number));
    return id < 0 ? 0xffff_ffff : (rowOfId[id] as number);
  });
}
