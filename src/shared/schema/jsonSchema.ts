import { numberText, writeJson } from '../exactJson';
import { compareNumbers, isMultipleOf } from '../exactNumber';
import { isRecord } from '../isRecord';
import { hasTwins, isEqual, isInteger, isObject } from './jsonValues';
import { listOf, maxDepth, problemsOf, resolveReference } from './schemaKeywords';

/** A mismatch between a value and a schema, and its position. */
export interface SchemaFailure {
  /** JSON pointer into the value. */
  readonly at: string;
  readonly keyword: string;
  readonly expected: string;
  readonly actual: string;
}

type Check = (
  wanted: unknown,
  value: unknown,
  at: string,
  schema: Readonly<Record<string, unknown>>,
  depth: number,
) => SchemaFailure | undefined;

const shownCharacters = 200;

/**
 * A JSON Schema with the common keywords: `type enum const properties required additionalProperties items minItems maxItems uniqueItems
 * minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minProperties maxProperties anyOf allOf oneOf
 * not` and `$ref` within the schema. Any other keyword with a meaning is a problem, never ignored.
 */
export class JsonSchema {
  /** Unknown keywords, and keywords with an invalid value. If there is any, the schema can't be used. */
  readonly problems: readonly string[];

  constructor(private readonly root: unknown) {
    this.problems = problemsOf(root);
  }

  /** Returns the first mismatch of a value. Patterns of the schema can take unbounded time. */
  check(value: unknown): SchemaFailure | undefined {
    return this.validate(this.root, value, '', 0);
  }

  private validate(schema: unknown, value: unknown, at: string, depth: number): SchemaFailure | undefined {
    if (schema === true) {
      return undefined;
    }
    if (!isRecord(schema)) {
      return fail(at, 'false', 'nothing', value);
    }
    if (depth > maxDepth) {
      return fail(at, '$ref', 'a schema that ends', value);
    }
    for (const [keyword, wanted] of Object.entries(schema)) {
      const failure = this.checks.get(keyword)?.(wanted, value, at, schema, depth + 1);
      if (failure !== undefined) {
        return failure;
      }
    }
    return undefined;
  }

  private readonly checks: ReadonlyMap<string, Check> = new Map<string, Check>([
    ['$ref', (wanted, value, at, _schema, depth) => this.validate(resolveReference(this.root, String(wanted)), value, at, depth)],
    ['type', (wanted, value, at) => (listOf(wanted).some(type => isType(type, value)) ? undefined : fail(at, 'type', show(wanted), value))],
    ['enum', (wanted, value, at) => (listOf(wanted).some(one => isEqual(one, value)) ? undefined : fail(at, 'enum', show(wanted), value))],
    ['const', (wanted, value, at) => (isEqual(wanted, value) ? undefined : fail(at, 'const', show(wanted), value))],
    ['properties', (wanted, value, at, _schema, depth) => this.properties(wanted, value, at, depth)],
    ['required', (wanted, value, at) => required(wanted, value, at)],
    ['additionalProperties', (wanted, value, at, schema, depth) => this.additional(wanted, value, at, schema, depth)],
    ['items', (wanted, value, at, _schema, depth) => this.items(wanted, value, at, depth)],
    ['minItems', bound('minItems', itemsOf, (found, wanted) => found >= wanted)],
    ['maxItems', bound('maxItems', itemsOf, (found, wanted) => found <= wanted)],
    [
      'uniqueItems',
      (wanted, value, at) =>
        wanted === true && Array.isArray(value) && hasTwins(value) ? fail(at, 'uniqueItems', 'no item twice', value) : undefined,
    ],
    ['minProperties', bound('minProperties', sizeOf, (found, wanted) => found >= wanted)],
    ['maxProperties', bound('maxProperties', sizeOf, (found, wanted) => found <= wanted)],
    ['minimum', numberBound('minimum', (found, wanted) => compareNumbers(found, wanted) >= 0)],
    ['maximum', numberBound('maximum', (found, wanted) => compareNumbers(found, wanted) <= 0)],
    ['exclusiveMinimum', numberBound('exclusiveMinimum', (found, wanted) => compareNumbers(found, wanted) > 0)],
    ['exclusiveMaximum', numberBound('exclusiveMaximum', (found, wanted) => compareNumbers(found, wanted) < 0)],
    ['multipleOf', numberBound('multipleOf', isMultipleOf)],
    ['minLength', bound('minLength', lengthOf, (found, wanted) => found >= wanted)],
    ['maxLength', bound('maxLength', lengthOf, (found, wanted) => found <= wanted)],
    [
      'pattern',
      (wanted, value, at) =>
        typeof value === 'string' && !new RegExp(String(wanted), 'u').test(value) ? fail(at, 'pattern', String(wanted), value) : undefined,
    ],
    ['allOf', (wanted, value, at, _schema, depth) => firstOf(listOf(wanted), one => this.validate(one, value, at, depth))],
    ['anyOf', (wanted, value, at, _schema, depth) => this.any(wanted, value, at, depth)],
    ['oneOf', (wanted, value, at, _schema, depth) => this.one(wanted, value, at, depth)],
    [
      'not',
      (wanted, value, at, _schema, depth) =>
        this.validate(wanted, value, at, depth) === undefined ? fail(at, 'not', show(wanted), value) : undefined,
    ],
  ]);

