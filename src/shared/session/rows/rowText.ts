import type { Timeline } from '../facts/timeline';
import { textOfPart } from './parts';
import { hasCutParts, partsOf } from './rowParts';
import type { Part, Row } from './rows';

/** Returns a case-insensitive pattern that finds a text, or `undefined` for an empty text. */
export function toPattern(query: string, flags: 'iu' | 'giu'): RegExp | undefined {
  return query === '' ? undefined : new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), flags);
}

export function rowMatches(row: Row, pattern: RegExp): boolean {
  return (
    pattern.test(row.summary) ||
    wordsOf(row).some(word => word !== undefined && pattern.test(word)) ||
    partsOf(row).some(({ part }) => pattern.test(textOf(part)))
  );
}

/** Returns the text of a row for the clipboard. `wholeOf` returns a complete part by its path. */
export function toCopyText(row: Row, wholeOf: (path: string) => string | undefined = () => undefined): string {
  const parts = partsOf(row).map(({ path, part }) => ('text' in part ? (wholeOf(path) ?? part.text ?? '') : ''));
  const words = row.kind === 'status' || row.kind === 'thread' ? [] : wordsOf(row);
  const texts = [...words, ...parts].filter(text => text !== undefined && text !== '');
  return texts.length === 0 ? row.summary : texts.join('\n\n');
}

function wordsOf(row: Row): readonly (string | undefined)[] {
  switch (row.kind) {
    case 'tool':
      return [row.server, row.name, row.confirmation?.denyMessage];
    case 'status':
      return [row.status, row.stopReason, row.agentName];
    case 'error':
      return [row.errorType, row.message];
    case 'outcome':
      return [row.result, row.description, row.explanation];
    case 'thread':
      return [row.agentName];
    case 'gap':
      return [row.problem];
    default:
      return [];
  }
}

function textOf(part: Part): string {
  return part.type === 'document' ? `${part.title}\n${part.source}\n${part.text ?? ''}` : textOfPart(part);
}

/** Returns the keys of the rows whose complete parts contain a text, ignoring case. With `onlyCut`, searches only rows with cut parts. */
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
      const source = isCut ? timeline.ownerOf(timeline.indexOf(row.key)) : undefined;
      return rowMatches(source === undefined ? row : timeline.build(source, Number.POSITIVE_INFINITY), pattern);
    })
    .map(({ key }) => key);
}
