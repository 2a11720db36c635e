/** Maximum depth of displayed values. Real messages have fewer levels, and the indentation of more levels would fill any window. */
const maxDepth = 200;

/** Returns a JSON value with an ellipsis below the 200th level, so that recursive code is safe. Returns other values unchanged. */
export function shallow<T>(value: T): T {
  return isDeeper(value, maxDepth) ? (cutBelow(value, maxDepth) as T) : value;
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
