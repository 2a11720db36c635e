import type { ProblemText } from '../../contract/problem';
import { compactJson, decodeText, lookUp } from '../scanning/jsonMembers';
import {
  type PlaceholderFilter,
  parsePlaceholder,
  type RequestTemplate,
  rowNumberName,
  type TemplateNode,
  type TemplatePiece,
} from './requestTemplate';
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
 * and with the keys in template order. Texts, numbers and escapes of the template, and JSON values of rows, keep their notation.
 * A string that consists of a single placeholder becomes the value itself: a number, an object, null. Within other text a value becomes
 * text: strings unchanged, null as an empty text, anything else as compact JSON. A member with only `{{name?}}` is left out if the row has
 * no value. An id is always text. It is `row-<n>` if the template has no id or leaves it out.
 */
export class RequestBuilder {
  private readonly line: Part;

  /** Compiles a template for rows with these columns. Throws if the template has no root. */
  constructor({ root, isWhole }: RequestTemplate, columns: readonly string[]) {
    if (root === undefined) {
      throw new Error('A template with errors builds nothing.');
    }
    const compiler = new Compiler(columns);
    if (!isWhole) {
      const params = compiler.node(root);
      this.line = row => `{"custom_id":${derivedIdOf(row)},"params":${params(row)}}`;
      return;
    }
    const id = root.members.find(({ key }) => key === 'custom_id');
    const members = root.members.map(member => ({
      raw: `${member.rawKey}:`,
      part: member === id ? compiler.id(member.value) : compiler.node(member.value),
    }));
    const parts = id === undefined ? [{ raw: '"custom_id":', part: derivedIdOf }, ...members] : members;
    this.line = compiler.group('{', parts, '}');
  }

  /** Returns the line for a row, without LF. Throws a `RowMismatch` if the row lacks a required value. */
  build(row: Row): string {
    return this.line(row) ?? '';
  }
}

function derivedIdOf(row: Row): string {
  return `"row-${row.number}"`;
}

class Compiler {
  private readonly columns: ReadonlySet<string>;

  constructor(columns: readonly string[]) {
    this.columns = new Set(columns);
  }

  node(node: TemplateNode): Part {
    switch (node.kind) {
      case 'scalar': {
        const { raw } = node;
        return () => raw;
      }
      case 'text':
        return this.text(node.pieces, false);
      case 'list':
        return this.group(
          '[',
          node.items.map(item => ({ raw: '', part: this.node(item) })),
          ']',
        );
      case 'object':
        return this.group(
          '{',
          node.members.map(({ rawKey, value }) => ({ raw: `${rawKey}:`, part: this.node(value) })),
          '}',
        );
    }
  }

  /** Compiles the part for an id, which is always text. */
  id(node: TemplateNode): Part {
    const part = node.kind === 'text' ? this.text(node.pieces, true) : this.node(node);
    return row => part(row) ?? derivedIdOf(row);
  }

  group(open: string, items: readonly { readonly raw: string; readonly part: Part }[], close: string): Part {
    return row => {
      let text = open;
      for (const { raw, part } of items) {
        const value = part(row);
        if (value !== undefined) {
          text += text === open ? raw + value : `,${raw}${value}`;
        }
      }
      return text + close;
    };
  }

  private text(pieces: readonly TemplatePiece[], isText: boolean): Part {
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
