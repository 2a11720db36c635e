import { ExactNumber, numberText } from '../exactJson';
import { compareNumbers, isWholeNumber, toNormalNumber } from '../exactNumber';
import { isRecord } from '../isRecord';

/** Returns whether a value is a JSON object. An `ExactNumber` is an object only in JavaScript. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !(value instanceof ExactNumber);
}

/** Returns whether a value is an integer, by its digits. */
export function isInteger(value: unknown): boolean {
  const text = numberText(value);
  return text !== undefined && isWholeNumber(text);
}

/** Deepest level that is compared. Deeper values count as different. */
const deepest = 500;

/** Returns whether two JSON values are equal: numbers by their exact value, objects regardless of the order of their keys. */
export function isEqual(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) {
    return true;
  }
  if (a instanceof ExactNumber || b instanceof ExactNumber) {
    const [first, second] = [numberText(a), numberText(b)];
    return first !== undefined && second !== undefined && compareNumbers(first, second) === 0;
  }
  if (depth > deepest) {
    return false;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index], depth + 1));
  }
  if (!isRecord(a) || !isRecord(b)) {
    return false;
  }
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every(name => Object.hasOwn(b, name) && isEqual(a[name], b[name], depth + 1));
}

/** Returns whether an array contains an item twice, regardless of the order of keys. */
export function hasTwins(items: readonly unknown[]): boolean {
  const known = new Set<string>();
  return items.some(item => {
    const text = canonical(item);
    return known.size === known.add(text).size;
  });
}

/** Returns JSON text that is identical for equal values, regardless of the order of keys and the notation of numbers. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (inner instanceof ExactNumber) {
      const double = Number(inner);
      return compareNumbers(inner.text, String(double)) === 0 ? double : { '\0number': toNormalNumber(inner.text) };
    }
    return isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner;
  });
}
