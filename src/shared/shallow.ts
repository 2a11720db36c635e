/** Values inside each other that are shown. What is deeper is no message, and its white space alone would fill any window. */
const mostDepth = 200;

/**
 * A JSON value in which what lies deeper than 200 levels is an ellipsis, so that whatever walks through it comes to an end; the
 * value itself where it is less deep.
 */
export function shallow<T>(value: T): T {
  return isDeeper(value, mostDepth) ? (cutBelow(value, mostDepth) as T) : value;
}

function isDeeper(value: unknown, levels: number): boolean {
  return typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1)));
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (levels === 0) {
    return '…';
  }
  return Array.isArray(value)
    ? value.map(inner => cutBelow(inner, levels - 1))
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutBelow(inner, levels - 1)]));
}
