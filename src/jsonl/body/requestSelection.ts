import type { BatchLimits } from '../checking/batchFileReport';
import { frameBytes, wrapBytes } from '../checking/bodyFrame';
import { noModel, type RequestPlan, type SelectedRequests } from '../checking/requestPlan';
import { sharedWords } from '../files/typedArrays';

/** Selects the requests on the given 0-based lines. Throws if a line has no request or the lines are not ascending. */
export function selectRequests(plan: RequestPlan, lines: Uint32Array): SelectedRequests {
  return toSelected(plan, indexesOf(plan, lines));
}

/** Splits a file, or some of its lines, into parts as large as the limits allow. Throws if one request exceeds them. */
export function cutRequests(plan: RequestPlan, { maxRequests, maxBytes }: BatchLimits, lines?: Uint32Array): readonly SelectedRequests[] {
  const indexes = lines === undefined ? Uint32Array.from(plan.lines, (_, index) => index) : indexesOf(plan, lines);
  const parts: SelectedRequests[] = [];
  let first = 0;
  let bytes = 0;
  indexes.forEach((index, at) => {
    const size = bytesOf(plan, index);
    if (frameBytes(1) + size > maxBytes || maxRequests < 1) {
      throw new Error(`The request on line ${(plan.lines[index] as number) + 1} alone exceeds the limits of a batch.`);
    }
    if (at - first === maxRequests || frameBytes(at - first + 1) + bytes + size > maxBytes) {
      parts.push(toSelected(plan, indexes.subarray(first, at)));
      first = at;
      bytes = 0;
    }
    bytes += size;
  });
  if (first < indexes.length) {
    parts.push(toSelected(plan, indexes.subarray(first)));
  }
  return parts;
}

/** Returns the plan with only the requests on these lines. The file state in the plan is unchanged. Throws like `selectRequests`. */
export function narrowPlan(plan: RequestPlan, lines: Uint32Array): RequestPlan {
  const indexes = indexesOf(plan, lines);
  const entries = Array.from(indexes, index => plan.lineMap.subarray(index === 0 ? 0 : plan.mapEnds[index - 1], plan.mapEnds[index]));
  let end = 0;
  const mapEnds = Uint32Array.from(entries, ({ length }) => {
    end += length;
    return end;
  });
  const lineMap = new Uint8Array(end);
  entries.forEach((entry, at) => {
    lineMap.set(entry, at === 0 ? 0 : mapEnds[at - 1]);
  });
  return {
    ...plan,
    starts: Float64Array.from(indexes, index => plan.starts[index] as number),
    lengths: Uint32Array.from(indexes, index => plan.lengths[index] as number),
    bareLines: Int32Array.from(indexes, index => plan.bareLines[index] as number),
    lines: Uint32Array.from(indexes, index => plan.lines[index] as number),
    models: Uint32Array.from(indexes, index => plan.models[index] as number),
    lineMap,
    mapEnds,
  };
}

function indexesOf(plan: RequestPlan, lines: Uint32Array): Uint32Array {
  const indexes = new Uint32Array(lines.length);
  let index = 0;
  lines.forEach((line, at) => {
    while (index < plan.lines.length && (plan.lines[index] as number) < line) {
      index++;
    }
    if (plan.lines[index] !== line) {
      throw new Error(`There is no request to send on line ${line + 1}, or it is listed twice.`);
    }
    indexes[at] = index++;
  });
  return indexes;
}

function toSelected(plan: RequestPlan, indexes: Uint32Array): SelectedRequests {
  const lines = sharedWords(indexes.length);
  const counts = new Map<number, number>();
  let bodyBytes = frameBytes(indexes.length);
  indexes.forEach((index, at) => {
    lines[at] = plan.lines[index] as number;
    bodyBytes += bytesOf(plan, index);
    const model = plan.models[index] as number;
    if (model !== noModel) {
      counts.set(model, (counts.get(model) ?? 0) + 1);
    }
  });
  const models = [...counts].map(([model, count]) => [plan.modelNames[model] ?? '', count] as const);
  return { lines, bodyBytes, models: models.sort((a, b) => b[1] - a[1]) };
}

/** Returns the size of one request in a body, without separators, in bytes. */
function bytesOf(plan: RequestPlan, index: number): number {
  const bareLine = plan.bareLines[index] as number;
  return (plan.lengths[index] as number) + (bareLine === -1 ? 0 : wrapBytes(bareLine));
}
