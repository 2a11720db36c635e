import { closeName } from '../../contract/closeName';
import type { FieldRule, NumberRange, QueryOperator } from './queryLanguage';
import { QueryError, refused } from './queryProblem';
import type { QueryToken } from './readTokens';
import { isNumber } from './valueColumns';

/** Returns a value to compare with the whole text: unchanged if `isExact`, otherwise in lower case. */
export function toWhole(token: QueryToken, isExact: boolean): string {
  if (token.kind === 'pattern') {
    throw refused(token.start, token.end, 'Use "~" with a pattern.');
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
  throw new QueryError({
    start: token.start,
    end: token.end,
    text:
      meant === undefined
        ? { template: 'Unknown {1} "{0}". Use one of {2}.', args: [token.text, name, values.join(', ')] }
        : { template: 'Unknown {1} "{0}". Did you mean "{2}"?', args: [token.text, name, meant] },
    ...(meant !== undefined && { suggestion: meant }),
  });
}

const numberPattern = /^\d[\d_]*(?:\.\d+)?[km]?$/i;

/** Returns the range of numbers that a number or range means with an operator. Throws a `QueryError` for any other text. */
export function toRange(token: QueryToken, operator: QueryOperator): NumberRange {
  const [first = '', second, ...more] = token.text.split('..');
  const from = toNumber(first);
  const to = second === undefined ? from : toNumber(second);
  if (from === undefined || to === undefined || more.length > 0 || token.kind === 'pattern') {
    throw refused(token.start, token.end, 'Use a number such as 0.5, 4k or 100..200.', token.text);
  }
  if (second !== undefined && operator !== '=') {
    throw refused(token.start, token.end, 'Use "=" or "!=" with a range.');
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
export function toCompared({ text, kind, start, end }: QueryToken): string {
  const number = kind === 'pattern' ? undefined : isNumber(text) ? text : toNumber(text)?.toString();
  if (number === undefined) {
    throw refused(start, end, 'Use a number such as 0.5, 4k or 100..200.', text);
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
