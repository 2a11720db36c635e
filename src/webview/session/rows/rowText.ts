import type { Part, Row } from '../../../shared/session/rows';

/** The parts of a row with the names that the host knows them by. */
export function partsOf(row: Row): readonly { readonly path: string; readonly part: Part }[] {
  const named = (path: string, part: Part | undefined): readonly { path: string; part: Part }[] =>
    part === undefined ? [] : [{ path, part }];
  switch (row.kind) {
    case 'user':
    case 'agent':
    case 'system':
    case 'thinking':
    case 'thread':
      return row.parts.map((part, index) => ({ path: `parts.${index}`, part }));
    case 'tool':
      return [...named('input', row.input), ...(row.result?.parts ?? []).map((part, index) => ({ path: `result.${index}`, part }))];
    case 'error':
    case 'compaction':
    case 'usage':
    case 'update':
      return named('details', row.details);
    case 'outcome':
      return named('rubric', row.rubric);
    case 'unknown':
      return named('json', row.json);
    case 'status':
    case 'model':
    case 'gap':
      return [];
  }
}

/** Whether this row's text has the searched words in what is loaded of it. */
export function rowMatches(row: Row, pattern: RegExp): boolean {
  return pattern.test(row.summary) || textsOf(row).some(text => pattern.test(text));
}

/** Whether something of it was cut, so that only the host can search all of it. */
export function isCutRow(row: Row): boolean {
  return partsOf(row).some(({ part }) => 'cut' in part && part.cut !== undefined);
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
