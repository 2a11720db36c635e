import type * as z from 'zod';
import { batchRequestSchema } from '../../contract/batchRequest';
import { slipsBetween } from '../../contract/closeName';
import { messageParamsSchema } from '../../contract/messageParams';
import { knownFields, schemasOfField } from '../rules/knownFields';
import type { JsonLine } from './jsonLine';
import type { JsonPart, JsonPath } from './jsonPlaces';

/**
 * Whether `name` is `meant` with a slip and nothing else could be meant: the same but for case and separators, or one slip (two in a
 * long name), while none of the others is as near and no digit differs. Stricter than `closeName`, which only proposes.
 */
export function isNameMeant(name: string, meant: string, others: Iterable<string>): boolean {
  const slips = slipsBetween(name, meant);
  const allowed = meant.length < 4 ? 0 : meant.length < 12 ? 1 : 2;
  // Versions, durations and media types are not misspelt: another one is another one.
  const isExact = digitsOf(name) === digitsOf(meant) && (slips === 0 || !name.includes('/'));
  return isExact && slips <= allowed && [...others].every(other => other === meant || slipsBetween(name, other) > slips);
}

/** Whether a field that is not known at `path` is the field `meant` with a slip, and has a value that it can have. */
export function isFieldMeant(line: JsonLine, path: JsonPath, part: JsonPart, meant: string): boolean {
  const schema = line.paramsPath.length > 0 ? batchRequestSchema : messageParamsSchema;
  const parent = path.slice(0, -1);
  const key = String(part.key);
  if (!isNameMeant(key, meant, knownFields(schema, parent, line.value))) {
    return false;
  }
  const fits = () =>
    schemasOfField(schema, parent, line.value, meant).some(field => (field as z.ZodType).safeParse(line.valueOf(part)).success);
  return slipsBetween(key, meant) === 0 || fits();
}

function digitsOf(name: string): string {
  return name.replace(/\D/g, '');
}
