import type { PlaceRange } from '../../shared/results/resultsProtocol';

/** Selected row positions as ascending, disjoint ranges: a selection of a million rows is one range. */
export type PlaceRanges = readonly PlaceRange[];

export function hasPlace(ranges: PlaceRanges, place: number): boolean {
  return ranges.some(([from, to]) => place >= from && place < to);
}

export function countPlaces(ranges: PlaceRanges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}

export function addPlaces(ranges: PlaceRanges, [from, to]: PlaceRange): PlaceRanges {
  const apart = ranges.filter(range => range[1] < from || range[0] > to);
  const touching = ranges.filter(range => range[1] >= from && range[0] <= to);
  const joined: PlaceRange = [Math.min(from, ...touching.map(range => range[0])), Math.max(to, ...touching.map(range => range[1]))];
  return [...apart, joined].sort((a, b) => a[0] - b[0]);
}

export function togglePlace(ranges: PlaceRanges, place: number): PlaceRanges {
  return hasPlace(ranges, place)
    ? ranges.flatMap(([from, to]): PlaceRange[] =>
        place < from || place >= to
          ? [[from, to]]
          : (
              [
                [from, place],
                [place + 1, to],
              ] as PlaceRange[]
            ).filter(([a, b]) => a < b),
      )
    : addPlaces(ranges, [place, place + 1]);
}
