import { partsOf } from './rowParts';
import type { Row } from './rows';

/** Whether this row's text has the searched words in what is loaded of it. */
export function rowMatches(row: Row, pattern: RegExp): boolean {
  const name = row.kind === 'thread' ? row.agentName : '';
  return pattern.test(row.summary) || pattern.test(name) || textsOf(row).some(text => pattern.test(text));
}

/** Text to put on the clipboard: what the row says, without its dressing. `wholeOf` gives the whole of a part by its path. */
export function toCopyText(row: Row, wholeOf?: (path: string) => string | undefined): string {
  const texts = textsOf(row, wholeOf).filter(text => text !== '');
  return texts.length === 0 ? row.summary : texts.join('\n\n');
}

function textsOf(row: Row, wholeOf: (path: string) => string | undefined = () => undefined): readonly string[] {
  const parts = partsOf(row).map(({ path, part }) => ('text' in part ? (wholeOf(path) ?? part.text ?? '') : ''));
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
