/**
 * Whether the first lines of a .jsonl file look like batch requests: whole ones (`custom_id` and `params`) or bare message
 * params (`messages` with `model` or `max_tokens`). Logs, data sets, results files and other services' batch lines do not.
 * The first line that is a JSON object decides; a line that is being typed, or was cut, counts by the fields that can be read.
 */
export function looksLikeBatch(lines: Iterable<string>): boolean {
  for (const line of lines) {
    const text = line.replace(/^\ufeff/, '').trim();
    if (text === '') {
      continue;
    }
    const fields = topLevelFields(text);
    if (fields === undefined) {
      return false;
    }
    if (fields.size > 0) {
      return areRequestFields(fields);
    }
  }
  return false;
}

/**
 * Whether the first lines of a file show requests in another form, which have to be converted before a batch is made of them: batch lines
 * of other services, chats without a model, one JSON document with all requests, or requests that go over several lines each.
 */
export function needsConversion(lines: Iterable<string>): boolean {
  for (const line of lines) {
    const text = line.replace(/^\ufeff/, '').trim();
    if (text !== '') {
      return (
        text.startsWith('[') ||
        text === '{' ||
        /^\{\s*"requests"\s*:\s*(?:\[|$)/.test(text) ||
        areForeignFields(topLevelFields(text) ?? new Set())
      );
    }
  }
  return false;
}

function areForeignFields(fields: ReadonlySet<string>): boolean {
  const has = (...names: readonly string[]) => names.every(name => fields.has(name));
  if (has('params')) {
    return false;
  }
  return (
    (has('body') && (has('custom_id') || has('url'))) ||
    (has('recordId', 'modelInput') && !has('modelOutput')) ||
    (has('messages') && !['model', 'max_tokens', 'usage', 'choices'].some(field => fields.has(field)))
  );
}

function areRequestFields(fields: ReadonlySet<string>): boolean {
  if (fields.has('custom_id')) {
    return fields.has('params') && !['result', 'response', 'url', 'body'].some(field => fields.has(field));
  }
  if (fields.has('params')) {
    return fields.size === 1;
  }
  // Chat data sets have messages too, but no model to send them to; logs of answers have usage, choices or an id.
  const foreign = ['result', 'response', 'choices', 'usage', 'id', 'type', 'level', 'timestamp', 'completion', 'prompt'];
  return fields.has('messages') && (fields.has('model') || fields.has('max_tokens')) && !foreign.some(field => fields.has(field));
}

/** Names of the fields of the outermost object, as far as it can be read; undefined when the text is no object. */
export function topLevelFields(text: string): ReadonlySet<string> | undefined {
  if (text[0] !== '{') {
    return undefined;
  }
  const fields = new Set<string>();
  let depth = 0;
  /** The text in quotation marks that came last, when nothing but a colon has followed it. */
  let name: string | undefined;
  // By hand: expressions that find strings look at text again and again that only begins like one.
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '"') {
      const end = endOfString(text, at);
      name = text.slice(at + 1, end);
      at = end;
    } else if ('{}[],:'.includes(sign)) {
      if (sign === ':' && depth === 1 && name !== undefined) {
        fields.add(name);
      }
      depth += '{['.includes(sign) ? 1 : '}]'.includes(sign) ? -1 : 0;
      name = undefined;
      if (depth === 0) {
        break;
      }
    }
  }
  return fields;
}

/** Where the string that begins with a quotation mark at `from` ends: at its last mark, or with the text. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return Math.min(at, text.length);
}
