import type { BatchLimits } from '../checking/batchFileReport';
import { bodyFrame, frameBytes, wrapBytes } from '../checking/bodyFrame';
import { writeWholeFiles } from '../files/blockWriter';
import { derivedId, freeId } from '../files/derivedIds';
import { demandState, type FileState, fileStateAt } from '../files/fileState';
import { type PassContext, passOf, toOnRead } from '../files/lineFile';
import { idOf, type OtherLines, type WalkedLine } from '../files/requestWalk';
import { Tally } from '../files/tally';
import { copyRows, type RowTable, readRows } from './rowTable';

interface SplitPart {
  readonly requests: number;
  /** Size in bytes of the body of a batch made from this part. */
  readonly bodyBytes: number;
}

export interface SplitPlan extends OtherLines {
  readonly file: FileState;
  readonly parts: readonly SplitPart[];
  readonly requests: number;
  /** Number of bare message params. Each gets the id `line-<n>` of its 1-based source line, with a suffix if taken. */
  readonly bare: number;
  /** Requests that exceed the limits even alone, with that body size. `parts` is empty if there are any. */
  readonly tooLarge: { readonly count: number; readonly first: readonly (readonly [line: number, bodyBytes: number])[] };
  /** Minimum number of equal parts that fit the limits. Only set if the requested number of parts doesn't fit. */
  readonly leastParts: number | undefined;
}

/**
 * Plans how to split a file by the size of each request in a batch body. Each part is filled up to the limits, or `parts` parts get equally
 * many requests. Blocks the thread, so only for workers.
 */
export function planSplit(
  { path, limits, parts }: { readonly path: string; readonly limits: BatchLimits; readonly parts?: number },
  context: PassContext,
): SplitPlan {
  const file = fileStateAt(path);
  const split = new SplitRows(path, context);
  const { lines } = split.rows;
  const { maxRequests, maxBytes } = limits;
  const tooLarge = new Tally<readonly [line: number, bodyBytes: number]>();
  for (let row = 0; row < lines.length; row++) {
    const { bodyBytes } = split.part(row, row + 1);
    if (bodyBytes > maxBytes) {
      tooLarge.add(() => [lines[row] as number, bodyBytes]);
    }
  }
  const wanted = parts === undefined || tooLarge.count > 0 ? undefined : Math.min(parts, Math.max(1, lines.length));
  const cuts = tooLarge.count > 0 ? [] : wanted === undefined ? split.fill(limits) : split.divide(wanted);
  const fits = wanted === undefined || cuts.every(part => part.requests <= maxRequests && part.bodyBytes <= maxBytes);
  const leastParts = fits ? undefined : split.leastParts(wanted + 1, limits);
  return { file, ...split.others, bare: split.bare.size, requests: lines.length, tooLarge: tooLarge.found(), parts: cuts, leastParts };
}

/** Rows of a file to split. A row is a whole line, or only the value of bare params, which are later wrapped with an id. */
class SplitRows {
  readonly rows: RowTable;
  readonly others: OtherLines;
  readonly bare = new Set<number>();
  /** Existing ids that could collide with the derived id of a bare line. */
  private readonly given = new Set<string>();
  /** Prefix sums of the bytes of rows in the body of a batch. Entry `n` is the sum of the first `n` rows. */
  private readonly sums: Float64Array;

  constructor(path: string, context: PassContext) {
    /** Size of each row's value in bytes, without the JSON around it. */
    const sizes: number[] = [];
    const spanOf = (line: WalkedLine, row: number) => {
      sizes[row] = line.kind === 'broken' ? line.end - line.start : line.valueEnd - line.valueStart;
      if (line.kind === 'params') {
        this.bare.add(row);
      }
      const id = idOf(line);
      if (id?.startsWith('line-')) {
        this.given.add(id);
      }
      return line.kind === 'params' ? ([line.valueStart, line.valueEnd] as const) : ([line.start, line.end] as const);
    };
    const { rows, others } = readRows(path, context, spanOf);
    this.rows = rows;
    this.others = others;
    this.sums = new Float64Array(sizes.length + 1);
    for (const [row, bytes] of sizes.entries()) {
      const line = rows.lines[row] as number;
      const id = this.idFor(row);
      const around = id === undefined ? 0 : wrapBytes(line) + id.length - derivedId(line).length;
      this.sums[row + 1] = (this.sums[row] as number) + bytes + around;
    }
  }

