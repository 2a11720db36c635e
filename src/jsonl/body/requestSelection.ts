import type { BatchLimits } from '../checking/batchFileReport';
import { frameBytes, wrapBytes } from '../checking/bodyFrame';
import type { SelectedRequests } from '../checking/requestPlan';
import { noModel, type RequestPlan } from '../checking/requestPlan';
import { sharedWords } from '../files/typedArrays';

/** Selects the requests on these 0-based lines. Throws if a line has no request or the lines are not ascending. */
export function selectRequests(plan: RequestPlan, lines: Uint32Array): SelectedRequests {
  return toSelected(plan, placesOf(plan, lines));
}

/**
 * Splits a file, or some of its lines, into parts that are as large as the limits allow, in order. Throws if `selectRequests` would, or if
 * a single request exceeds the limits.
 */
export function cutRequests(plan: RequestPlan, { maxRequests, maxBytes }: BatchLimits, lines?: Uint32Array): readonly SelectedRequests[] {
  const places = lines === undefined ? Uint32Array.from(plan.lines, (_, place) => place) : placesOf(plan, lines);
  const parts: SelectedRequests[] = [];
  let first = 0;
  let bytes = 0;
  places.forEach((place, at) => {
    const size = bytesOf(plan, place);
    if (frameBytes(1) + size > maxBytes || maxRequests < 1) {
      throw new Error(`The request on line ${(plan.lines[place] as number) + 1} alone is over the limits of a batch.`);
    }
    if (at - first === maxRequests || frameBytes(at - first + 1) + bytes + size > maxBytes) {
      parts.push(toSelected(plan, places.subarray(first, at)));
      first = at;
      bytes = 0;
    }
    bytes += size;
  });
  if (first < places.length) {
    parts.push(toSelected(plan, places.subarray(first)));
  }
  return parts;
}

/** Returns the plan of these requests alone, still for the whole file. Throws if `selectRequests` would. */
export function narrowPlan(plan: RequestPlan, lines: Uint32Array): RequestPlan {
  const places = placesOf(plan, lines);
  const entries = Array.from(places, place => plan.lineMap.subarray(place === 0 ? 0 : plan.mapEnds[place - 1], plan.mapEnds[place]));
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
    starts: Float64Array.from(places, place => plan.starts[place] as number),
    lengths: Uint32Array.from(places, place => plan.lengths[place] as number),
    bareLines: Int32Array.from(places, place => plan.bareLines[place] as number),
    lines: Uint32Array.from(places, place => plan.lines[place] as number),
    models: Uint32Array.from(places, place => plan.models[place] as number),
    lineMap,
    mapEnds,
  };
}

function placesOf(plan: RequestPlan, lines: Uint32Array): Uint32Array {
  const places = new Uint32Array(lines.length);
  let place = 0;
  lines.forEach((line, at) => {
    while (place < plan.lines.length && (plan.lines[place] as number) < line) {
      place++;
    }
    if (plan.lines[place] !== line) {
      throw new Error(`There is no request to send on line ${line + 1}, or it was named before.`);
    }
    places[at] = place++;
  });
  return places;
}

function toSelected(plan: RequestPlan, places: Uint32Array): SelectedRequests {
  const lines = sharedWords(places.length);
  const counts = new Map<number, number>();
  let bodyBytes = frameBytes(places.length);
  places.forEach((place, at) => {
    lines[at] = plan.lines[place] as number;
    bodyBytes += bytesOf(plan, place);
    const model = plan.models[place] as number;
    if (model !== noModel) {
      counts.set(model, (counts.get(model) ?? 0) + 1);
    }
  });
  const models = [...counts].map(([model, count]) => [plan.modelNames[model] ?? '', count] as const);
  return { lines, bodyBytes, models: models.sort((a, b) => b[1] - a[1]) };
}

/** Returns the size of one request in a body, without separators, in bytes. */
function bytesOf(plan: RequestPlan, place: number): number {
  const bareLine = plan.bareLines[place] as number;
  return (plan.lengths[place] as number) + (bareLine === -1 ? 0 : wrapBytes(bareLine));
}
