import type { FileState } from '../files/fileState';
import { TextTable } from '../files/textTable';
import type { BatchFileReport } from './batchFileReport';
import { madeId } from './madeIds';
import type { VisitedLine } from './visitedLine';

/** In `RequestPlan.models`: the request names no model that could be read. */
export const noModel = 0xffff_ffff;

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
  /** The line, from 0, of each request, ascending. */
  readonly lines: Uint32Array;
  /** What `lines.tsv` will hold: per request `line TAB custom_id LF`. */
  readonly lineMap: Uint8Array;
  /** Where in it each request's entry ends. */
  readonly mapEnds: Uint32Array;
  /** Per request the place of its model in `modelNames`, or `noModel`. */
  readonly models: Uint32Array;
  readonly modelNames: readonly string[];
}

/** A file that was checked, and where its line map goes. */
export interface RequestBodySource {
  readonly path: string;
  /** What the check found; the body fails before its last byte when the file no longer is what was checked. */
  readonly report: BatchFileReport;
  /** `lines.tsv` to write: per request `line TAB custom_id LF`, lines from 0. It is on disk before the body's last byte is handed out. */
  readonly linesPath: string;
  /** With this, only these of its requests. */
  readonly selected?: SelectedRequests;
}

/** Some requests of a checked file. */
export interface SelectedRequests {
  /** Their lines, from 0, ascending. In shared memory. */
  readonly lines: Uint32Array;
  /** Bytes of a create body of these alone. */
  readonly bodyBytes: number;
  /** Model name to number of these requests, most used first. */
  readonly models: BatchFileReport['models'];
}

/** Gathers a plan while a pass goes over a file. */
export class RequestPlanBuilder {
  private starts = new Float64Array(1 << 10);
  private lengths = new Uint32Array(1 << 10);
  private bareLines = new Int32Array(1 << 10);
  private lines = new Uint32Array(1 << 10);
  private lineMap = new Uint8Array(1 << 14);
  private mapEnds = new Uint32Array(1 << 10);
  private models = new Uint32Array(1 << 10);
  private readonly modelTable = new TextTable();
  private readonly modelCounts: number[] = [];
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
      this.lines = grown(this.lines, new Uint32Array(index * 2));
      this.mapEnds = grown(this.mapEnds, new Uint32Array(index * 2));
      this.models = grown(this.models, new Uint32Array(index * 2));
    }
    this.starts[index] = line.fileOffset + line.valueStart;
    this.lengths[index] = line.valueEnd - line.valueStart;
    this.bareLines[index] = isBare ? line.line : -1;
    this.lines[index] = line.line;
    this.models[index] = this.modelOf(line);
    const id = isBare ? madeId(line.line) : line.customId;
    if (id === undefined) {
      this.addToMap(line.line, line.bytes, line.idStart, line.idEnd);
    } else {
      const bytes = this.encoder.encode(id);
      this.addToMap(line.line, bytes, 0, bytes.length);
    }
    this.mapEnds[index] = this.mapBytes;
  }

  /** Model name to number of requests, most used first. */
  usedModels(): readonly (readonly [model: string, requests: number])[] {
    const models = this.modelCounts.map((count, index) => [this.modelTable.textAt(index), count] as const);
    return models.sort((a, b) => b[1] - a[1]);
  }

  build(file: FileState, crc32: number): RequestPlan {
    const { requests } = this;
    return {
      file,
      crc32,
      starts: grown(this.starts.subarray(0, requests), new Float64Array(new SharedArrayBuffer(requests * 8))),
      lengths: grown(this.lengths.subarray(0, requests), new Uint32Array(new SharedArrayBuffer(requests * 4))),
      bareLines: grown(this.bareLines.subarray(0, requests), new Int32Array(new SharedArrayBuffer(requests * 4))),
      lines: grown(this.lines.subarray(0, requests), new Uint32Array(new SharedArrayBuffer(requests * 4))),
      lineMap: grown(this.lineMap.subarray(0, this.mapBytes), new Uint8Array(new SharedArrayBuffer(this.mapBytes))),
      mapEnds: grown(this.mapEnds.subarray(0, requests), new Uint32Array(new SharedArrayBuffer(requests * 4))),
      models: grown(this.models.subarray(0, requests), new Uint32Array(new SharedArrayBuffer(requests * 4))),
      modelNames: Array.from({ length: this.modelTable.size }, (_, index) => this.modelTable.textAt(index)),
    };
  }

  private modelOf(line: VisitedLine): number {
    let index: number;
    if (line.model !== undefined) {
      const bytes = this.encoder.encode(line.model);
      index = this.modelTable.intern(bytes, 0, bytes.length);
    } else if (line.modelEnd > 0) {
      index = this.modelTable.intern(line.bytes, line.modelStart, line.modelEnd);
    } else {
      return noModel;
    }
    this.modelCounts[index] = (this.modelCounts[index] ?? 0) + 1;
    return index;
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