  /** Returns the id that a row of bare params gets, or `undefined` for a row that is copied unchanged. */
  idFor(row: number): string | undefined {
    return this.bare.has(row) ? freeId(derivedId(this.rows.lines[row] as number), id => this.given.has(id)) : undefined;
  }

  /** Splits the rows into parts that are each as full as the limits allow. */
  fill({ maxRequests, maxBytes }: BatchLimits): readonly SplitPart[] {
    const parts: SplitPart[] = [];
    const count = this.rows.lines.length;
    let first = 0;
    for (let row = 1; row <= count; row++) {
      if (row === count || row - first === maxRequests || this.part(first, row + 1).bodyBytes > maxBytes) {
        parts.push(this.part(first, row));
        first = row;
      }
    }
    return parts;
  }

  /** Splits the rows into `parts` parts whose numbers of requests differ by at most one. */
  divide(parts: number): readonly SplitPart[] {
    const count = this.rows.lines.length;
    return Array.from({ length: count === 0 ? 0 : parts }, (_, index) =>
      this.part(Math.floor((count * index) / parts), Math.floor((count * (index + 1)) / parts)),
    );
  }

  /**
   * Returns the least number of equal parts that fit the limits, and at least `from`. Every row must fit alone. Skips numbers of parts that
   * would keep rows together that were too large in an earlier try.
   */
  leastParts(from: number, { maxRequests, maxBytes }: BatchLimits): number {
    const count = this.rows.lines.length;
    const partOf = (row: number, parts: number) => Math.ceil((parts * (row + 1)) / count) - 1;
    const apart: (readonly [first: number, last: number])[] = [];
    let parts = Math.max(from, Math.ceil(count / maxRequests), Math.ceil((this.sums[count] as number) / maxBytes));
    for (; ; parts++) {
      if (apart.some(([first, last]) => partOf(first, parts) === partOf(last, parts))) {
        continue;
      }
      const large = this.firstTooLarge(parts, maxBytes);
      if (large === undefined) {
        return parts;
      }
      apart.unshift(large);
    }
  }

  /** Returns the first and last row of the smallest group of adjacent rows that makes a part too large. */
  private firstTooLarge(parts: number, maxBytes: number): readonly [first: number, last: number] | undefined {
    let first = 0;
    for (let index = 1; index <= parts; index++) {
      const next = Math.floor((this.rows.lines.length * index) / parts);
      if (this.part(first, next).bodyBytes > maxBytes) {
        let last = first;
        while (this.part(first, last + 1).bodyBytes <= maxBytes) {
          last++;
        }
        while (this.part(first + 1, last + 1).bodyBytes > maxBytes) {
          first++;
        }
        return [first, last];
      }
      first = next;
    }
    return undefined;
  }

  part(first: number, next: number): SplitPart {
    const bodyBytes = frameBytes(next - first) + (this.sums[next] as number) - (this.sums[first] as number);
    return { requests: next - first, bodyBytes };
  }
}

/**
 * Writes the parts of a plan. Lines are copied unchanged and in order. Bare params are wrapped with an id. Either all parts are written or
 * none. Blocks the thread, so only for workers. Throws a `SourceChangedError` if the source has changed since it was planned.
 */
export async function splitFile(
  { path, plan, outPaths }: { readonly path: string; readonly plan: SplitPlan; readonly outPaths: readonly string[] },
  context: PassContext,
): Promise<undefined> {
  demandState(path, plan.file);
  const split = new SplitRows(path, context);
  const onRead = toOnRead(passOf(context, 1), Number(plan.file.size));
  const wrap = (row: number) => {
    const id = split.idFor(row);
    return id === undefined
      ? (['', ''] as const)
      : ([`${bodyFrame.beforeDerivedId}${id}${bodyFrame.afterDerivedId}`, bodyFrame.afterParams] as const);
  };
  await writeWholeFiles(context, async files => {
    let first = 0;
    let doneBytes = 0;
    for (const [index, { requests, bodyBytes }] of plan.parts.entries()) {
      const out = await files.createOfLines(outPaths[index] as string);
      const order = Uint32Array.from({ length: requests }, (_, row) => first + row);
      copyRows(path, split.rows, order, out, bytes => onRead(doneBytes + bytes), wrap);
      first += requests;
      doneBytes += bodyBytes;
      await out.finish(context.signal);
    }
    demandState(path, plan.file);
  });
}
