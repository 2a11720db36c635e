import { existsSync } from 'node:fs';
import { numberText, parseExact, writeJson } from '../../shared/exactJson';
import { JsonSchema } from '../../shared/schema/jsonSchema';
import { isEqual } from '../../shared/schema/jsonValues';
import { isPattern } from '../../shared/schema/schemaKeywords';
import { cutText } from '../../shared/text';
import { type AnswerJson, readAnswerJson } from '../answers/answerJson';
import { forEachTextLine } from '../files/lineFile';

/** Kind of check. `expectation` means that the expectation itself is invalid. */
export type ExpectationCheck = 'contains' | 'pattern' | 'json_schema' | 'equals' | 'max_output_tokens' | 'expectation';

export interface UnmetExpectation {
  readonly check: ExpectationCheck;
  /** Position in the answer's JSON as a JSON pointer, and the keyword of the schema. */
  readonly at?: string;
  readonly keyword?: string;
  readonly expected: string;
  readonly actual: string;
}

export interface ExpectationProblem {
  /** Line number, 0-based. */
  readonly line: number;
  readonly code:
    | 'not-json'
    | 'not-object'
    | 'unknown-key'
    | 'wrong-value'
    | 'bad-pattern'
    | 'unknown-keyword'
    | 'twice'
    | 'no-such-id'
    | 'too-slow';
  readonly name: string;
}

/** Line of an expectations file. */
export interface Expectation {
  /** `undefined` for the expectation of all answers. */
  readonly customId: string | undefined;
  /** Line number, 0-based. */
  readonly line: number;
  readonly contains?: readonly string[];
  readonly pattern?: RegExp;
  readonly schema?: JsonSchema;
  /** Expected value. A text is compared with the whole answer, anything else with the answer's JSON. */
  readonly equals?: { readonly value: unknown };
  /** True if the JSON must be the whole answer, not a Markdown block in it. */
  readonly isStrictJson?: boolean;
  readonly maxOutputTokens?: number;
}

interface AnswerFacts {
  readonly text: string;
  readonly outputTokens: number;
}

/** Maximum length of a text to show, in characters. */
export const shownCharacters = 64 << 10;

/** Parses one line of an expectations file. An expectation with problems is invalid. */
export function parseExpectation(
  text: string,
  line: number,
): { readonly expectation: Expectation | undefined; readonly problems: readonly ExpectationProblem[] } {
  const problems: ExpectationProblem[] = [];
  const problem = (code: ExpectationProblem['code'], name: string) => problems.push({ line, code, name });
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    problem('not-json', '');
    return { expectation: undefined, problems };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || numberText(value) !== undefined) {
    problem('not-object', '');
    return { expectation: undefined, problems };
  }
  let expectation: Expectation = { customId: undefined, line };
  for (const [key, given] of Object.entries(value as Record<string, unknown>)) {
    const reader = readers.get(key);
    const field = reader?.(given, problem);
    if (reader === undefined) {
      problem('unknown-key', key);
    } else if (field === undefined) {
      problem('wrong-value', key);
    } else {
      expectation = { ...expectation, ...field };
    }
  }
  return { expectation, problems };
}

type Reader = (given: unknown, problem: (code: ExpectationProblem['code'], name: string) => void) => Partial<Expectation> | undefined;

/** Readers of the values, by key. A reader returns `undefined` if the value has the wrong type. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['custom_id', given => (typeof given === 'string' ? { customId: given } : undefined)],
  ['contains', given => readContains(given)],
  ['pattern', (given, problem) => readPattern(given, problem)],
  [
    'json_schema',
    (given, problem) => {
      const schema = new JsonSchema(given);
      for (const name of schema.problems) {
        problem('unknown-keyword', name);
      }
      return { schema };
    },
  ],
  ['equals', given => ({ equals: { value: given } })],
  ['json', given => (given === 'strict' ? { isStrictJson: true } : undefined)],
  ['max_output_tokens', given => (numberText(given) !== undefined && Number(given) >= 0 ? { maxOutputTokens: Number(given) } : undefined)],
]);

function readContains(given: unknown): Partial<Expectation> | undefined {
  const wanted: readonly unknown[] = Array.isArray(given) ? given : [given];
  const contains = wanted.filter(one => typeof one === 'string');
  return contains.length === wanted.length ? { contains } : undefined;
}

const readPattern: Reader = (given, problem) => {
  if (typeof given !== 'string') {
    return undefined;
  }
  if (!isPattern(given)) {
    problem('bad-pattern', given);
    return {};
  }
  return { pattern: new RegExp(given, 'u') };
};

/** Combines the expectation of all answers with the expectation of one answer. The expectation of one answer takes precedence. */
export function combineExpectations(all: Expectation | undefined, own: Expectation | undefined): Expectation | undefined {
  return all === undefined || own === undefined ? (own ?? all) : { ...all, ...own };
}

const anyJson = new JsonSchema(true);

interface Check {
  readonly check: ExpectationCheck;
  /** Returns what an answer doesn't meet, or `undefined` if the answer passes. `actual` defaults to the answer's text. */
  find(facts: AnswerFacts, json: AnswerJson | undefined): (Pick<UnmetExpectation, 'expected'> & Partial<UnmetExpectation>) | undefined;
}

