import type { PositionRange } from '../../shared/results/resultsProtocol';

/** Selected row positions as ascending, disjoint ranges. A selection of all rows is a single range. */
export type PositionRanges = readonly PositionRange[];

export function hasPosition(ranges: PositionRanges, position: number): boolean {
  return ranges.some(([from, to]) => position >= from && position < to);
}

export function countPositions(ranges: PositionRanges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}

export function addPositions(ranges: PositionRanges, [from, to]: PositionRange): PositionRanges {
  const apart = ranges.filter(range => range[1] < from || range[0] > to);
  const touching = ranges.filter(range => range[1] >= from && range[0] <= to);
  const joined: PositionRange = [Math.min(from, ...touching.map(range => range[0])), Math.max(to, ...touching.map(range => range[1]))];
  return [...apart, joined].sort((a, b) => a[0] - b[0]);
}

export function togglePosition(ranges: PositionRanges, position: number): PositionRanges {
  if (!hasPosition(ranges, position)) {
    return addPositions(ranges, [position, position + 1]);
  }
  const cut = ranges.flatMap(([from, to]): PositionRange[] => [
    [from, Math.min(to, position)],
    [Math.max(from, position + 1), to],
  ]);
  return cut.filter(([from, to]) => from < to);
}
