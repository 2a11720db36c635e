import type { ProblemText } from '../../contract/problem';

/** Filters for a value before it is inserted: as text, as the JSON in a text, without surrounding white space, as an id. */
export const placeholderFilters = ['text', 'json', 'trim', 'id'] as const;
export type PlaceholderFilter = (typeof placeholderFilters)[number];

/** Name of the placeholder `{{row}}`, the 1-based row number, unless there is a column with that name. */
export const rowNumberName = 'row';

/** Parsed placeholder. */
export interface ParsedPlaceholder {
  readonly column: string;
  readonly filters: readonly PlaceholderFilter[];
  /** True for `{{name?}}`, which accepts a missing value. */
  readonly isOptional: boolean;
}

/** Part of the raw text of a JSON string. Offsets are in that text. */
export type TemplatePiece =
  | { readonly kind: 'text'; readonly raw: string }
  | { readonly kind: 'place'; readonly start: number; readonly end: number; readonly inner: string }
  | { readonly kind: 'broken'; readonly start: number; readonly end: number; readonly text: ProblemText };

/**
 * Splits the text between the quotation marks of a JSON string, including escapes, into text and placeholders. Four braces stand for two;
 * of three, the first is text.
 */
export function splitPieces(raw: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let text = '';
  let at = 0;
  for (let open = raw.indexOf('{{'); open !== -1; open = raw.indexOf('{{', at)) {
    text += raw.slice(at, open);
    if (raw.startsWith('{{{{', open)) {
      text += '{{';
      at = open + 4;
      continue;
    }
    if (raw[open + 2] === '{') {
      text += '{';
      at = open + 1;
      continue;
    }
    if (text !== '') {
      pieces.push({ kind: 'text', raw: text });
      text = '';
    }
    const close = raw.indexOf('}}', open + 2);
    const again = raw.indexOf('{{', open + 2);
    if (close === -1 || (again !== -1 && again < close)) {
      at = close === -1 && again === -1 ? raw.length : again === -1 ? close : again;
      const template = 'Close it with {0}, or write {2} for the text {1}.';
      pieces.push({ kind: 'broken', start: open, end: at, text: { template, args: ['}}', '{{', '{{{{'] } });
      continue;
    }
    at = close + 2;
    const inner = (JSON.parse(`"${raw.slice(open + 2, close)}"`) as string).trim();
    pieces.push(
      inner === ''
        ? { kind: 'broken', start: open, end: at, text: { template: 'A column name is missing.', args: [] } }
        : { kind: 'place', start: open, end: at, inner },
    );
  }
  text += raw.slice(at);
  if (text !== '') {
    pieces.push({ kind: 'text', raw: text });
  }
  return pieces;
}

/**
 * Parses the text between the braces of a placeholder: `column`, `column?`, `column|filter`, `column|filter?`. A column with the whole text
 * as its name takes precedence, so a name may contain a question mark or bar.
 */
export function parsePlaceholder(inner: string, columns: ReadonlySet<string> = new Set()): ParsedPlaceholder {
  const filters: PlaceholderFilter[] = [];
  let column = inner;
  let isOptional = false;
  if (!columns.has(column) && column.endsWith('?')) {
    isOptional = true;
    column = column.slice(0, -1).trimEnd();
  }
  while (!columns.has(column)) {
    const bar = column.lastIndexOf('|');
    const filter = placeholderFilters.find(name => name === column.slice(bar + 1).trim());
    if (bar <= 0 || filter === undefined) {
      break;
    }
    filters.unshift(filter);
    column = column.slice(0, bar).trimEnd();
  }
  return { column, filters, isOptional };
}