/** Returns the checks of an expectation. Strict JSON without a schema or JSON value accepts any JSON. */
function toChecks({ contains = [], pattern, schema, equals, isStrictJson = false, maxOutputTokens }: Expectation): readonly Check[] {
  const wanted = schema ?? (isStrictJson && (equals === undefined || typeof equals.value === 'string') ? anyJson : undefined);
  const checks: readonly (Check | false)[] = [
    contains.length > 0 && {
      check: 'contains',
      find: ({ text }) => {
        const missing = contains.find(part => !text.includes(part));
        return missing === undefined ? undefined : { expected: missing };
      },
    },
    pattern !== undefined && { check: 'pattern', find: ({ text }) => (pattern.test(text) ? undefined : { expected: pattern.source }) },
    equals !== undefined && { check: 'equals', find: ({ text }, json) => differenceOf(equals.value, text, json) },
    wanted !== undefined && {
      check: 'json_schema',
      find: ({ text }, json) =>
        json === undefined ? { at: '', keyword: 'json', expected: 'JSON', actual: text } : wanted.check(json.value),
    },
    maxOutputTokens !== undefined && {
      check: 'max_output_tokens',
      find: ({ outputTokens }) =>
        outputTokens > maxOutputTokens ? { expected: String(maxOutputTokens), actual: String(outputTokens) } : undefined,
    },
  ];
  return checks.filter(check => check !== false);
}

function differenceOf(value: unknown, text: string, json: AnswerJson | undefined): ReturnType<Check['find']> {
  if (typeof value === 'string') {
    return value === text ? undefined : { expected: value };
  }
  return json !== undefined && isEqual(value, json.value)
    ? undefined
    : { expected: writeJson(value, '  '), ...(json !== undefined && { actual: writeJson(json.value, '  ') }) };
}

/** Yields what an answer doesn't meet, at most one per kind of check, on demand. A pattern can take any time. */
export function* unmetOf(expectation: Expectation, facts: AnswerFacts): Generator<UnmetExpectation> {
  const checks = toChecks(expectation);
  const json = checks.some(({ check }) => check === 'equals' || check === 'json_schema')
    ? jsonIn(facts.text, expectation.isStrictJson === true)
    : undefined;
  for (const { check, find } of checks) {
    const unmet = find(facts, json);
    if (unmet !== undefined) {
      const { expected, actual = facts.text } = unmet;
      yield { ...unmet, check, expected: cutText(expected, shownCharacters), actual: cutText(actual, shownCharacters) };
    }
  }
}

export function checksOf(expectation: Expectation): readonly ExpectationCheck[] {
  return toChecks(expectation).map(({ check }) => check);
}

function jsonIn(text: string, isStrict: boolean): AnswerJson | undefined {
  const json = readAnswerJson(text);
  return isStrict && json?.isWhole === false ? undefined : json;
}

const maxProblems = 100;

/** Contents of an expectations file: one expectation for all answers, and expectations for single answers, keyed by id. */
export class Expectations {
  private readonly own = new Map<string, Expectation>();
  private readonly unusable = new Set<number>();
  private all: Expectation | undefined;
  /** Problems found so far, at most 100. */
  readonly problems: ExpectationProblem[] = [];

  /** Reads a file. A missing file has no expectations. Blocks the thread, so only for workers. */
  static read(path: string | undefined, throwIfAborted: () => void): Expectations {
    const expectations = new Expectations();
    if (path !== undefined && existsSync(path)) {
      forEachTextLine(path, (text, line) => expectations.add(text, line), throwIfAborted);
    }
    return expectations;
  }

  get isEmpty(): boolean {
    return this.all === undefined && this.own.size === 0;
  }

  of(customId: string): Expectation | undefined {
    return combineExpectations(this.all, this.own.get(customId));
  }

  /** Returns whether an expectation is usable. Both the expectation itself and the expectation of all answers must be valid. */
  isUsable({ line }: Expectation): boolean {
    return !this.unusable.has(line) && (this.all === undefined || !this.unusable.has(this.all.line));
  }

  /** Reports the ids that belong to no request. */
  reportUnknown(isKnown: (customId: string) => boolean): void {
    for (const [customId, { line }] of this.own) {
      if (!isKnown(customId)) {
        this.report({ line, code: 'no-such-id', name: customId });
      }
    }
  }

  report(problem: ExpectationProblem): void {
    if (this.problems.length < maxProblems) {
      this.problems.push(problem);
    }
  }

  private add(text: string, line: number): void {
    const { expectation, problems } = parseExpectation(text, line);
    for (const problem of problems) {
      this.report(problem);
    }
    if (expectation === undefined) {
      return;
    }
    if (problems.length > 0) {
      this.unusable.add(line);
    }
    const { customId } = expectation;
    if (customId === undefined ? this.all !== undefined : this.own.has(customId)) {
      this.report({ line, code: 'twice', name: customId ?? '' });
    } else if (customId === undefined) {
      this.all = expectation;
    } else {
      this.own.set(customId, expectation);
    }
  }
}
