import type { BlockWriter } from './blockWriter';

export type Column = readonly [name: string, values: ArrayBufferView];

/** Name, offset and byte length of a column. The offset is a multiple of 8. */
type Location = readonly [name: string, offset: number, length: number];

/**
 * Writes a column file: 8 bytes of `magic`, the length of the header as a double, the header as JSON, then the columns. Each column starts
 * at a multiple of 8 bytes. Numbers use this machine's byte order.
 */
export function writeColumnFile(out: BlockWriter, magic: Uint8Array, header: object, columns: readonly Column[]): void {
  let offset = 0;
  const locations = columns.map(([name, { byteLength }]): Location => {
    offset += padded(byteLength);
    return [name, offset - padded(byteLength), byteLength];
  });
  const headerText = Buffer.from(JSON.stringify({ ...header, columns: locations }));
  const start = Buffer.alloc(16 + padded(headerText.length));
  start.set(magic);
  start.writeDoubleLE(headerText.length, 8);
  headerText.copy(start, 16);
  out.add(start);
  for (const [, { buffer, byteOffset, byteLength }] of columns) {
    out.add(new Uint8Array(buffer, byteOffset, byteLength));
    out.add(new Uint8Array(padded(byteLength) - byteLength));
  }
}

/** Reads a file written by `writeColumnFile` without copying it. Throws if the bytes are incomplete or in another format. */
export class ColumnReader {
  readonly header: unknown;
  private readonly start: number;
  private readonly columns: ReadonlyMap<string, { readonly offset: number; readonly length: number }>;

  constructor(
    private readonly bytes: Buffer,
    magic: Uint8Array,
  ) {
    if (!bytes.subarray(0, magic.length).equals(magic)) {
      throw new Error('Unexpected file header.');
    }
    const headerLength = bytes.readDoubleLE(8);
    this.header = JSON.parse(bytes.toString('utf8', 16, 16 + headerLength));
    this.start = 16 + padded(headerLength);
    const { columns } = this.header as { readonly columns: readonly Location[] };
    this.columns = new Map(columns.map(([name, offset, length]) => [name, { offset, length }]));
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  column(name: string): Buffer {
    const found = this.columns.get(name);
    if (found === undefined || this.start + found.offset + found.length > this.bytes.length) {
      throw new Error(`Column ${name} is missing or incomplete.`);
    }
    return this.bytes.subarray(this.start + found.offset, this.start + found.offset + found.length);
  }

  doubles(name: string): Float64Array {
    const { buffer, byteOffset, byteLength } = this.column(name);
    return new Float64Array(buffer, byteOffset, byteLength / 8);
  }

  words(name: string): Uint32Array {
    const { buffer, byteOffset, byteLength } = this.column(name);
    return new Uint32Array(buffer, byteOffset, byteLength / 4);
  }

  signed(name: string): Int32Array {
    const { buffer, byteOffset, byteLength } = this.column(name);
    return new Int32Array(buffer, byteOffset, byteLength / 4);
  }
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}
