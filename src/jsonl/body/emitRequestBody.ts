import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { bodyFrame } from '../checking/bodyFrame';
import { type RequestBodySource, type RequestPlan, RequestPlanBuilder } from '../checking/requestPlan';
import { derivedId } from '../files/derivedIds';
import { fileStateOf, isSameState, SourceChangedError } from '../files/fileState';
import type { JobContext, SlotWriter } from '../files/jobContext';
import { COMMA } from '../scanning/jsonBytes';
import { narrowPlan } from './requestSelection';

const readBytes = 512 * 1024;

/**
 * Emits the create body of a checked file or of its selected requests. Requests are copied byte for byte, and bare params are wrapped with
 * a derived id. Before the last byte, the line map is flushed to disk and the file is verified to have the bytes that were checked. If the
 * file has changed, throws a `SourceChangedError` instead, so that the service never gets a complete body. Without a plan, reads the file
 * once more to create one.
 */
export async function emitRequestBody(
  { source, plan: given }: { readonly source: RequestBodySource; readonly plan: RequestPlan | undefined },
  context: JobContext,
): Promise<undefined> {
  const whole = given ?? (await planAgain(source, context));
  const { selected = source.report } = source;
  const plan = 'lines' in selected ? narrowPlan(whole, selected.lines) : whole;
  const map = openSync(source.linesPath, 'w', 0o600);
  let synced: Promise<void> | undefined;
  try {
    for (let written = 0; written < plan.lineMap.length; ) {
      written += writeSync(map, plan.lineMap, written);
    }
    synced = promisify(fsync)(map);
    // `synced` is awaited below. Until then a rejection must not count as unhandled.
    synced.catch(() => {});
    const body = new BodyWriter(plan, context.slots);
    body.putText(bodyFrame.open);
    const isUnchanged = sendRequests(source, plan, body, context);
    await synced;
    if (!isUnchanged || !body.isWhole || body.bytes + bodyFrame.close.length !== selected.bodyBytes) {
      throw changed(source.path);
    }
    body.putText(bodyFrame.close);
    body.flush();
  } finally {
    await synced?.catch(() => {});
    closeSync(map);
  }
}

async function planAgain({ path, report }: RequestBodySource, context: JobContext): Promise<RequestPlan> {
  // Loaded on demand, because the scan loads the schemas.
  const { passOver } = await import('../checking/requestPass');
  const builder = new RequestPlanBuilder();
  const { sha256, crc32, file } = await passOver(path, context, line => builder.add(line));
  if (sha256 !== report.sha256) {
    throw changed(path);
  }
  return builder.build(file, crc32);
}

/** Reads the file once and passes its requests to `body`. Returns whether the file is still the one that was checked. */
function sendRequests(source: RequestBodySource, plan: RequestPlan, body: BodyWriter, context: JobContext): boolean {
  const file = openSync(source.path, 'r');
  try {
    const stateBefore = fileStateOf(file);
    // A file with a different state may still have the same content. Only the SHA-256 can prove that.
    const hash: Hash | undefined = isSameState(stateBefore, plan.file) ? undefined : createHash('sha256');
    const input = new Uint8Array(readBytes);
    let offset = 0;
    let checksum = 0;
    while (true) {
      context.throwIfAborted();
      const read = readSync(file, input, 0, input.length, null);
      if (read === 0) {
        break;
      }
      const piece = input.subarray(0, read);
      checksum = crc32(piece, checksum);
      hash?.update(piece);
      body.take(piece, offset);
      offset += read;
    }
    return (
      checksum === plan.crc32 &&
      offset === source.report.fileBytes &&
      (hash === undefined || hash.digest('hex') === source.report.sha256) &&
      isSameState(stateBefore, fileStateOf(file))
    );
  } finally {
    closeSync(file);
  }
}

class BodyWriter {
  private readonly encoder = new TextEncoder();
  private slot: Uint8Array;
  private used = 0;
  private emitted = 0;
  private index = 0;
  /** Offset in the file of the first unwritten byte of the request at `index`, or -1 if no byte of the request has been written. */
  private doneTo = -1;

  constructor(
    private readonly plan: RequestPlan,
    private readonly slots: SlotWriter,
  ) {
    this.slot = slots.next();
  }

  get bytes(): number {
    return this.emitted + this.used;
  }

  get isWhole(): boolean {
    return this.index === this.plan.starts.length;
  }

  /** Writes the requests in a chunk that was read at `offset`. Replaces its line feeds between requests with commas. */
  take(piece: Uint8Array, offset: number): void {
    const { starts, lengths, bareLines } = this.plan;
    const end = offset + piece.length;
    while (this.index < starts.length) {
      if (this.doneTo === -1) {
        const start = starts[this.index] as number;
        if (start >= end) {
          return;
        }
        this.putBefore();
        this.doneTo = start;
      }
      let valueEnd = (starts[this.index] as number) + (lengths[this.index] as number);
      // Requests that are separated by a single LF are copied together.
      while (
        valueEnd < end &&
        starts[this.index + 1] === valueEnd + 1 &&
        bareLines[this.index] === -1 &&
        bareLines[this.index + 1] === -1
      ) {
        piece[valueEnd - offset] = COMMA;
        this.index++;
        valueEnd += 1 + (lengths[this.index] as number);
      }
      const to = Math.min(valueEnd, end);
      this.put(piece, this.doneTo - offset, to - offset);
      this.doneTo = to;
      if (to < valueEnd) {
        return;
      }
      if (bareLines[this.index] !== -1) {
        this.putText(bodyFrame.afterParams);
      }
      this.index++;
      this.doneTo = -1;
    }
  }

  putText(text: string): void {
    this.put(this.encoder.encode(text), 0, text.length);
  }

  flush(): void {
    if (this.used > 0) {
      this.slots.emit(this.used);
      this.emitted += this.used;
      this.used = 0;
    }
  }

  private putBefore(): void {
    const line = this.plan.bareLines[this.index] as number;
    const separator = this.index > 0 ? bodyFrame.between : '';
    if (line !== -1) {
      this.putText(`${separator}${bodyFrame.beforeDerivedId}${derivedId(line)}${bodyFrame.afterDerivedId}`);
    } else if (separator !== '') {
      this.putText(separator);
    }
  }

  private put(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    while (at < to) {
      if (this.used === this.slot.length) {
        this.flush();
        this.slot = this.slots.next();
      }
      const next = Math.min(to, at + this.slot.length - this.used);
      this.slot.set(bytes.subarray(at, next), this.used);
      this.used += next - at;
      at = next;
    }
  }
}

function changed(path: string): SourceChangedError {
  return new SourceChangedError(`${path} changed after it was checked. No batch was created. Check and submit it again.`);
}
