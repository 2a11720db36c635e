import type * as z from 'zod';
import { batchRequestSchema } from '../../contract/batchRequest';
import { slipsBetween } from '../../contract/closeName';
import { messageParamsSchema } from '../../contract/messageParams';
import { knownFields, schemasOfField } from '../rules/knownFields';
import type { JsonLine } from './jsonLine';
import type { JsonPath } from './jsonParts';
import type { JsonPart } from '../scanning/jsonMembers';

/**
 * Returns whether `name` is certainly a misspelling of `meant`. It must be equal except for case and separators, or have one typo (two in a
 * long name). No other name may be as similar, and no digit may differ. Stricter than `closeName`, which only suggests.
 */
export function isNameMeant(name: string, meant: string, others: Iterable<string>): boolean {
  const slips = slipsBetween(name, meant);
  const allowed = meant.length < 4 ? 0 : meant.length < 12 ? 1 : 2;
  // Different versions, durations and media types are not misspellings.
  const isExact = digitsOf(name) === digitsOf(meant) && (slips === 0 || !name.includes('/'));
  return isExact && slips <= allowed && [...others].every(other => other === meant || slipsBetween(name, other) > slips);
}

/** Returns whether an unknown field at `path` is a misspelling of the field `meant` and its value is valid there. */
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
