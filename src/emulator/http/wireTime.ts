/** Formats a time as RFC 3339, in milliseconds or whole seconds. */
export function toTime(milliseconds: number, wholeSeconds = false): string {
  const text = new Date(milliseconds).toISOString();
  return wholeSeconds ? text.replace(/\.\d+Z$/, 'Z') : text;
}

export function toTimeOrNull(milliseconds: number | null, wholeSeconds = false): string | null {
  return milliseconds === null ? null : toTime(milliseconds, wholeSeconds);
}
