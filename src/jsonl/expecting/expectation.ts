import { existsSync } from 'node:fs';
import { numberText, parseExact, writeJson } from '../../shared/exactJson';
import { JsonSchema } from '../../shared/schema/jsonSchema';
import { isEqual } from '../../shared/schema/jsonValues';
import { isPattern } from '../../shared/schema/schemaKeywords';
import { cutText } from '../../shared/text';
import { type AnswerJson, readAnswerJson } from '../answers/answerJson';
import { forEachTextLine } from '../files/lineFile';
import type { ExpectationCheck, ExpectationProblem, UnmetExpectation } from './expectingJobs';

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

export interface AnswerFacts {
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

/** Combines the expectation of all answers with that of one answer. The latter takes precedence. */
export function combineExpectations(all: Expectation | undefined, own: Expectation | undefined): Expectation | undefined {
  return all === undefined || own === undefined ? (own ?? all) : { ...all, ...own };
}

/** Returns the first expectation that an answer doesn't meet. Matching a pattern can take any amount of time. */
export function checkAnswer(expectation: Expectation, facts: AnswerFacts): UnmetExpectation | undefined {
  for (const unmet of unmetOf(expectation, facts)) {
    return unmet;
  }
  return undefined;
}

const anyJson = new JsonSchema(true);

/**
 * Returns the schema that an answer must match, or `undefined` if there is none. Strict JSON without a schema or JSON value accepts any
 * JSON.
 */
function schemaOf({ schema, equals, isStrictJson = false }: Expectation): JsonSchema | undefined {
  return schema ?? (isStrictJson && (equals === undefined || typeof equals.value === 'string') ? anyJson : undefined);
}

/**
 * Yields the expectations that an answer doesn't meet, at most one per kind of check. Each check runs on demand. Matching a pattern can
 * take any amount of time.
 */
export function* unmetOf(expectation: Expectation, { text, outputTokens }: AnswerFacts): Generator<UnmetExpectation> {
  const unmet = (check: ExpectationCheck, expected: string, actual = text): UnmetExpectation => ({
    check,
    expected: cutText(expected, shownCharacters),
    actual: cutText(actual, shownCharacters),
  });
  const { contains = [], pattern, equals, isStrictJson = false, maxOutputTokens } = expectation;
  const schema = schemaOf(expectation);
  const json = schema === undefined && equals === undefined ? undefined : jsonIn(text, isStrictJson);
  const missing = contains.find(wanted => !text.includes(wanted));
  if (missing !== undefined) {
    yield unmet('contains', missing);
  }
  if (pattern !== undefined && !pattern.test(text)) {
    yield unmet('pattern', pattern.source);
  }
  if (equals !== undefined) {
    const { value } = equals;
    if (typeof value === 'string') {
      if (value !== text) {
        yield unmet('equals', value);
      }
    } else if (json === undefined || !isEqual(value, json.value)) {
      yield unmet('equals', writeJson(value, '  '), json === undefined ? text : writeJson(json.value, '  '));
    }
  }
  if (schema !== undefined) {
    const failure = json === undefined ? { at: '', keyword: 'json', expected: 'JSON', actual: text } : schema.check(json.value);
    if (failure !== undefined) {
      yield { ...unmet('json_schema', failure.expected, failure.actual), at: failure.at, keyword: failure.keyword };
    }
  }
  if (maxOutputTokens !== undefined && outputTokens > maxOutputTokens) {
    yield unmet('max_output_tokens', String(maxOutputTokens), String(outputTokens));
  }
}

/** Returns the kinds of checks in an expectation. */
export function checksOf(expectation: Expectation): readonly ExpectationCheck[] {
  const { contains = [], pattern, equals, maxOutputTokens } = expectation;
  const checks: readonly (readonly [ExpectationCheck, boolean])[] = [
    ['contains', contains.length > 0],
    ['pattern', pattern !== undefined],
    ['json_schema', schemaOf(expectation) !== undefined],
    ['equals', equals !== undefined],
    ['max_output_tokens', maxOutputTokens !== undefined],
  ];
  return checks.filter(([, isMade]) => isMade).map(([check]) => check);
}

function jsonIn(text: string, isStrict: boolean): AnswerJson | undefined {
  const json = readAnswerJson(text);
  return isStrict && json?.isWhole === false ? undefined : json;
}

/** Maximum number of problems to report. Further ones are only counted. */
const maxProblems = 100;

/** Contents of an expectations file: one expectation for all answers, and expectations for single answers, keyed by id. */
export class Expectations {
  private readonly own = new Map<string, Expectation>();
  private readonly unusable = new Set<number>();
  private readonly listed: ExpectationProblem[] = [];
  private all: Expectation | undefined;
  /** Number of problems beyond those in `problems`. */
  furtherProblems = 0;

  /** Reads a file. A missing file has no expectations. Blocks the thread, so only for workers. */
  static read(path: string | undefined, throwIfAborted: () => void): Expectations {
    const expectations = new Expectations();
    if (path !== undefined && existsSync(path)) {
      forEachTextLine(path, (text, line) => expectations.add(text, line), throwIfAborted);
    }
    return expectations;
  }

  get problems(): readonly ExpectationProblem[] {
    return this.listed;
  }

  get isEmpty(): boolean {
    return this.all === undefined && this.own.size === 0;
  }

  of(customId: string): Expectation | undefined {
    return combineExpectations(this.all, this.own.get(customId));
  }

  /** Returns whether both an expectation and the one of all answers are valid. */
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
    if (this.listed.length < maxProblems) {
      this.listed.push(problem);
    } else {
      this.furtherProblems++;
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
