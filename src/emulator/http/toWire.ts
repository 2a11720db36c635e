/** Formats a time as RFC 3339, in milliseconds or whole seconds. */
export function toTime(milliseconds: number, wholeSeconds = false): string {
  const text = new Date(milliseconds).toISOString();
  return wholeSeconds ? text.replace(/\.\d+Z$/, 'Z') : text;
}

export function toTimeOrNull(milliseconds: number | null, wholeSeconds = false): string | null {
  return milliseconds === null ? null : toTime(milliseconds, wholeSeconds);
}

/** Converts a record to its response form: names in snake case, times as text. `more` adds fields or replaces them. */
export function toWire(type: string, { id, ...record }: { readonly id: string; readonly sequence?: number }, more: object = {}): object {
  const { sequence: _, ...fields } = record;
  const shown = Object.entries(fields).map(([name, value]) => [
    name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
    name.endsWith('At') ? toTimeOrNull(value as number | null) : value,
  ]);
  return { id, type, ...Object.fromEntries(shown), ...more };
}
