import { JsonSchema, type SchemaFailure } from '../../../shared/schema/jsonSchema';
import type { ToolDefinition } from '../../../shared/session/toolDefinition';
import type { Translate } from '../../../shared/session/translateText';

/** Characters of a text that is looked at with every key. */
const longest = 100_000;

/**
 * The first thing in which a JSON text does not fit a schema; undefined where it fits, is no JSON, or cannot be checked here: a
 * schema that is cut, has keywords that are not known, or patterns or references, which may take any time.
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

/** A failure in words. */
export function describeFailure({ at, keyword, expected, actual }: SchemaFailure, t: Translate): string {
  const place = at === '' ? t('It') : at;
  switch (keyword) {
    case 'required':
      return t('{0} has no "{1}", which the schema requires.', place, expected);
    case 'additionalProperties':
      return t('{0} is not in the schema.', place);
    default:
      return t('{0} is {1}; the schema says {2}: {3}.', place, actual, keyword, expected);
  }
}
