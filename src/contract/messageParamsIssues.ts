import type * as z from 'zod';
import { closeName } from './closeName';
import { knownVariant, type LengthParams, wholeNumber } from './messageParamsShapes';
import type { ProblemText } from './problem';

/** Stable IDs of the problems that a schema can find. */
type SchemaRule =
  | 'missing-field'
  | 'unknown-field'
  | 'wrong-type'
  | 'value-not-allowed'
  | 'number-out-of-range'
  | 'text-length'
  | 'item-count'
  | 'text-pattern';

/** Problem found by a schema. `path` leads to the value, or to a missing or unknown field. */
export interface SchemaIssue {
  readonly rule: SchemaRule;
  readonly path: readonly (string | number)[];
  readonly text: ProblemText;
  /** Value or name that was most likely meant. */
  readonly suggestion?: string;
}

type Issue = z.core.$ZodIssue;
type Path = readonly (string | number)[];

/** Returns the problems in `error` as readable texts. For a union, returns only the problems of the most likely branch. */
export function listIssues(error: z.core.$ZodError, value: unknown): SchemaIssue[] {
  return error.issues.flatMap(issue => describe(issue, [], value));
}

function describe(issue: Issue, base: Path, root: unknown): SchemaIssue[] {
  const path = [...base, ...(issue.path as Path)];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => toIssue('unknown-field', [...path, key], 'Unknown field "{0}".', key));
  }
  const field = nameOf(path);
  const found = follow(root, path);
  if (found === absent) {
    return [toIssue('missing-field', path, 'Missing field "{0}".', field)];
  }
  switch (issue.code) {
    case 'invalid_union':
      return describeUnion(issue, path, root, found);
    case 'invalid_type':
      return [wrongType(path, expectedWord(issue))];
    case 'invalid_value':
      return [valueNotAllowed(path, issue.values, found)];
    case 'too_small':
    case 'too_big':
      return [outOfBounds(issue, path)];
    case 'invalid_format':
      return [toIssue('text-pattern', path, patternText(String(issue.pattern)), field)];
    case 'custom':
      return [
        issue.params?.limit === wholeNumber.limit ? wrongType(path, 'a whole number') : wrongLength(issue.params as LengthParams, path),
      ];
    default:
      return [toIssue('value-not-allowed', path, 'This value isn\'t allowed for "{0}".', field)];
  }
}

function describeUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path, root: unknown, found: unknown): SchemaIssue[] {
  if (issue.errors.length === 0) {
    // The discriminator of this union matches no variant. The path already leads to the discriminator.
    const options = (issue as { options?: readonly unknown[] }).options ?? [];
    const types = options.filter(option => typeof option === 'string');
    return [valueNotAllowed(path, types, found)];
  }
  const branches = issue.errors.filter(branch => !branch.some(isKnownVariant));
  // For a known variant, only the variant's issues are reported. For an unknown variant, only the issues of the open branch are reported.
  const ofAny = branches.length > 1 ? branches.find(branch => !branch.some(inner => inner.path[0] === 'type')) : undefined;
  const meant =
    (branches.some(branch => branch.some(isOtherVariant)) ? ofAny : undefined) ??
    branches.find(branch => !branch.some(isMismatch)) ??
    branches.find(branch => branch.some(inner => inner.path.length > 0));
  if (meant !== undefined) {
    return meant.flatMap(inner => describe(inner, path, root));
  }
  const words = new Set(branches.flat().flatMap(mismatchWords));
  return [wrongType(path, [...words].join(' or '))];
}

function isKnownVariant(issue: Issue): boolean {
  return issue.code === 'custom' && issue.params?.variant === knownVariant.variant;
}

/** Returns whether the object matches none of the variants of this branch. */
function isOtherVariant(issue: Issue): boolean {
  return issue.code === 'invalid_union' && issue.path[0] === 'type' && issue.errors.length === 0;
}

function isMismatch(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union');
}

function mismatchWords(issue: Issue): string[] {
  switch (issue.code) {
    case 'invalid_type':
      return [expectedWord(issue)];
    case 'invalid_value':
      return issue.values.map(quote);
    case 'invalid_union':
      return issue.errors.flat().flatMap(mismatchWords);
    default:
      return [];
  }
}

const kindWords: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
]);

function expectedWord(issue: z.core.$ZodIssueInvalidType): string {
  return kindWords.get(issue.expected) ?? issue.expected;
}

/** Creates the problem of a value of the wrong type. `expected` is the type in words ("a number"). */
function wrongType(path: Path, expected: string): SchemaIssue {
  return toIssue('wrong-type', path, 'Expected {1} for "{0}".', nameOf(path), expected);
}

function valueNotAllowed(path: Path, values: readonly unknown[], found: unknown): SchemaIssue {
  const template = values.length === 1 ? 'Expected {1} for "{0}".' : 'Expected one of {1} for "{0}".';
  const issue = toIssue('value-not-allowed', path, template, nameOf(path), values.map(quote).join(', '));
  const texts = values.filter(value => typeof value === 'string');
  const suggestion = texts.length === 1 ? texts[0] : typeof found === 'string' ? closeName(found, texts) : undefined;
  return suggestion === undefined ? issue : { ...issue, suggestion };
}

function outOfBounds(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, path: Path): SchemaIssue {
  const field = nameOf(path);
  const small = issue.code === 'too_small';
  const bound = Number(small ? issue.minimum : issue.maximum);
  switch (issue.origin) {
    case 'string':
      // Any other limit of a string is set with `characters`.
      return toIssue('text-length', path, '"{0}" can\'t be empty.', field);
    case 'array':
      return small
        ? toIssue('item-count', path, 'Add at least one item to "{0}".', field)
        : toIssue('item-count', path, '"{0}" can have at most {1} items.', field, bound);
    default:
      return toIssue('number-out-of-range', path, small ? '"{0}" must be at least {1}.' : '"{0}" must be at most {1}.', field, bound);
  }
}

function wrongLength({ minimum, maximum }: LengthParams, path: Path): SchemaIssue {
  const field = nameOf(path);
  return minimum === 0
    ? toIssue('text-length', path, 'Use at most {1} characters for "{0}".', field, maximum)
    : toIssue('text-length', path, 'Use {1} to {2} characters for "{0}".', field, minimum, maximum);
}

function patternText(pattern: string): string {
  if (pattern.includes('{1,64}')) {
    return 'Use 1 to 64 letters, digits, hyphens or underscores for "{0}".';
  }
  if (pattern.includes('srvtoolu_')) {
    return '"{0}" must be srvtoolu_ followed by letters, digits or underscores.';
  }
  return 'Use letters, digits, hyphens or underscores for "{0}".';
}

const absent = Symbol('absent');

function follow(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return absent;
    }
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

function nameOf(path: Path): string {
  const last = path.at(-1);
  if (typeof last === 'number') {
    return `${String(path.at(-2) ?? '')}[${last}]`;
  }
  return last ?? 'The line';
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function toIssue(rule: SchemaRule, path: Path, template: string, ...args: readonly (string | number)[]): SchemaIssue {
  return { rule, path, text: { template, args } };
}
