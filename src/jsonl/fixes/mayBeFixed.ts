import { looksLikeBatch } from '../scanning/fileKind';
import { rootOf } from '../scanning/jsonMembers';
import { memberOf } from './jsonParts';
import { repairJson } from './repairJson';
import { applyEdits } from './textEdit';

/** Fields of lines that are never requests of this service: answers, requests of other services, remote calls, logs. */
const foreignFields = ['result', 'response', 'body', 'url', 'method', 'jsonrpc', 'usage', 'choices', 'level', 'timestamp'];

/**
 * Returns whether the first lines of a file are requests or were meant to be requests. True if one of the lines is a request, possibly
 * after repairing its JSON. Also true if none of the lines can be repaired to valid JSON. Less strict than `looksLikeBatch`, because broken
 * requests can be fixed.
 */
export function mayBeFixed(lines: Iterable<string>): boolean {
  let isOther = false;
  for (const line of lines) {
    const text = line.trim();
    if (text === '') {
      continue;
    }
    if (looksLikeBatch([text])) {
      return true;
    }
    const edits = repairJson(text);
    const [json = ''] = edits === undefined ? [] : applyEdits(text, edits).split('\n');
    if (looksLikeBatch([json]) || isNearRequest(json)) {
      return true;
    }
    isOther ||= json !== '';
  }
  return !isOther;
}

function isNearRequest(json: string): boolean {
  const root = json.startsWith('{') ? rootOf(json) : undefined;
  const has = (key: string) => memberOf(root, key) !== undefined;
  return (has('params') || has('custom_id') || (has('max_tokens') && has('model'))) && !foreignFields.some(has);
}
