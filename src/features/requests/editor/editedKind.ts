import type { EditedKind } from '../documents/requestUri';

/** Returns the kind of document for a line. A line with broken JSON is a request, unless it only has fields of message params. */
export function toEditedKind(line: string): EditedKind {
  const names = fieldNames(line);
  return ['custom_id', 'params'].some(names) || !['messages', 'model', 'max_tokens'].some(names) ? 'request' : 'params';
}

function fieldNames(line: string): (name: string) => boolean {
  try {
    const value: unknown = JSON.parse(line);
    return name => typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  } catch {
    return name => new RegExp(`"${name}"\\s*:`).test(line);
  }
}