  private properties(wanted: unknown, value: unknown, at: string, depth: number): SchemaFailure | undefined {
    if (!isObject(value) || !isRecord(wanted)) {
      return undefined;
    }
    return firstOf(Object.entries(wanted), ([name, schema]) =>
      Object.hasOwn(value, name) ? this.validate(schema, value[name], pointer(at, name), depth) : undefined,
    );
  }

  private additional(
    wanted: unknown,
    value: unknown,
    at: string,
    schema: Readonly<Record<string, unknown>>,
    depth: number,
  ): SchemaFailure | undefined {
    if (!isObject(value)) {
      return undefined;
    }
    const known = isRecord(schema.properties) ? schema.properties : {};
    const others = Object.keys(value).filter(name => !Object.hasOwn(known, name));
    if (wanted === false && others[0] !== undefined) {
      return { at: pointer(at, others[0]), keyword: 'additionalProperties', expected: 'no such property', actual: show(value[others[0]]) };
    }
    return firstOf(others, name => this.validate(wanted, value[name], pointer(at, name), depth));
  }

  private items(wanted: unknown, value: unknown, at: string, depth: number): SchemaFailure | undefined {
    return Array.isArray(value)
      ? firstOf([...value.entries()], ([index, item]) => this.validate(wanted, item, pointer(at, String(index)), depth))
      : undefined;
  }

  private any(wanted: unknown, value: unknown, at: string, depth: number): SchemaFailure | undefined {
    const failures = listOf(wanted).map(one => this.validate(one, value, at, depth));
    // The failure deepest in the value is the most specific.
    const furthest = failures.reduce((best, one) => ((one?.at.length ?? 0) > (best?.at.length ?? 0) ? one : best), failures[0]);
    return failures.includes(undefined) ? undefined : furthest?.at === at ? fail(at, 'anyOf', show(wanted), value) : furthest;
  }

  private one(wanted: unknown, value: unknown, at: string, depth: number): SchemaFailure | undefined {
    const fitting = listOf(wanted).filter(one => this.validate(one, value, at, depth) === undefined).length;
    return fitting === 1 ? undefined : fail(at, 'oneOf', show(wanted), value);
  }
}

function bound(keyword: string, measure: (value: unknown) => number | undefined, fits: (found: number, wanted: number) => boolean): Check {
  return (wanted, value, at) => {
    const found = measure(value);
    return found === undefined || fits(found, Number(wanted)) ? undefined : fail(at, keyword, String(wanted), value);
  };
}

function numberBound(keyword: string, fits: (found: string, wanted: string) => boolean): Check {
  return (wanted, value, at) => {
    const [found, limit] = [numberText(value), numberText(wanted)];
    return found === undefined || limit === undefined || fits(found, limit) ? undefined : fail(at, keyword, limit, value);
  };
}

function required(wanted: unknown, value: unknown, at: string): SchemaFailure | undefined {
  const missing = isObject(value) ? listOf(wanted).find(name => !Object.hasOwn(value, String(name))) : undefined;
  return missing === undefined ? undefined : fail(at, 'required', String(missing), value);
}

function firstOf<T>(items: readonly T[], check: (item: T) => SchemaFailure | undefined): SchemaFailure | undefined {
  for (const item of items) {
    const failure = check(item);
    if (failure !== undefined) {
      return failure;
    }
  }
  return undefined;
}

function isType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return isInteger(value);
    case 'number':
      return numberText(value) !== undefined;
    default:
      return typeof value === type;
  }
}

function lengthOf(value: unknown): number | undefined {
  return typeof value === 'string' ? [...value].length : undefined;
}

function itemsOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function sizeOf(value: unknown): number | undefined {
  return isObject(value) ? Object.keys(value).length : undefined;
}

function fail(at: string, keyword: string, expected: string, value: unknown): SchemaFailure {
  return { at, keyword, expected, actual: show(value) };
}

function show(value: unknown): string {
  const text = writeJson(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

function pointer(at: string, name: string): string {
  return `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
