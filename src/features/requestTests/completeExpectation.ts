/** Completion item in an expectations file. */
export interface ExpectationItem {
  readonly label: string;
  /** Text to insert, in VS Code's snippet syntax. */
  readonly snippet: string;
  /** Number of characters before the cursor to replace. */
  readonly replaced: number;
}

/** Keys of an expectation with their usual values, as snippets. */
const keys: Readonly<Record<string, string>> = {
  custom_id: '"$1"',
  equals: '"$1"',
  contains: '"$1"',
  pattern: '"$1"',
  json_schema: '{"type": "object", "required": [$1]}',
  json: '"strict"',
  max_output_tokens: '$1',
};

/** Returns completions after `before`, the text of a line up to the cursor. `ids` are those of the request file. */
export function completeExpectation(before: string, ids: readonly string[]): readonly ExpectationItem[] {
  const written = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(before);
    return found === null ? undefined : (found[1] ?? '');
  };
  const id = written(/"custom_id"\s*:\s*("[^"]*)?$/);
  if (id !== undefined) {
    return ids.map(one => toItem(one, JSON.stringify(one).replace(/[$}\\]/g, '\\$&'), id));
  }
  const json = written(/"json"\s*:\s*("[^"]*)?$/);
  if (json !== undefined) {
    return [toItem('strict', '"strict"', json)];
  }
  const key = written(/^\s*\{(?:.*,)?\s*("?\w*)$/);
  if (key !== undefined) {
    return Object.entries(keys)
      .filter(([name]) => !before.includes(`"${name}"`))
      .map(([name, value]) => toItem(name, `"${name}": ${value}`, key));
  }
  const line = written(/^\s*(\w*)$/);
  return line === undefined
    ? []
    : Object.entries(keys)
        .filter(([name]) => name !== 'custom_id')
        .map(([name, value]) => toItem(name, `{"custom_id": "$1", "${name}": ${value.replace('$1', '$2')}}`, line));
}

function toItem(label: string, snippet: string, { length: replaced }: string): ExpectationItem {
  return { label, snippet, replaced };
}
