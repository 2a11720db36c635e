import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { bodyFrame } from '../checking/bodyFrame';
import type { RequestBodySource } from '../checking/requestPlan';
import { type RequestPlan, RequestPlanBuilder } from '../checking/requestPlan';
import { derivedId } from '../files/derivedIds';
import { fileStateOf, isSameState, SourceChangedError } from '../files/fileState';
import type { JobContext, SlotWriter } from '../files/jobContext';
import { COMMA } from '../scanning/jsonBytes';
import { narrowPlan } from './requestSelection';

const readBytes = 512 * 1024;

/**
 * Emits the create body of a checked file or of its selected requests: the exact bytes of each, with derived ids around bare params. Before
 * the last byte is emitted, the line map is on disk, and the whole file is proven to have the bytes that were checked. If the file has
 * changed, throws a `SourceChangedError` before that byte, so that the service gets no complete body. Without a plan, reads the file once
 * more to create one.
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

/** Reads the file once, passes its requests to `body`, and returns whether the file is still the one that was checked. */
function sendRequests(source: RequestBodySource, plan: RequestPlan, body: BodyWriter, context: JobContext): boolean {
  const file = openSync(source.path, 'r');
  try {
    const stateBefore = fileStateOf(file);
    // If the state differs, the file may still have the same bytes. Then only the SHA-256 proves it.
    const hash: Hash | undefined = isSameState(stateBefore, plan.file) ? undefined : createHash('sha256');
    const input = new Uint8Array(readBytes);
    let offset = 0;
    let checksum = 0;
    while (true) {
      context.throwIfAborted();
      const room = body.roomFor(offset);
      const into = room ?? input.subarray(0, body.bytesAside(offset));
      const read = readSync(file, into, 0, into.length, null);
      if (read === 0) {
        break;
      }
      const piece = into.subarray(0, read);
      checksum = crc32(piece, checksum);
      hash?.update(piece);
      if (room === undefined) {
        body.take(piece, offset);
      } else {
        body.tookInPlace(piece, offset);
      }
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

/**
 * Returns the range of the file that holds all requests of a plan with only one byte between them, the LF. These bytes equal those of the
 * body except for the commas. Returns `undefined` if there is no such range.
 */
function denseSpan({ starts, lengths, bareLines }: RequestPlan): { readonly from: number; readonly to: number } | undefined {
  const last = starts.length - 1;
  for (let index = 0; index <= last; index++) {
    const next = (starts[index] as number) + (lengths[index] as number) + 1;
    if (bareLines[index] !== -1 || (index < last && starts[index + 1] !== next)) {
      return undefined;
    }
  }
  return last < 0 ? undefined : { from: starts[0] as number, to: (starts[last] as number) + (lengths[last] as number) };
}

class BodyWriter {
  private readonly encoder = new TextEncoder();
  private slot: Uint8Array;
  private used = 0;
  private emitted = 0;
  private index = 0;
  /** Offset in the file up to which the request at `index` is written, or -1 if it has not started. */
  private doneTo = -1;
  private readonly dense: ReturnType<typeof denseSpan>;

  constructor(
    private readonly plan: RequestPlan,
    private readonly slots: SlotWriter,
  ) {
    this.slot = slots.next();
    this.dense = denseSpan(plan);
  }

  /**
   * Returns memory of the body into which the bytes at `offset` can be read directly. The caller must then call `tookInPlace`. This avoids
   * a slow copy into shared memory. Returns `undefined` if the bytes have to be passed to `take`.
   */
  roomFor(offset: number): Uint8Array | undefined {
    if (this.dense === undefined || offset < this.dense.from || offset >= this.dense.to) {
      return undefined;
    }
    if (this.used === this.slot.length) {
      this.flush();
      this.slot = this.slots.next();
    }
    return this.slot.subarray(this.used, this.used + Math.min(this.slot.length - this.used, this.dense.to - offset));
  }

  /** Returns the number of bytes from `offset` to the range that can be read in place, or infinity if there is no such range ahead. */
  bytesAside(offset: number): number {
    return this.dense === undefined || offset >= this.dense.from ? Number.POSITIVE_INFINITY : this.dense.from - offset;
  }

  /** Accepts a chunk that was read at `offset` into the memory of `roomFor`. Replaces its line feeds between requests with commas. */
  tookInPlace(piece: Uint8Array, offset: number): void {
    const { starts, lengths } = this.plan;
    const end = offset + piece.length;
    const last = starts.length - 1;
    for (; this.index <= last; this.index++) {
      const valueEnd = (starts[this.index] as number) + (lengths[this.index] as number);
      if (valueEnd > end || (valueEnd === end && this.index < last)) {
        break;
      }
      if (this.index < last) {
        piece[valueEnd - offset] = COMMA;
      }
    }
    this.used += piece.length;
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
      // Requests with only a LF between them are copied together.
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
  return new SourceChangedError(`${path} was changed after it had been checked. Nothing was created; check it and submit it again.`);
}
