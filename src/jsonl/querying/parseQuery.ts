import { closeName } from '../../contract/closeName';
import { formatText, type ProblemText } from '../../contract/problem';
import type { TableSubject } from '../results/resultsIndexFile';
import {
  type FieldRule,
  fieldNamesOf,
  fieldOf,
  fieldsBySubject,
  isComparing,
  type NumberRange,
  operatorsOf,
  type QueryNode,
  type QueryOperator,
  type TextTest,
} from './queryLanguage';
import { type QueryToken, readTokens } from './readTokens';
import { isNumber, isValueColumn } from './valueColumns';

const maxQueryLength = 10_000;
const maxPatternLength = 500;
const deepest = 100;

/** Thrown for an invalid query, with an English message. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly text: ProblemText;
  /** UTF-16 offsets of the invalid part. For a problem at the end of the query, both offsets are the length of the query. */
  readonly start: number;
  readonly end: number;

  constructor({ start, end }: Pick<QueryError, 'start' | 'end'>, template: string, ...args: readonly (string | number)[]) {
    super(formatText({ template, args }));
    this.text = { template, args };
    this.start = start;
    this.end = end;
  }
}

/**
 * Parses a query such as `status=failed and error~"credit"`. An empty query matches all rows. A condition is a field, an operator and a
 * value. `and` may be left out. `or` binds less tightly than `and`, and `not` (also `!`) more tightly. Parentheses group. Values with
 * spaces or operators are quoted, and several values are separated by commas. Numbers may be ranges (`100..200`) and end in `k` or `M`. `~`
 * searches for a part, ignoring case, or for a pattern between slashes (`/^a/`, or `/^a/i` to ignore case). Words without a field are
 * searched for in ids, texts and the other shown cells. Throws a `QueryError` if the query is invalid.
 */
export function parseQuery(text: string, subject: TableSubject = 'results'): QueryNode {
  if (text.length > maxQueryLength) {
    throw new QueryError({ start: 0, end: text.length }, 'The query is too long.');
  }
  return new QueryParser(text, subject).parse();
}

class QueryParser {
  private readonly tokens: readonly QueryToken[];
  private readonly end: Pick<QueryToken, 'start' | 'end'>;
  private next = 0;

  constructor(
    source: string,
    private readonly subject: TableSubject,
  ) {
    const tokens = readTokens(source, subject);
    this.end = { start: source.length, end: source.length };
    const bad = tokens.find(({ problem }) => problem !== undefined);
    if (bad?.problem !== undefined) {
      throw new QueryError(bad, bad.problem.template, ...bad.problem.args);
    }
    this.tokens = tokens;
  }

  parse(): QueryNode {
    if (this.tokens.length === 0) {
      return { kind: 'all' };
    }
    const query = this.either(0);
    const token = this.tokens[this.next];
    if (token !== undefined) {
      throw new QueryError(token, 'Unexpected closing parenthesis.');
    }
    return query;
  }

  private either(depth: number): QueryNode {
    const parts = [this.both(depth)];
    while (this.takeWord('or')) {
      parts.push(this.both(depth));
    }
    return joined('or', parts);
  }

  private both(depth: number): QueryNode {
    const parts = [this.one(depth)];
    for (;;) {
      const token = this.tokens[this.next];
      if (token === undefined || token.kind === 'close' || isWord(token, 'or')) {
        return joined('and', parts);
      }
      this.takeWord('and');
      parts.push(this.one(depth));
    }
  }

  private one(depth: number): QueryNode {
    const token = this.tokens[this.next];
    if (token === undefined) {
      throw new QueryError(this.end, 'Expected a condition.');
    }
    if (depth > deepest) {
      throw new QueryError(token, 'The query is too long.');
    }
    this.next++;
    if (isWord(token, 'not') || token.kind === 'not') {
      return { kind: 'not', part: this.one(depth + 1) };
    }
    if (isWord(token, 'and') || isWord(token, 'or')) {
      throw new QueryError(token, 'Expected a condition.', token.text);
    }
    switch (token.kind) {
      case 'open': {
        const part = this.either(depth + 1);
        const close = this.tokens[this.next];
        if (close === undefined) {
          throw new QueryError(token, 'Unclosed parenthesis.');
        }
        this.next++;
        return part;
      }
      case 'comma':
        throw new QueryError(token, 'Use quotes for text with a comma.');
      case 'close':
      case 'operator':
        throw new QueryError(token, 'Expected a condition.');
      case 'pattern':
      case 'quoted':
        return { kind: 'word', test: this.toTest(token) };
      case 'word':
        return this.tokens[this.next]?.kind === 'operator' ? this.condition(token) : { kind: 'word', test: this.toTest(token) };
    }
  }

