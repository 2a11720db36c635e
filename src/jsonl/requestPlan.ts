import { madeId } from './batchRules';
import type { FileState } from './fileState';
import type { VisitedLine } from './requestFile';

/**
 * Where each request of a checked file stands, so that its body is made without reading it as JSON again. The arrays are shared
 * memory: going from thread to thread costs nothing.
 */
export interface RequestPlan {
  /** What the system said of the file before the check read it. */
  readonly file: FileState;
  /** CRC-32 of the file's bytes. */
  readonly crc32: number;
  /** Offset in the file of each request's value, ascending. */
  readonly starts: Float64Array;
  /** Bytes of that value. */
  readonly lengths: Uint32Array;
  /** The line, from 0, of each request that is bare message params; -1 for the others. */
  readonly bareLines: Int32Array;
  /** What `lines.tsv` will hold: per request `line TAB custom_id LF`. */
  readonly lineMap: Uint8Array;
}

/** Gathers a plan while a pass goes over a file. */
export class RequestPlanBuilder {
  private starts = new Float64Array(1 << 10);
  private lengths = new Uint32Array(1 << 10);
  private bareLines = new Int32Array(1 << 10);
  private lineMap = new Uint8Array(1 << 14);
  private requests = 0;
  private mapBytes = 0;
  private readonly encoder = new TextEncoder();

  /** Notes a line that is a request, whatever the rules said of it. */
  add(line: VisitedLine): undefined {
    const isBare = line.kind === 'params';
    if (!isBare && line.kind !== 'request') {
      return;
    }
    const index = this.requests++;
    if (index === this.starts.length) {
      this.starts = grown(this.starts, new Float64Array(index * 2));
      this.lengths = grown(this.lengths, new Uint32Array(index * 2));
      this.bareLines = grown(this.bareLines, new Int32Array(index * 2));
    }
    this.starts[index] = line.fileOffset + line.valueStart;
    this.lengths[index] = line.valueEnd - line.valueStart;
    this.bareLines[index] = isBare ? line.line : -1;
    const id = isBare ? madeId(line.line) : line.customId;
    if (id === undefined) {
      this.addToMap(line.line, line.bytes, line.idStart, line.idEnd);
    } else {
      const bytes = this.encoder.encode(id);
      this.addToMap(line.line, bytes, 0, bytes.length);
    }
  }

  build(file: FileState, crc32: number): RequestPlan {
    const { requests } = this;
    return {
      file,
      crc32,
      starts: grown(this.starts.subarray(0, requests), new Float64Array(new SharedArrayBuffer(requests * 8))),
      lengths: grown(this.lengths.subarray(0, requests), new Uint32Array(new SharedArrayBuffer(requests * 4))),
      bareLines: grown(this.bareLines.subarray(0, requests), new Int32Array(new SharedArrayBuffer(requests * 4))),
      lineMap: grown(this.lineMap.subarray(0, this.mapBytes), new Uint8Array(new SharedArrayBuffer(this.mapBytes))),
    };
  }

  private addToMap(line: number, id: Uint8Array, start: number, end: number): void {
    const number = `${line}\t`;
    const most = number.length + end - start + 1;
    if (this.mapBytes + most > this.lineMap.length) {
      this.lineMap = grown(this.lineMap, new Uint8Array(Math.max(this.lineMap.length * 2, this.mapBytes + most)));
    }
    const map = this.lineMap;
    let at = this.mapBytes;
    for (let index = 0; index < number.length; index++) {
      map[at++] = number.charCodeAt(index);
    }
    for (let index = start; index < end; index++) {
      map[at++] = id[index] ?? 0;
    }
    map[at++] = 0x0a;
    this.mapBytes = at;
  }
}

function grown<T extends Float64Array | Uint32Array | Int32Array | Uint8Array>(from: ArrayLike<number>, to: T): T {
  to.set(from);
  return to;
}
