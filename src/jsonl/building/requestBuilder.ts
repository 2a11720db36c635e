import type { ProblemText } from '../../contract/problem';
import { compactJson, decodeText, lookUp } from '../scanning/jsonMembers';
import type { JsonNode } from '../scanning/jsonText';
import { type PlaceholderFilter, parsePlaceholder, piecesOf, type RequestTemplate, rowNumberName } from './requestTemplate';
import type { Row } from './rowsReport';

/** Returns the JSON of a part of a request for a row. Returns `undefined` if an optional placeholder has no value. */
type Part = (row: Row) => string | undefined;

/** Thrown for a row from which no request can be built. */
export class RowMismatch extends Error {
  constructor(readonly text: ProblemText) {
    super(text.template);
  }
}

/**
 * Builds request lines from rows. Each line is one JSON object `{"custom_id": ..., "params": ...}` without white space between its parts
 * and with the keys in template order. Texts, numbers and escapes of the template, and JSON values of rows, keep their notation. A string
 * that consists of a single placeholder becomes the value itself: a number, an object, null. Within other text a value becomes text:
 * strings unchanged, null as an empty text, anything else as compact JSON. A member with only `{{name?}}` is left out if the row has no
 * value. An id is always text. The id is `row-<n>` if the template has no id or leaves the id out.
 */
export class RequestBuilder {
  private readonly line: Part;

  /** Compiles a template for rows with these columns. Throws if the template has no root. */
  constructor({ source, root, isWhole }: RequestTemplate, columns: readonly string[]) {
    if (root === undefined) {
      throw new Error('The template has errors.');
    }
    const compiler = new Compiler(source, columns);
    const own = [...(root.children ?? [])].filter(([key]) => key !== '$schema');
    const members = own.map(([key, value]) => compiler.member(value, isWhole && key === 'custom_id'));
    const derived = { raw: '"custom_id":', part: derivedIdOf };
    if (isWhole) {
      this.line = group('{', root.children?.has('custom_id') ? members : [derived, ...members], '}');
    } else {
      this.line = group('{', [derived, { raw: '"params":', part: group('{', members, '}') }], '}');
    }
  }

  /** Returns the line for a row, without LF. Throws a `RowMismatch` if the row lacks a required value. */
  build(row: Row): string {
    return this.line(row) ?? '';
  }
}

function derivedIdOf(row: Row): string {
  return `"row-${row.number}"`;
}

/** Member of an object or item of an array. A member has the text of its key and a colon. */
interface Member {
  readonly raw: string;
  readonly part: Part;
}

function group(open: string, members: readonly Member[], close: string): Part {
  return row => {
    let text = open;
    for (const { raw, part } of members) {
      const value = part(row);
      if (value !== undefined) {
        text += text === open ? raw + value : `,${raw}${value}`;
      }
    }
    return text + close;
  };
}

class Compiler {
  private readonly columns: ReadonlySet<string>;

  constructor(
    private readonly source: string,
    columns: readonly string[],
  ) {
    this.columns = new Set(columns);
  }

  /** Compiles a member. An id is always text. */
  member(value: JsonNode, isId = false): Member {
    const raw = `${this.source.slice(value.keyStart, value.keyEnd)}:`;
    const part = this.node(value, isId);
    return { raw, part: isId ? row => part(row) ?? derivedIdOf(row) : part };
  }

  private node(node: JsonNode, isText: boolean): Part {
    const raw = this.source.slice(node.start, node.end);
    const children = [...(node.children?.values() ?? [])];
    switch (raw[0]) {
      case '{':
        return group(
          '{',
          children.map(child => this.member(child)),
          '}',
        );
      case '[':
        return group(
          '[',
          children.map(item => ({ raw: '', part: this.node(item, false) })),
          ']',
        );
      case '"':
        return raw.includes('{{') ? this.text(node, isText) : () => raw;
      default:
        return () => raw;
    }
  }

  private text({ start, end }: JsonNode, isText: boolean): Part {
    const pieces = piecesOf(this.source, start, end);
    const [first, second] = pieces;
    if (first?.kind === 'placeholder' && second === undefined) {
      const value = this.placeholder(first.inner);
      return isText
        ? row => {
            const json = value(row);
            return json === undefined ? undefined : `"${toRawText(json)}"`;
          }
        : value;
    }
    const parts = pieces.map(piece => {
      if (piece.kind === 'placeholder') {
        return this.placeholder(piece.inner);
      }
      return piece.kind === 'text' ? piece.raw : '';
    });
    return row => {
      let text = '"';
      for (const part of parts) {
        text += typeof part === 'string' ? part : toRawText(part(row) ?? 'null');
      }
      return `${text}"`;
    };
  }

  private placeholder(inner: string): Part {
    const { column, filters, isOptional } = parsePlaceholder(inner, this.columns);
    const isRowNumber = column === rowNumberName && !this.columns.has(column);
    return row => {
      let json = isRowNumber ? String(row.number) : lookUp(row.values, column);
      for (const filter of filters) {
        json = json === undefined ? undefined : applyFilter(filter, json, column);
      }
      if (isOptional && (json === undefined || json === 'null' || json === '""')) {
        return undefined;
      }
      if (json === undefined) {
        throw new RowMismatch({ template: '{0} is empty. Use {1} if it can be empty.', args: [column, `{{${inner}?}}`] });
      }
      // A request must fit on one line.
      return (json[0] === '{' || json[0] === '[') && /[\r\n]/.test(json) ? compactJson(json) : json;
    };
  }
}

function toRawText(json: string): string {
  switch (json[0]) {
    case '"':
      return json.slice(1, -1);
    case 'n':
      return '';
    case '{':
    case '[':
      return JSON.stringify(compactJson(json)).slice(1, -1);
    default:
      return json;
  }
}

function applyFilter(filter: PlaceholderFilter, json: string, column: string): string {
  switch (filter) {
    case 'text':
      return `"${toRawText(json)}"`;
    case 'trim':
      return json[0] === '"' ? JSON.stringify(decodeText(json).trim()) : json;
    case 'id': {
      const text = decodeText(`"${toRawText(json)}"`);
      return JSON.stringify(text.replace(/[^a-zA-Z0-9_-]+/g, '-').slice(0, 64));
    }
    case 'json': {
      if (json[0] !== '"') {
        return json;
      }
      const text = decodeText(json).trim();
      if (text !== '') {
        try {
          JSON.parse(text);
        } catch {
          throw new RowMismatch({ template: '{0} is invalid JSON.', args: [column] });
        }
      }
      return text === '' ? '""' : text;
    }
  }
}
