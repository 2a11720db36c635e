import type { Timeline } from '../facts/timeline';
import { hasCutParts } from './rowParts';
import type { Row } from './rows';
import { rowMatches, toPattern } from './rowText';

/** Returns the keys of the rows whose complete parts contain a text, ignoring case. `onlyCut`: only rows with cut parts. */
export function findRows(timeline: Timeline, rows: readonly Row[], query: string, onlyCut: boolean): readonly string[] {
  const pattern = toPattern(query, 'iu');
  if (pattern === undefined) {
    return [];
  }
  return rows
    .filter(row => {
      const isCut = hasCutParts(row);
      if (onlyCut && !isCut) {
        return false;
      }
      const place = isCut ? timeline.indexOf(row.key) : undefined;
      const source = place === undefined ? undefined : timeline.ownerOf(place);
      return rowMatches(source === undefined ? row : timeline.build(source, Number.POSITIVE_INFINITY), pattern);
    })
    .map(({ key }) => key);
}
