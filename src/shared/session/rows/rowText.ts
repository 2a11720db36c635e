import { partsOf } from './rowParts';
import type { Part, Row } from './rows';

/** Returns a pattern that finds a text in upper or lower case; `undefined` for an empty text. */
export function toPattern(query: string, flags: 'iu' | 'giu'): RegExp | undefined {
  return query === '' ? undefined : new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), flags);
}

/** Returns whether a pattern matches the texts that a row has. */
export function rowMatches(row: Row, pattern: RegExp): boolean {
  return (
    pattern.test(row.summary) ||
    wordsOf(row).some(word => word !== undefined && pattern.test(word)) ||
    partsOf(row).some(({ part }) => pattern.test(textOf(part)))
  );
}

/** Returns the text of a row for the clipboard. `wholeOf` returns the whole of a part by its path. */
export function toCopyText(row: Row, wholeOf: (path: string) => string | undefined = () => undefined): string {
  const parts = partsOf(row).map(({ path, part }) => ('text' in part ? (wholeOf(path) ?? part.text ?? '') : ''));
  const words = row.kind === 'status' || row.kind === 'thread' ? [] : wordsOf(row);
  const texts = [...words, ...parts].filter(text => text !== undefined && text !== '');
  return texts.length === 0 ? row.summary : texts.join('\n\n');
}

/** Texts of a row beside its parts. */
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
  switch (part.type) {
    case 'image':
      return part.name;
    case 'document':
      return `${part.title}\n${part.source}\n${part.text ?? ''}`;
    case 'redacted':
      return '';
    default:
      return part.text;
  }
}
