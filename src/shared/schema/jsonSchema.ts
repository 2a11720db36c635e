import { numberText, writeJson } from '../exactJson';
import { compareNumbers, isMultipleOf } from '../exactNumber';
import { isRecord } from '../isRecord';
import { hasTwins, isEqual, isObject } from './jsonValues';
import { listOf, maxDepth, problemsOf, resolveReference, typeTests } from './schemaKeywords';

/** A mismatch between a value and a schema, and its position. */
interface SchemaFailure {
  /** JSON pointer into the value. */
  readonly at: string;
  readonly keyword: string;
  readonly expected: string;
  readonly actual: string;
}

const shownCharacters = 200;

/** A JSON Schema with the keywords in `schemaKeywords.ts`. Other keywords, and a `$ref` that leaves the schema, are problems. */
export class JsonSchema {
  /** Unknown keywords, and keywords with an invalid value. With any of these, the schema can't be used. */
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
      return { at, keyword: 'false', expected: 'nothing', actual: show(value) };
    }
    if (depth > maxDepth) {
      return { at, keyword: '$ref', expected: 'a schema that ends', actual: show(value) };
    }
    return firstOf(Object.keys(schema), keyword => this.checkKeyword(keyword, schema, value, at, depth + 1));
  }

  private checkKeyword(
    keyword: string,
    schema: Readonly<Record<string, unknown>>,
    value: unknown,
    at: string,
    depth: number,
  ): SchemaFailure | undefined {
    const wanted = schema[keyword];
    const failUnless = (fits: boolean, expected?: string): SchemaFailure | undefined =>
      fits ? undefined : { at, keyword, expected: expected ?? show(wanted), actual: show(value) };
    const validate = (one: unknown): SchemaFailure | undefined => this.validate(one, value, at, depth);
    const validateProperty = (one: unknown, name: string): SchemaFailure | undefined =>
      this.validate(one, (value as Readonly<Record<string, unknown>>)[name], pointer(at, name), depth);
    switch (keyword) {
      case '$ref':
        return validate(resolveReference(this.root, String(wanted)));
      case 'type':
        return failUnless(listOf(wanted).some(type => typeTests.get(type)?.(value)));
      case 'enum':
        return failUnless(listOf(wanted).some(one => isEqual(one, value)));
      case 'const':
        return failUnless(isEqual(wanted, value));
      case 'properties': {
        const present = isObject(value) && isRecord(wanted) ? Object.entries(wanted).filter(([name]) => Object.hasOwn(value, name)) : [];
        return firstOf(present, ([name, one]) => validateProperty(one, name));
      }
      case 'required': {
        const missing = isObject(value) ? listOf(wanted).find(name => !Object.hasOwn(value, String(name))) : undefined;
        return failUnless(missing === undefined, String(missing));
      }
      case 'additionalProperties': {
        const known = isRecord(schema.properties) ? schema.properties : {};
        const others = isObject(value) ? Object.keys(value).filter(name => !Object.hasOwn(known, name)) : [];
        return firstOf(others, name => {
          const failure = validateProperty(wanted, name);
          return wanted === false && failure !== undefined ? { ...failure, keyword, expected: 'no such property' } : failure;
        });
      }
      case 'items':
        return firstOf(Array.isArray(value) ? [...value.keys()] : [], index => validateProperty(wanted, String(index)));
      case 'minItems':
        return failUnless(!Array.isArray(value) || value.length >= Number(wanted));
      case 'maxItems':
        return failUnless(!Array.isArray(value) || value.length <= Number(wanted));
      case 'uniqueItems':
        return failUnless(wanted !== true || !Array.isArray(value) || !hasTwins(value), 'no item twice');
      case 'minProperties':
        return failUnless(!isObject(value) || Object.keys(value).length >= Number(wanted));
      case 'maxProperties':
        return failUnless(!isObject(value) || Object.keys(value).length <= Number(wanted));
      case 'minLength':
        return failUnless(typeof value !== 'string' || [...value].length >= Number(wanted));
      case 'maxLength':
        return failUnless(typeof value !== 'string' || [...value].length <= Number(wanted));
      case 'pattern':
        return failUnless(typeof value !== 'string' || new RegExp(String(wanted), 'u').test(value), String(wanted));
      case 'minimum':
        return failUnless(fitsNumber(value, wanted, (found, limit) => compareNumbers(found, limit) >= 0));
      case 'maximum':
        return failUnless(fitsNumber(value, wanted, (found, limit) => compareNumbers(found, limit) <= 0));
      case 'exclusiveMinimum':
        return failUnless(fitsNumber(value, wanted, (found, limit) => compareNumbers(found, limit) > 0));
      case 'exclusiveMaximum':
        return failUnless(fitsNumber(value, wanted, (found, limit) => compareNumbers(found, limit) < 0));
      case 'multipleOf':
        return failUnless(fitsNumber(value, wanted, isMultipleOf));
      case 'allOf':
        return firstOf(listOf(wanted), validate);
      case 'anyOf': {
        const failures = listOf(wanted).map(validate);
        // The failure deepest in the value is the most specific.
        const furthest = failures.reduce((best, one) => ((one?.at.length ?? 0) > (best?.at.length ?? 0) ? one : best), failures[0]);
        return failures.includes(undefined) ? undefined : furthest?.at === at ? failUnless(false) : furthest;
      }
      case 'oneOf':
        return failUnless(listOf(wanted).filter(one => validate(one) === undefined).length === 1);
      case 'not':
        return failUnless(validate(wanted) !== undefined);
      default:
        return undefined;
    }
  }
}

/** Returns whether a number fits a limit. Values other than numbers always fit. */
function fitsNumber(value: unknown, wanted: unknown, fits: (found: string, limit: string) => boolean): boolean {
  const [found, limit] = [numberText(value), numberText(wanted)];
  return found === undefined || limit === undefined || fits(found, limit);
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

function show(value: unknown): string {
  const text = writeJson(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}

function pointer(at: string, name: string): string {
  return `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
