import { isRecord } from '../../../shared/isRecord';
import type { Definition } from './definitionText';

/** What has to be sent to turn one definition into another. */
export interface DefinitionPatch {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Names of the fields that change, as they stand in the documents. */
  readonly changed: readonly string[];
}

/**
 * What has to be sent to turn `before` into `after` (API facts, sections 10 and 11): an absent field stays as it is, `null` clears one,
 * arrays and objects are replaced whole, and `metadata` is a patch of its keys, in which `null` deletes one. `version` is that of `before`,
 * where there are versions.
 */
export function toPatch(before: Definition, after: Definition, version?: number): DefinitionPatch {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  const changed = [...names].filter(name => !isEqual(own(before, name), own(after, name)));
  const fields = changed.map(name => [name, name === 'metadata' ? metadataPatch(before[name], after[name]) : (own(after, name) ?? null)]);
  return { fields: { ...(version === undefined ? {} : { version }), ...Object.fromEntries(fields) }, changed };
}

function metadataPatch(before: unknown, after: unknown): unknown {
  const from = isRecord(before) ? before : {};
  const to = isRecord(after) ? after : {};
  const names = new Set([...Object.keys(to), ...Object.keys(from)]);
  return Object.fromEntries([...names].filter(name => !isEqual(own(from, name), own(to, name))).map(name => [name, own(to, name) ?? null]));
}

/** Whether two JSON values are the same; the order of an object's members does not count, and what is absent is null. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) {
    return true;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, index) => isEqual(element, b[index]));
  }
  if (isRecord(a) && isRecord(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(name => isEqual(own(a, name), own(b, name)));
  }
  return false;
}

/** A member of an object; `__proto__` can be one, and is there without being one. */
function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns whether a value is compared as a document of its own: a text of several lines, or a very long one. */
export function isLongText(value: unknown): value is string {
  return typeof value === 'string' && (value.includes('\n') || value.length > longText);
}

const longText = 200;
