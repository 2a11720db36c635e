import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { bodyFrame, madeId } from './batchRules';
import { type RequestBodySource, SourceChangedError } from './jobs';
import { passOver, type VisitedLine } from './requestFile';
import type { JobContext } from './threadProtocol';

const chunkBytes = 256 * 1024;

/**
 * Emits the create body of a checked file: the bytes of each request as they stand, bare params with their made id around
 * them, and nothing else. The line map is on disk, and the file proven to be the one that was checked, before the last byte
 * is emitted; otherwise throws `SourceChangedError`, so that a service can never have read a whole body.
 */
export async function emitRequestBody(source: RequestBodySource, context: JobContext): Promise<undefined> {
  const map = openSync(source.linesPath, 'w', 0o600);
  try {
    const body = new BodyWriter(source, map, context);
    const { sha256 } = await passOver(source.path, context, line => body.visit(line));
    await body.finish(sha256);
  } finally {
    closeSync(map);
  }
}

class BodyWriter {
  private chunk = new Uint8Array(chunkBytes);
  private used = 0;
  private emitted = 0;
  private requests = 0;
  private mapText = '';
  private readonly encoder = new TextEncoder();

  constructor(
    private readonly source: RequestBodySource,
    private readonly map: number,
    private readonly context: JobContext,
  ) {
    this.putText(bodyFrame.open);
  }

  visit(line: VisitedLine): Promise<void> | undefined {
    if (line.kind !== 'request' && line.kind !== 'params') {
      return undefined;
    }
    // Most lines fit into the chunk; only what does not waits for the host to take bytes.
    const size = line.valueEnd - line.valueStart + 128;
    return this.used + size <= this.chunk.length ? this.put(line) : this.putLarge(line);
  }

  async finish(sha256: string): Promise<void> {
    this.writeMap();
    fsyncSync(this.map);
    this.putText(bodyFrame.close);
    const { report } = this.source;
    if (sha256 !== report.sha256 || this.emitted + this.used !== report.bodyBytes || this.requests !== report.requestCount) {
      throw changed(this.source.path);
    }
    await this.context.emit(this.chunk.slice(0, this.used));
  }

  private put(line: VisitedLine): undefined {
    this.putBefore(line);
    this.chunk.set(line.bytes.subarray(line.valueStart, line.valueEnd), this.used);
    this.used += line.valueEnd - line.valueStart;
    this.putAfter(line);
  }

  private async putLarge(line: VisitedLine): Promise<void> {
    await this.flush();
    this.putBefore(line);
    let from = line.valueStart;
    while (from < line.valueEnd) {
      if (this.used === this.chunk.length) {
        await this.flush();
      }
      const to = Math.min(line.valueEnd, from + this.chunk.length - this.used);
      this.chunk.set(line.bytes.subarray(from, to), this.used);
      this.used += to - from;
      from = to;
    }
    if (this.used + 16 > this.chunk.length) {
      await this.flush();
    }
    this.putAfter(line);
  }

  private putBefore(line: VisitedLine): void {
    if (this.requests++ > 0) {
      this.putText(bodyFrame.between);
    }
    if (line.kind === 'params') {
      const id = madeId(line.line);
      this.putText(bodyFrame.beforeMadeId + id + bodyFrame.afterMadeId);
      this.mapText += `${line.line}\t${id}\n`;
    } else {
      const id = line.customId ?? Buffer.from(line.bytes.subarray(line.idStart, line.idEnd)).toString('latin1');
      this.mapText += `${line.line}\t${id}\n`;
    }
    if (this.mapText.length > chunkBytes) {
      this.writeMap();
    }
  }

  private putAfter(line: VisitedLine): void {
    if (line.kind === 'params') {
      this.putText(bodyFrame.afterParams);
    }
  }

  private putText(text: string): void {
    const { written } = this.encoder.encodeInto(text, this.chunk.subarray(this.used));
    this.used += written;
  }

  private async flush(): Promise<void> {
    if (this.used === 0) {
      return;
    }
    // A file that grew since its check must not complete the length that was announced.
    if (this.emitted + this.used >= this.source.report.bodyBytes) {
      throw changed(this.source.path);
    }
    const full = this.chunk;
    const { used } = this;
    this.chunk = new Uint8Array(chunkBytes);
    this.used = 0;
    this.emitted += used;
    await this.context.emit(used === full.length ? full : full.subarray(0, used));
  }

  private writeMap(): void {
    writeSync(this.map, this.mapText);
    this.mapText = '';
  }
}

function changed(path: string): SourceChangedError {
  return new SourceChangedError(`${path} was changed after it had been checked. Nothing was created; check it and submit it again.`);
}
