import { closeName } from '../../contract/closeName';
import type { ProblemText } from '../../contract/problem';
import { type JsonNode, parseJsonLine } from '../scanning/jsonText';

/** Filters that convert a value before it is inserted: to text, to the JSON that a text contains, to a trimmed text, or to a valid id. */
const placeholderFilters = ['text', 'json', 'trim', 'id'] as const;
export type PlaceholderFilter = (typeof placeholderFilters)[number];

/** Name of the placeholder `{{row}}`, the 1-based row number, unless there is a column with that name. */
export const rowNumberName = 'row';

interface Placeholder {
  readonly kind: 'placeholder';
  readonly start: number;
  readonly end: number;
  readonly inner: string;
}

/** Part of the raw text of a JSON string. */
type TemplatePiece =
  | { readonly kind: 'text'; readonly raw: string }
  | Placeholder
  | { readonly kind: 'broken'; readonly start: number; readonly end: number; readonly text: ProblemText };

/**
 * Splits the JSON string [start, end) of a template into text and placeholders. Four braces are an escape for two. Of three braces, the
 * first is text. Texts keep their notation.
 */
export function piecesOf(source: string, start: number, end: number): readonly TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  const last = end - 1;
  const raw = source.slice(0, last);
  let text = '';
  let at = start + 1;
  const addText = () => {
    if (text !== '') {
      pieces.push({ kind: 'text', raw: text });
      text = '';
    }
  };
  for (let open = raw.indexOf('{{', at); open !== -1; open = raw.indexOf('{{', at)) {
    text += raw.slice(at, open);
    if (raw[open + 2] === '{') {
      const isEscape = raw[open + 3] === '{';
      text += isEscape ? '{{' : '{';
      at = open + (isEscape ? 4 : 1);
      continue;
    }
    addText();
    const close = raw.indexOf('}}', open + 2);
    const nextOpen = raw.indexOf('{{', open + 2);
    if (close === -1 || (nextOpen !== -1 && nextOpen < close)) {
      at = nextOpen === -1 ? last : nextOpen;
      const template = 'Close it with {0}, or write {2} for the text {1}.';
      pieces.push({ kind: 'broken', start: open, end: at, text: { template, args: ['}}', '{{', '{{{{'] } });
      continue;
    }
    at = close + 2;
    const inner = (JSON.parse(`"${raw.slice(open + 2, close)}"`) as string).trim();
    pieces.push(
      inner === ''
        ? { kind: 'broken', start: open, end: at, text: { template: 'A column name is missing.', args: [] } }
        : { kind: 'placeholder', start: open, end: at, inner },
    );
  }
  text += raw.slice(at);
  addText();
  return pieces;
}

/**
 * Parses the text between the braces of a placeholder: `column`, `column?`, `column|filter`, `column|filter?`. A column
 * whose name is the whole text takes precedence, so column names may contain question marks and bars. `?` accepts a
 * missing value.
 */
export function parsePlaceholder(inner: string, columns: ReadonlySet<string> = new Set()) {
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

/** Problem in a template, at UTF-16 offsets of its text. */
interface TemplateProblem {
  readonly severity: 'error' | 'warning';
  readonly rule: 'json-syntax' | 'template-shape' | 'template-place' | 'unknown-column';
  readonly start: number;
  readonly end: number;
  readonly text: ProblemText;
}

export interface RequestTemplate {
  /** Text of the template without a byte order mark. */
  readonly source: string;
  /** Object of the template, or `undefined` if there are errors that prevent building. */
  readonly root: JsonNode | undefined;
  /** True for a full request with `params`, false for bare message params. */
  readonly isWhole: boolean;
  readonly placeholders: readonly Placeholder[];
  readonly problems: readonly TemplateProblem[];
}

/**
 * Parses a request template: a request or bare message params as JSON, with placeholders `{{column}}` in its strings. `$schema` is for
 * editors and not part of the request. Reports only the problems that don't depend on rows.
 */
export function parseTemplate(text: string): RequestTemplate {
  const source = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  const parsed = parseJsonLine(source);
  const problems: TemplateProblem[] = parsed.problems.map(problem => ({
    severity: problem.rule === 'lone-surrogate' ? 'warning' : 'error',
    rule: 'json-syntax',
    start: problem.start,
    end: problem.end,
    text: problem.text,
  }));
  const placeholders: Placeholder[] = [];
  const misplaced = (start: number, end: number, words: ProblemText) =>
    problems.push({ severity: 'error', rule: 'template-place', start, end, text: words });
  const visit = (node: JsonNode) => {
    for (const piece of source[node.start] === '"' ? piecesOf(source, node.start, node.end) : []) {
      if (piece.kind === 'placeholder') {
        placeholders.push(piece);
      } else if (piece.kind === 'broken') {
        misplaced(piece.start, piece.end, piece.text);
      }
    }
    for (const [key, child] of node.children ?? []) {
      const { keyStart, keyEnd } = child;
      if (typeof key === 'string' && piecesOf(source, keyStart, keyEnd).some(({ kind }) => kind === 'placeholder')) {
        misplaced(keyStart, keyEnd, { template: 'Placeholders can only be used in values.', args: [] });
      }
      visit(child);
    }
  };
  if (parsed.root !== undefined) {
    visit(parsed.root);
  }
  const root = parsed.root !== undefined && source[parsed.root.start] === '{' ? parsed.root : undefined;
  if (parsed.root !== undefined && root === undefined) {
    const template = 'Not a request (custom_id and params) or message params (model, max_tokens and messages).';
    problems.push({ severity: 'error', rule: 'template-shape', start: 0, end: text.length, text: { template, args: [] } });
  }
  const isWhole = root?.children?.has('params') === true || root?.children?.has('custom_id') === true;
  return { source, root, isWhole, placeholders, problems };
}

/** Returns the missing columns of placeholders, with the closest existing names, and the columns that none uses. */
export function compareColumns(
  template: RequestTemplate,
  columns: readonly string[],
): { readonly missing: readonly { readonly name: string; readonly closest: string | undefined }[]; readonly unused: readonly string[] } {
  const known = new Set(columns);
  const names = [...new Set(template.placeholders.map(({ inner }) => parsePlaceholder(inner, known).column))];
  const used = new Set(names.flatMap(name => (known.has(name) ? [name] : [...prefixesOf(name)])));
  return {
    missing: names.filter(name => !isThere(name, known)).map(name => ({ name, closest: closeName(name, columns) })),
    unused: columns.filter(column => !used.has(column)),
  };
}

/** Returns the problems that prevent building requests from rows with these columns. */
export function findTemplateErrors(template: RequestTemplate, columns: readonly string[]): TemplateProblem[] {
  return [...template.problems, ...findColumnProblems(template, columns)].filter(({ severity }) => severity === 'error');
}

export function findColumnProblems(template: RequestTemplate, columns: readonly string[]): TemplateProblem[] {
  const known = new Set(columns);
  return template.placeholders.flatMap(({ start, end, inner }) => {
    const { column } = parsePlaceholder(inner, known);
    if (isThere(column, known)) {
      return [];
    }
    const text = { template: 'The rows have no column {0}.', args: [column] };
    return [{ severity: 'error', rule: 'unknown-column', start, end, text }];
  });
}

function isThere(name: string, columns: ReadonlySet<string>): boolean {
  return columns.has(name) || name === rowNumberName || [...prefixesOf(name)].some(prefix => columns.has(prefix));
}

function* prefixesOf(path: string): Generator<string> {
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    yield path.slice(0, dot);
  }
}