  private condition(name: QueryToken): QueryNode {
    const field = fieldOf(name.text, this.subject);
    if (field === undefined) {
      const close = fieldOf(closeName(name.text, fieldNamesOf(this.subject)) ?? '', this.subject)?.name;
      throw close === undefined
        ? new QueryError(
            name,
            'Unknown field "{0}". Use one of {1}, or quotation marks to search for the text.',
            name.text,
            listed(fieldsBySubject[this.subject].map(({ name }) => name)),
          )
        : new QueryError(name, 'Unknown field "{0}". Did you mean "{1}"?', name.text, close);
    }
    const sign = this.tokens[this.next++] as QueryToken;
    const operator = toOperator(sign.text, field);
    if (operator === undefined) {
      throw new QueryError(sign, 'Use one of {1} with {0}.', field.name, listed(operatorsOf[field.kind]));
    }
    const values = this.values(field, operator);
    if (operator === '!=' || operator === '!~') {
      return { kind: 'not', part: this.toNode(field, operator === '!=' ? '=' : '~', values) };
    }
    return this.toNode(field, operator, values);
  }

  private values(field: FieldRule, operator: QueryOperator): readonly QueryToken[] {
    const values: QueryToken[] = [];
    for (;;) {
      const value = this.tokens[this.next];
      if (value === undefined || !['word', 'quoted', 'pattern'].includes(value.kind)) {
        const example = field.kind === 'number' || isComparing(operator) ? '100' : (field.values?.[0] ?? '"…"');
        throw new QueryError(value ?? this.end, 'A value is missing, such as {0}.', `${field.name}${operator}${example}`);
      }
      values.push(value);
      this.next++;
      if (this.tokens[this.next]?.kind !== 'comma') {
        return values;
      }
      this.next++;
    }
  }

  private toNode(field: FieldRule, operator: QueryOperator, values: readonly QueryToken[]): QueryNode {
    const { name, kind } = field;
    switch (name) {
      case 'line':
      case 'in':
      case 'out':
      case 'tokens':
      case 'length':
        return { kind: 'number', field: name, ranges: values.map(value => toRange(value, operator)) };
    }
    if (isValueColumn(name) && isComparing(operator)) {
      return { kind: 'value', column: name, test: { kind: 'compares', operator, numbers: values.map(toCompared) } };
    }
    const toValue = (value: QueryToken) => (kind === 'word' ? toWord(value, field) : toWhole(value, name === 'id'));
    const tests = operator === '~' ? values.map(value => this.toTest(value)) : [{ kind: 'whole' as const, values: values.map(toValue) }];
    return joined(
      'or',
      tests.map(test => (isValueColumn(name) ? { kind: 'value', column: name, test } : { kind: 'text', field: name, test })),
    );
  }

  private toTest(token: QueryToken): TextTest {
    if (token.kind !== 'pattern') {
      return { kind: 'part', lower: token.text.toLowerCase() };
    }
    if (token.text.length > maxPatternLength) {
      throw new QueryError(token, 'The query is too long.');
    }
    try {
      return { kind: 'pattern', pattern: new RegExp(token.text, token.flags) };
    } catch (error) {
      const reason = error instanceof Error ? (error.message.split(': ').at(-1) ?? '') : '';
      throw new QueryError(token, 'Invalid pattern: {0}.', reason);
    }
  }

  private takeWord(word: string): boolean {
    const token = this.tokens[this.next];
    if (token === undefined || !isWord(token, word)) {
      return false;
    }
    this.next++;
    return true;
  }
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}

