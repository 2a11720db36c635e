import { endOfString } from './jsonMembers';

/** Content of a file: requests, results, requests in another form, or rows that requests can be built from. */
export type FileKind = 'requests' | 'results' | 'otherForm' | 'rows';

/** Detects the kind of a file from its first lines. Returns `undefined` for a file that this extension can't use. */
export function fileKindOf(lines: readonly string[]): FileKind | undefined {
  if (looksLikeBatch(lines)) {
    return 'requests';
  }
  if (needsConversion(lines)) {
    return 'otherForm';
  }
  const fields = topLevelFields(firstText(lines));
  if (fields === undefined || fields.size === 0) {
    return undefined;
  }
  if (fields.has('custom_id')) {
    return fields.has('result') || areForeignResults(fields) ? 'results' : undefined;
  }
  return areForeignResults(fields) ? 'results' : 'rows';
}

/** Returns whether the first line of a file is a result of another service. */
export function hasForeignResults(lines: readonly string[]): boolean {
  return areForeignResults(topLevelFields(firstText(lines)) ?? new Set());
}

function areForeignResults(fields: ReadonlySet<string>): boolean {
  const isChat = fields.has('custom_id') && (fields.has('response') || (fields.has('error') && fields.has('id')));
  return !fields.has('result') && (isChat || (fields.has('recordId') && fields.has('modelOutput')));
}

/**
 * Returns whether the first lines of a .jsonl file look like batch requests: whole ones (`custom_id` and `params`) or bare message params
 * (`messages` with `model` or `max_tokens`). Logs, data sets, results and batch lines of other services don't. The first line that has
 * fields decides. If that line is incomplete, only its readable fields are considered.
 */
export function looksLikeBatch(lines: Iterable<string>): boolean {
  for (const line of lines) {
    const fields = topLevelFields(firstText([line]));
    // An object that is being typed has no fields yet.
    if (line.trim() !== '' && fields?.size !== 0) {
      return fields !== undefined && areRequestFields(fields);
    }
  }
  return false;
}

/**
 * Returns whether the first lines of a file show requests in another form, which must be converted before sending. Such forms are batch
 * lines of other services, chats without a model, one JSON document with all requests, and requests that span several lines.
 */
export function needsConversion(lines: Iterable<string>): boolean {
  const text = firstText(lines);
  return (
    text.startsWith('[') ||
    text === '{' ||
    /^\{\s*"requests"\s*:\s*(?:\[|$)/.test(text) ||
    areForeignFields(topLevelFields(text) ?? new Set())
  );
}

/** Returns the first line that isn't blank, without white space around it. */
function firstText(lines: Iterable<string>): string {
  for (const line of lines) {
    const text = line.replace(/^\ufeff/, '').trim();
    if (text !== '') {
      return text;
    }
  }
  return '';
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
  // Chat data sets have messages too, but no model. Logs of answers have usage, choices or an id.
  const foreign = ['result', 'response', 'choices', 'usage', 'id', 'type', 'level', 'timestamp', 'completion', 'prompt'];
  return fields.has('messages') && (fields.has('model') || fields.has('max_tokens')) && !foreign.some(field => fields.has(field));
}

/** Returns the field names of the outermost object as far as it can be read. `undefined` if the text is not an object. */
function topLevelFields(text: string): ReadonlySet<string> | undefined {
  if (text[0] !== '{') {
    return undefined;
  }
  const fields = new Set<string>();
  let depth = 0;
  /** Last quoted text, if only a colon can follow it. */
  let name: string | undefined;
  // A loop instead of a regular expression, which would rescan text that only starts like a string.
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '"') {
      const end = endOfString(text, at);
      name = text.slice(at + 1, end - 1);
      at = end < 0 ? text.length : end - 1;
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
