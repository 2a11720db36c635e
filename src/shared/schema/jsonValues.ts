import { isRecord } from '../isRecord';

/** Whether two JSON values are the same; the order of keys does not matter. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) {
    return false;
  }
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every(name => Object.hasOwn(b, name) && isEqual(a[name], b[name]));
}

/** Whether an array has an item twice; the order of keys does not matter. */
export function hasTwins(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  return items.some(item => {
    const text = canonical(item);
    return seen.size === seen.add(text).size;
  });
}

/** JSON in which two values are the same text when they say the same: the order of keys does not matter. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
