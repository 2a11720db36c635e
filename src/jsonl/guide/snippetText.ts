/** How the JSON of a line is spaced: `{"a": 1, "b": 2}` or `{"a":1,"b":2}`. */
export interface JsonStyle {
  readonly colon: ':' | ': ';
  readonly comma: ',' | ', ';
}

/** The spacing of a line, by what stands behind the first colon of the first of `texts` that has one; without any it is spaced. */
export function styleOf(...texts: readonly string[]): JsonStyle {
  const first = texts.map(text => /"\s*:(.)/.exec(text)?.[1]).find(character => character !== undefined);
  return first === undefined || first === ' ' ? { colon: ': ', comma: ', ' } : { colon: ':', comma: ',' };
}

/**
 * A value as a snippet in VS Code's syntax. Texts in it are snippets already: `${1:name}`; one that begins with `^` stands as
 * it is, without quotation marks.
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
    // Of a snippet's own syntax a closing brace would only end a place.
    return `{${members.join(style.comma)}}`;
  }
  return String(body);
}

/** A text that means itself in a snippet. */
export function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}

/** What a snippet comes to when nothing is filled in: each place with its own words, or the first of its choices. */
export function fillSnippet(snippet: string): string {
  const escapes = (text: string) => text.replace(/\\([\\$}|,])/g, '$1');
  return escapes(
    snippet.replace(
      /(?<!\\)\$(?:\d+|\{\d+(?::((?:\\.|[^}\\])*)|\|((?:\\.|[^,|\\])*)[^|]*\|)?\})/g,
      (_all, words, choice) => words ?? choice ?? '',
    ),
  );
}
