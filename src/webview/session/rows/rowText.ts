import { partsOf } from '../../../shared/session/rows/rowParts';
import type { Row } from '../../../shared/session/rows/rows';

/** Whether this row's text has the searched words in what is loaded of it. */
export function rowMatches(row: Row, pattern: RegExp): boolean {
  return pattern.test(row.summary) || textsOf(row).some(text => pattern.test(text));
}

/** Text to put on the clipboard: what the row says, without its dressing. */
export function toCopyText(row: Row): string {
  const texts = textsOf(row).filter(text => text !== '');
  return texts.length === 0 ? row.summary : texts.join('\n\n');
}

function textsOf(row: Row): readonly string[] {
  const parts = partsOf(row).map(({ part }) => ('text' in part ? (part.text ?? '') : ''));
  switch (row.kind) {
    case 'tool':
      return [row.name, ...parts, row.confirmation?.denyMessage ?? ''];
    case 'error':
      return [row.errorType, row.message, ...parts];
    case 'outcome':
      return [row.description ?? '', row.explanation ?? '', ...parts];
    case 'gap':
      return [row.problem];
    default:
      return parts;
  }
}
