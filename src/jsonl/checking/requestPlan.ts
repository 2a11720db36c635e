import type { FileState } from '../files/fileState';
import { IdTable } from '../files/idTable';
import { grown } from '../files/typedArrays';
import type { BatchFileReport } from './batchFileReport';
import { type ByteRange, sentIdOf, type VisitedLine } from './visitedLine';

/** Value in `RequestPlan.models` for a request without a readable model. */
export const noModel = 0xffff_ffff;

/**
 * Offsets of all requests of a checked file, so that its body can be built without parsing JSON again. The arrays are in shared memory and
 * can be passed between threads without copying.
 */
export interface RequestPlan {
  /** State of the file before the check read it. */
  readonly file: FileState;
  readonly crc32: number;
  /** Offset of each request's value in the file, ascending. */
  readonly starts: Float64Array;
  /** Length of each request's value, in bytes. */
  readonly lengths: Uint32Array;
  /** 0-based line of each request that is bare message params, -1 for all others. */
  readonly bareLines: Int32Array;
  /** 0-based line of each request, ascending. */
  readonly lines: Uint32Array;
  /** Future content of `lines.tsv`: `line TAB custom_id LF` per request. */
  readonly lineMap: Uint8Array;
  /** End of each request's entry in `lineMap`, in bytes. */
  readonly mapEnds: Uint32Array;
  /** Index of each request's model in `modelNames`, or `noModel`. */
  readonly models: Uint32Array;
  readonly modelNames: readonly string[];
}

/** Checked file, with the path for its line map. */
export interface RequestBodySource {
  readonly path: string;
  /** Report of the check. If the file has changed since, building the body fails before its last byte. */
  readonly report: BatchFileReport;
  /** Path of the `lines.tsv` to write (see `RequestPlan.lineMap`). It is on disk before the last byte of the body. */
  readonly linesPath: string;
  /** Requests in the body. Default: all requests. */
  readonly selected?: SelectedRequests;
}

export interface SelectedRequests {
  /** 0-based lines of the requests, ascending, in shared memory. */
  readonly lines: Uint32Array;
  /** Size of a create body of these requests alone, in bytes. */
  readonly bodyBytes: number;
  /** Model names with their numbers of selected requests, most used first. */
  readonly models: BatchFileReport['models'];
}

export class RequestPlanBuilder {
  private starts = new Float64Array(1 << 10);
  private lengths = new Uint32Array(1 << 10);
  private bareLines = new Int32Array(1 << 10);
  private lines = new Uint32Array(1 << 10);
  private lineMap = new Uint8Array(1 << 14);
  private mapEnds = new Uint32Array(1 << 10);
  private models = new Uint32Array(1 << 10);
  private readonly modelTable = new IdTable();
  private readonly modelCounts: number[] = [];
  private requests = 0;
  private mapBytes = 0;

  /** Adds a line if it is a request, even if it has problems. */
  add(line: VisitedLine): void {
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
    this.addToMap(line.line, sentIdOf(line));
    this.mapEnds[index] = this.mapBytes;
  }

  /** Returns model names with their numbers of requests, most used first. */
  usedModels(): readonly (readonly [model: string, requests: number])[] {
    const models = this.modelCounts.map((count, index) => [this.modelTable.text(index), count] as const);
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
      modelNames: this.modelTable.texts(),
    };
  }

  private modelOf({ model }: VisitedLine): number {
    if (model === undefined) {
      return noModel;
    }
    const index = this.modelTable.add(model.bytes, model.start, model.end);
    this.modelCounts[index] = (this.modelCounts[index] ?? 0) + 1;
    return index;
  }

  private addToMap(line: number, { bytes, start, end }: ByteRange): void {
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
      map[at++] = bytes[index] ?? 0;
    }
    map[at++] = 0x0a;
    this.mapBytes = at;
  }
}
