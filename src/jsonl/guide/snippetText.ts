/** Spacing of a line of JSON: `{"a": 1, "b": 2}` or `{"a":1,"b":2}`. */
export interface JsonStyle {
  readonly colon: ':' | ': ';
  readonly comma: ',' | ', ';
}

/** Returns the spacing used after the first colon in `texts`. Defaults to spaces. */
export function styleOf(...texts: readonly string[]): JsonStyle {
  const first = texts.map(text => /"\s*:(.)/.exec(text)?.[1]).find(character => character !== undefined);
  return first === undefined || first === ' ' ? { colon: ': ', comma: ', ' } : { colon: ':', comma: ',' };
}

/**
 * Converts a value to a snippet in VS Code's syntax. Strings in it are already snippets, such as `${1:name}`. Those that start with `^` are
 * inserted without quotes.
 */
export function toSnippet(body: unknown, style: JsonStyle): string {
  if (typeof body === 'string') {
    return body.startsWith('^') ? body.slice(1) : `"${body}"`;
  }
  if (Array.isArray(body)) {
    return `[${body.map(item => toSnippet(item, style)).join(style.comma)}]`;
  }
  if (typeof body === 'object' && body !== null) {
    const members = Object.entries(body).map(
      ([key, value]) => `${escapeSnippet(JSON.stringify(key))}${style.colon}${toSnippet(value, style)}`,
    );
    // An unescaped closing brace has no effect outside a placeholder.
    return `{${members.join(style.comma)}}`;
  }
  return String(body);
}

/** Escapes a text for use in a snippet. */
export function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
