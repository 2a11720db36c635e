import { isRecord } from '../../../shared/isRecord';
import type { Definition } from './definitionText';

/**
 * Returns the update request that turns `before` into `after` (API facts, sections 10 and 11). An absent field stays unchanged, and `null`
 * clears one. Arrays and objects are replaced whole. The field `metadata` is a patch of its keys, in which `null` deletes a key. The result
 * names `version`, that of `before`, if the kind has versions. `changed` lists the names of the changed fields.
 */
export function toPatch(before: Definition, after: Definition, version?: number) {
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

/** Returns whether two JSON values are equal. The order of members doesn't count, and an absent member equals `null`. */
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

/** Returns an own member of an object. Inherited ones, such as `__proto__`, don't count. */
function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns whether a value is compared in its own document: a multi-line text, or a very long one. */
export function isLongText(value: unknown): value is string {
  return typeof value === 'string' && (value.includes('\n') || value.length > longText);
}

const longText = 200;
