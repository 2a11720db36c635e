import type { Timeline } from '../facts/timeline';
import { hasCutParts, partsOf } from './rowParts';
import type { Part, Row } from './rows';

/**
 * Keys of the rows that hold a text anywhere in what they show, in the whole of their parts. Upper and lower case are alike.
 * `onlyCut`: only rows that do not hold all of their parts themselves.
 */
export function findRows(timeline: Timeline, rows: readonly Row[], query: string, onlyCut: boolean): readonly string[] {
  const pattern = toPattern(query);
  if (pattern === undefined) {
    return [];
  }
  return rows
    .filter(row => {
      const isCut = hasCutParts(row);
      if (onlyCut && !isCut) {
        return false;
      }
      const place = isCut ? timeline.placeOf(row.key) : undefined;
      const source = place === undefined ? undefined : timeline.ownerOf(place);
      return rowHolds(source === undefined ? row : timeline.build(source, Number.POSITIVE_INFINITY), pattern);
    })
    .map(({ key }) => key);
}

function toPattern(query: string): RegExp | undefined {
  return query === '' ? undefined : new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
}

function rowHolds(row: Row, pattern: RegExp): boolean {
  return pattern.test(row.summary) || pattern.test(row.type) || textsOf(row).some(text => text !== undefined && pattern.test(text));
}

function textsOf(row: Row): readonly (string | undefined)[] {
  return [...wordsOf(row), ...partsOf(row).map(({ part }) => textOfPart(part))];
}

function wordsOf(row: Row): readonly (string | undefined)[] {
  switch (row.kind) {
    case 'tool':
      return [row.name, row.server, row.confirmation?.denyMessage];
    case 'status':
      return [row.status, row.stopReason, row.agentName];
    case 'error':
      return [row.errorType, row.message];
    case 'outcome':
      return [row.description, row.result, row.explanation];
    case 'thread':
      return [row.agentName];
    case 'gap':
      return [row.problem];
    default:
      return [];
  }
}

function textOfPart(part: Part): string | undefined {
  switch (part.type) {
    case 'image':
      return part.name;
    case 'document':
      return `${part.title}\n${part.source}\n${part.text ?? ''}`;
    case 'redacted':
      return undefined;
    default:
      return part.text;
  }
}
