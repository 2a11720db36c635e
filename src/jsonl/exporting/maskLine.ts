import { contractSecrets } from '../../shared/secretFields';
import { endOfString, endOfValue, skipSpace } from '../scanning/jsonMembers';

/**
 * Masks the secrets in a JSON text: values of the contract's secret fields, whatever the case and escapes of their names, and passwords in
 * URLs. All other characters are unchanged.
 */
export function maskLine(text: string): string {
  return mayHoldSecrets.test(text) ? withoutSecretFields(text).replace(password, '$1[hidden]@') : text;
}

const tokenField = 'fallback_credit_token';
const secretFields = new Set(contractSecrets);
const longestName = Math.max(...contractSecrets.map(name => name.length)) * '\\u0000'.length;
/** Pattern of a text that may contain secrets. Escapes match too, because the name of a secret field can contain them. */
const mayHoldSecrets = new RegExp(`"(?:${contractSecrets.join('|')})"|\\\\u00|:(?:/|\\\\/){2}[^"/\\s]*@`, 'i');
const password = /(:(?:\/|\\\/){2}[^/\s:@"]*:)[^/\s@"]+@/g;
const hidden = '"[hidden]"';

function withoutSecretFields(text: string): string {
  let masked = '';
  let copied = 0;
  for (let at = text.indexOf('"'); at >= 0; ) {
    const end = endOr(text, endOfString(text, at));
    const colon = skipSpace(text, end);
    const start = text[colon] === ':' ? skipSpace(text, colon + 1) : -1;
    const name = start < 0 ? undefined : nameIn(text, at, end);
    const valueEnd = name === undefined ? -1 : secretEnd(text, start, name);
    if (valueEnd >= 0) {
      masked += text.slice(copied, start) + hidden;
      copied = valueEnd;
    }
    at = text.indexOf('"', Math.max(end, valueEnd));
  }
  return masked + text.slice(copied);
}

function nameIn(text: string, at: number, end: number): string | undefined {
  if (end - at > longestName + 2) {
    return undefined;
  }
  try {
    const name = String(JSON.parse(text.slice(at, end))).toLowerCase();
    return secretFields.has(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the offset after the secret that starts at `start`, or -1 if there is no secret to mask. */
function secretEnd(text: string, start: number, name: string): number {
  const isSecret = text[start] === '"' ? text[start + 1] !== '"' : name === tokenField && (text[start] === '{' || text[start] === '[');
  return isSecret ? endOr(text, endOfValue(text, start)) : -1;
}

function endOr(text: string, end: number): number {
  return end < 0 ? text.length : end;
}
