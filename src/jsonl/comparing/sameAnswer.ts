/** Deeper values are not looked into. */
const deepest = 500;

/** Whether two answers say the same: as JSON values when both are objects or arrays, where the order of keys and white space do not count; else as texts. */
export function isSameAnswer(before: string, after: string): boolean {
  const first = before.trim();
  const second = after.trim();
  if (first === second) {
    return true;
  }
  const value = toJson(first);
  const other = value === undefined ? undefined : toJson(second);
  return other !== undefined && isSameValue(value, other, 0);
}

/** The JSON object or array that a text is, if it is one. */
export function toJson(text: string): object | undefined {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') {
    return undefined;
  }
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function isSameValue(value: unknown, other: unknown, depth: number): boolean {
  if (value === other) {
    return true;
  }
  if (typeof value !== 'object' || typeof other !== 'object' || value === null || other === null || depth > deepest) {
    return false;
  }
  if (Array.isArray(value) || Array.isArray(other)) {
    return (
      Array.isArray(value) &&
      Array.isArray(other) &&
      value.length === other.length &&
      value.every((item, index) => isSameValue(item, other[index], depth + 1))
    );
  }
  const members = new Map<string, unknown>(Object.entries(other));
  const entries = Object.entries(value);
  return (
    entries.length === members.size && entries.every(([key, item]) => members.has(key) && isSameValue(item, members.get(key), depth + 1))
  );
}