function joined(kind: 'and' | 'or', parts: readonly QueryNode[]): QueryNode {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : { kind, parts };
}

function isWord(token: QueryToken, word: string): boolean {
  return token.kind === 'word' && token.text.toLowerCase() === word;
}

/** Returns the operator that a sign means for a field: `:` is the default operator, `==` and `<>` are other spellings. */
function toOperator(sign: string, { kind }: FieldRule): QueryOperator | undefined {
  const operators = operatorsOf[kind];
  const wanted = sign === ':' ? operators[0] : sign === '==' ? '=' : sign === '<>' ? '!=' : sign;
  // For a field with fixed values, `status~failed` means `status=failed`.
  const plain = kind === 'word' && wanted === '~' ? '=' : kind === 'word' && wanted === '!~' ? '!=' : wanted;
  return operators.find(operator => operator === plain);
}

function toWhole(token: QueryToken, isExact: boolean): string {
  if (token.kind === 'pattern') {
    throw new QueryError(token, 'Use "~" with a pattern.');
  }
  return isExact ? token.text : token.text.toLowerCase();
}

/** Returns the value of a field that a token names, resolving synonyms. Throws a `QueryError` for any other text. */
export function toWord(token: QueryToken, { name, values = [], synonyms }: FieldRule): string {
  const given = token.text.toLowerCase();
  const plain = given.replace(/[\s-]/g, '_');
  const value = values.find(known => known === plain) ?? synonyms?.get(plain);
  if (value !== undefined && token.kind !== 'pattern') {
    return value;
  }
  const close = closeName(given, [...values, ...(synonyms?.keys() ?? [])]);
  const meant = close === undefined ? undefined : (synonyms?.get(close) ?? close);
  throw meant === undefined
    ? new QueryError(token, 'Unknown {1} "{0}". Use one of {2}.', token.text, name, listed(values))
    : new QueryError(token, 'Unknown {1} "{0}". Did you mean "{2}"?', token.text, name, meant);
}

const numberPattern = /^\d[\d_]*(?:\.\d+)?[km]?$/i;

/** Returns the numbers that match an operator with a number or range. Throws a `QueryError` for any other text. */
export function toRange(token: QueryToken, operator: QueryOperator): NumberRange {
  const [first = '', second, ...more] = token.text.split('..');
  const from = toNumber(first);
  const to = second === undefined ? from : toNumber(second);
  if (from === undefined || to === undefined || more.length > 0 || token.kind === 'pattern') {
    throw new QueryError(token, 'Use a number such as 0.5, 4k or 100..200.', token.text);
  }
  if (second !== undefined && operator !== '=') {
    throw new QueryError(token, 'Use "=" or "!=" with a range.');
  }
  // All compared numbers are whole numbers.
  switch (operator) {
    case '>':
      return { from: Math.floor(from) + 1, to: Number.POSITIVE_INFINITY };
    case '>=':
      return { from, to: Number.POSITIVE_INFINITY };
    case '<':
      return { from: Number.NEGATIVE_INFINITY, to: Math.ceil(from) - 1 };
    case '<=':
      return { from: Number.NEGATIVE_INFINITY, to: from };
    default:
      return { from: Math.min(from, to), to: Math.max(from, to) };
  }
}

/** Returns the number of a token, in any JSON notation or with a unit: `-0.5`, `1e3`, `4k`. JSON numbers are returned unchanged. */
export function toCompared(token: QueryToken): string {
  const { text, kind } = token;
  const number = kind === 'pattern' ? undefined : isNumber(text) ? text : toNumber(text)?.toString();
  if (number === undefined) {
    throw new QueryError(token, 'Use a number such as 0.5, 4k or 100..200.', text);
  }
  return number;
}

function toNumber(text: string): number | undefined {
  if (!numberPattern.test(text)) {
    return undefined;
  }
  const unit = text.at(-1)?.toLowerCase();
  const scale = unit === 'k' ? 1e3 : unit === 'm' ? 1e6 : 1;
  return Number(text.replace(/[_km]/gi, '')) * scale;
}
