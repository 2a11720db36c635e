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
/** Tokens of a single character. */
const signs: ReadonlyMap<string, QueryToken['kind']> = new Map([
  ['(', 'open'],
  [')', 'close'],
  [',', 'comma'],
  ['!', 'not'],
]);
const quoted = /^(?:"((?:\\.|[^"\\])*)|'((?:\\.|[^'\\])*))(["']?)/s;
/** Pattern between slashes, with its flags. A slash in a character class doesn't end the pattern. */
const pattern = /^\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])*)\/([a-z]*)/s;
const word = /^.[^\s()"'=~<>!,]*/s;

export function readTokens(source: string, subject: TableSubject): readonly QueryToken[] {
  const tokens: QueryToken[] = [];
  for (let at = 0; at < source.length; ) {
    if (/\s/.test(source[at] as string)) {
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
  const token = (kind: QueryToken['kind'], length = 1, text = source.slice(start, start + length)): QueryToken => ({
    ...{ kind, start, end: start + length, text },
  });
  const isValue = before?.kind === 'operator' || before?.kind === 'comma';
  const operator = operators.find(sign => source.startsWith(sign, start));
  const isAfterField = before?.kind === 'word' && before.end === start && fieldOf(before.text, subject) !== undefined;
  if (operator !== undefined || (character === ':' && isAfterField)) {
    return token('operator', operator?.length);
  }
  const sign = signs.get(character);
  if (sign !== undefined) {
    return token(sign);
  }
  if (source.startsWith('&&', start) || source.startsWith('||', start)) {
    return token('word', 2, character === '&' ? 'and' : 'or');
  }
  const [all = '', double, single = '', closing] = quoted.exec(source.slice(start)) ?? [];
  if (all !== '') {
    const text = (double ?? single).replace(/\\(["'\\nt])/g, (_, escaped: string) =>
      escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped,
    );
    const found = token('quoted', all.length, text);
    return closing === '' ? { ...found, end: source.length, problem: { template: 'Unclosed string.', args: [] } } : found;
  }
  return character === '/' && isValue ? patternAt(source, start) : wordAt(source, start, isValue, subject);
}

function wordAt(source: string, start: number, isValue: boolean, subject: TableSubject): QueryToken {
  const whole = word.exec(source.slice(start))?.[0] ?? '';
  const joint = whole.slice(1).search(/&&|\|\|/);
  const text = joint === -1 ? whole : whole.slice(0, joint + 1);
  // Ends the word in `status:failed`, but not at the colon of a URL.
  for (let colon = text.indexOf(':', 1); colon !== -1 && !isValue; colon = text.indexOf(':', colon + 1)) {
    if (fieldOf(text.slice(0, colon), subject) !== undefined) {
      return { kind: 'word', start, end: start + colon, text: text.slice(0, colon) };
    }
  }
  return { kind: 'word', start, end: start + text.length, text };
}

function patternAt(source: string, start: number): QueryToken {
  const found = pattern.exec(source.slice(start));
  if (found === null) {
    const problem = { template: 'Unclosed pattern.', args: [] };
    return { kind: 'pattern', start, end: source.length, text: source.slice(start + 1), problem };
  }
  const [all, text = '', flags = ''] = found;
  const token = { kind: 'pattern', start, end: start + all.length, text, flags } as const;
  return /^[imsu]*$/.test(flags) && new Set(flags).size === flags.length
    ? token
    : { ...token, problem: { template: 'Use the flags i, m, s and u only.', args: [] } };
}
