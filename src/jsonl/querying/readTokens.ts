import type { ProblemText } from '../../contract/problem';
import type { TableSubject } from '../results/resultsIndexFile';
import { fieldOf } from './queryLanguage';

/** Token of a query. Offsets are in UTF-16 code units. */
export interface QueryToken {
  readonly kind: 'word' | 'quoted' | 'pattern' | 'operator' | 'open' | 'close' | 'comma' | 'not';
  readonly start: number;
  readonly end: number;
  /** Text without quotation marks, slashes and escapes. */
  readonly text: string;
  readonly flags?: string;
  /** Reason why the token is invalid. An invalid token is the last one. */
  readonly problem?: ProblemText;
}

/** Operators, longer ones first. A colon is an operator only after the name of a field. */
const operators = ['!=', '!~', '>=', '<=', '<>', '==', '=', '~', '>', '<'];
const wordEnd = /[\s()"'=~<>!,]/;
const flagsPattern = /[a-z]*/y;

/** Splits a query into tokens. */
export function readTokens(source: string, subject: TableSubject): readonly QueryToken[] {
  const tokens: QueryToken[] = [];
  for (let at = 0; at < source.length; ) {
    const character = source[at] as string;
    if (/\s/.test(character)) {
      at++;
      continue;
    }
    const token = tokenAt(source, at, tokens.at(-1), subject);
    tokens.push(token);
    if (token.problem !== undefined) {
      break;
    }
    at = token.end;
  }
  return tokens;
}

function tokenAt(source: string, start: number, before: QueryToken | undefined, subject: TableSubject): QueryToken {
  const character = source[start] as string;
  const single = (kind: QueryToken['kind'], length = 1): QueryToken => ({
    kind,
    start,
    end: start + length,
    text: source.slice(start, start + length),
  });
  switch (character) {
    case '(':
      return single('open');
    case ')':
      return single('close');
    case ',':
      return single('comma');
    case '"':
    case "'":
      return quotedAt(source, start);
    default:
      break;
  }
  const operator = operators.find(sign => source.startsWith(sign, start));
  if (operator !== undefined) {
    return single('operator', operator.length);
  }
  if (source.startsWith('&&', start) || source.startsWith('||', start)) {
    return { kind: 'word', start, end: start + 2, text: character === '&' ? 'and' : 'or' };
  }
  if (character === '!') {
    return single('not');
  }
  const isField = before?.kind === 'word' && before.end === start && fieldOf(before.text, subject) !== undefined;
  if (character === ':' && isField) {
    return single('operator');
  }
  if (character === '/' && (before?.kind === 'operator' || before?.kind === 'comma')) {
    return patternAt(source, start);
  }
  return wordAt(source, start, before?.kind === 'operator' || before?.kind === 'comma', subject);
}

function wordAt(source: string, start: number, isValue: boolean, subject: TableSubject): QueryToken {
  let end = start + 1;
  for (; end < source.length; end++) {
    const character = source[end] as string;
    if (wordEnd.test(character) || source.startsWith('&&', end) || source.startsWith('||', end)) {
      break;
    }
    // Ends the word in `status:failed`, but not at the colon of a URL.
    if (character === ':' && !isValue && fieldOf(source.slice(start, end), subject) !== undefined) {
      break;
    }
  }
  return { kind: 'word', start, end, text: source.slice(start, end) };
}

function quotedAt(source: string, start: number): QueryToken {
  const quote = source[start] as string;
  let text = '';
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at] as string;
    if (character === quote) {
      return { kind: 'quoted', start, end: at + 1, text };
    }
    const next = source[at + 1];
    if (character === '\\' && next !== undefined && escaped.has(next)) {
      text += escaped.get(next);
      at++;
    } else {
      text += character;
    }
  }
  return {
    kind: 'quoted',
    start,
    end: source.length,
    text,
    problem: { template: 'Unclosed string.', args: [] },
  };
}

const escaped: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['n', '\n'],
  ['t', '\t'],
]);

function patternAt(source: string, start: number): QueryToken {
  let isClass = false;
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') {
      at++;
    } else if (character === '[') {
      isClass = true;
    } else if (character === ']') {
      isClass = false;
    } else if (character === '/' && !isClass) {
      flagsPattern.lastIndex = at + 1;
      const flags = flagsPattern.exec(source)?.[0] ?? '';
      const end = at + 1 + flags.length;
      const token = { kind: 'pattern', start, end, text: source.slice(start + 1, at), flags } as const;
      return /^[imsu]*$/.test(flags) && new Set(flags).size === flags.length
        ? token
        : { ...token, problem: { template: 'Use the flags i, m, s and u only.', args: [] } };
    }
  }
  return {
    kind: 'pattern',
    start,
    end: source.length,
    text: source.slice(start + 1),
    problem: { template: 'Unclosed pattern.', args: [] },
  };
}
