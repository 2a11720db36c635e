import { JsonSchema, type SchemaFailure } from '../../../shared/schema/jsonSchema';
import type { ToolDefinition } from '../../../shared/session/openAsks';
import type { Translate } from '../../../shared/session/translateText';

/** Longest text that is checked at every key press, in characters. */
const longest = 100_000;

/**
 * Returns the first mismatch between a JSON text and a schema. Returns `undefined` if the text fits or isn't JSON. Also returns `undefined`
 * if the schema is cut, or has unknown keywords, patterns or references, which can take unbounded time.
 */
export function checkBySchema(text: string, schema: ToolDefinition['input']): SchemaFailure | undefined {
  if (schema === undefined || schema.cut !== undefined || text.length > longest || /"(?:pattern|\$ref)"\s*:\s*"/.test(schema.text)) {
    return undefined;
  }
  try {
    const checker = new JsonSchema(JSON.parse(schema.text));
    return checker.problems.length > 0 ? undefined : checker.check(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns the message for a mismatch. */
export function describeFailure({ at, keyword, expected, actual }: SchemaFailure, t: Translate): string {
  const path = at === '' ? t('The value') : at;
  switch (keyword) {
    case 'required':
      return t('{0} needs "{1}".', path, expected);
    case 'additionalProperties':
      return t("{0} isn't in the schema.", path);
    default:
      return t('{0} is {1}; the schema says {2}: {3}.', path, actual, keyword, expected);
  }
}
