import { isRecord } from '../../shared/isRecord';
import { maskSecrets } from '../../shared/maskedJson';
import { secretHeaders } from '../../shared/secretFields';
import { hidden, longestSearched, maskText } from './maskText';

/** Names of fields whose text is a secret. */
const secretNames =
  /(?:api[_-]?key|secret|token|password|passwd|passphrase|authorization|cookie|credential|(?:private|access)[_-]?key)$|(?:^|[_-])(?:pass|pwd)$/i;
/** Names of fields whose value can hold several secrets, at any depth. */
const secretGroups = /(?:api[_-]?key|secret|token|password|authorization|cookie|(?:private|access)[_-]?key)s?$/i;
/** List items after which the next item is a secret: header names and command-line options. */
const announced = new RegExp(`^(?:${secretHeaders}|--?(?:[a-z]{1,20}-){0,3}(?:api-?key|secret|token|password|passphrase))$`, 'i');
const schemaTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/**
 * Masks the secrets in a value. Finds them by the fields of the contract, by the names of fields, headers and pairs, and by patterns in
 * texts, including JSON in a text. Makes characters that hide or reorder words visible. Does not mask personal data, because people work
 * with such data.
 */
export function redactValue(value: unknown): unknown {
  return maskEach(maskSecrets(value), false);
}

/** Masks the secrets in a value. With `isSecret`, hides every text in it. Numbers stay unchanged, because they are counts. */
function maskEach(value: unknown, isSecret: boolean): unknown {
  if (typeof value === 'string') {
    return !isSecret ? maskString(value) : value === '' ? value : hidden;
  }
  if (Array.isArray(value)) {
    return value.map((item, at) => maskEach(item, isSecret || announces(value[at - 1])));
  }
  if (!isRecord(value)) {
    return value;
  }
  const isPair = [value.name, value.key, value.header].some(name => typeof name === 'string' && secretNames.test(name));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      maskText(name),
      maskEach(field, isSecret || isSecretField(name, field) || (isPair && name === 'value')),
    ]),
  );
}

function announces(item: unknown): boolean {
  return typeof item === 'string' && announced.test(item);
}

function isSecretField(name: string, field: unknown): boolean {
  if (typeof field === 'string') {
    return field !== '' && secretNames.test(name);
  }
  // A JSON schema describes secrets but does not contain secrets.
  return secretGroups.test(name) && !(isRecord(field) && schemaTypes.has(field.type));
}

function maskString(text: string): string {
  const searched = text.slice(0, longestSearched);
  return maskText(maskAssigned(text.length === searched.length ? (maskJson(text) ?? text) : searched));
}

/** Masks the secrets in a JSON text. Returns `undefined` if the text is not JSON or has no secrets. */
function maskJson(text: string): string | undefined {
  if (!/^\s{0,100}[[{"]/.test(text)) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    const masked = JSON.stringify(redactValue(value));
    return masked === JSON.stringify(value) ? undefined : masked;
  } catch {
    return undefined;
  }
}

/** Names of variables and options that hold secrets. */
const called = '(?:api[_-]?key|secret|token|password|passwd|passphrase|pwd|authorization|cookie|credential|(?:private|access)[_-]?key)';
/** Matches a secret's name and quoted value in JSON, source code or shell commands. The quotes can be escaped any number of times. */
const quoted = new RegExp(`(${called}[\\\\"'\`]{0,16} {0,4}[:=] {0,4}[\\\\"'\`]{1,16})([^\\\\"'\`\\n]{1,400})`, 'gi');
/** Matches a secret's name and unquoted value. */
const bare = new RegExp(`(${called}["']?)( {0,4}[:=] {0,4})([^\\s\\\\"'\`,;&|<>(){}[\\]]{3,400})`, 'gi');
const option = /(-(?:api-?key|secret|token|password|passwd|passphrase|access-?key) {1,4}["']?)([^\s"'<-][^\s"']{2,400})/gi;
const placeholder = /^(?:\$|%|\*|\.\.\.|x+$|your|null$|none$|undefined$|true$|false$|\d{1,6}$)/i;

/**
 * Masks values that are assigned to names of secrets: `DB_PASSWORD=...`, `--token ...`, `?api_key=...`, `'password': '...'`, also in JSON
 * within a JSON string. Prose after such a name is not masked. Runs in linear time.
 */
function maskAssigned(text: string): string {
  return text
    .replace(quoted, (all, name: string, value: string) => (placeholder.test(value) ? all : `${name}${hidden}`))
    .replace(bare, (all, name: string, sign: string, value: string) => (isMeant(sign, value) ? `${name}${sign}${hidden}` : all))
    .replace(option, (all, name: string, value: string) => (placeholder.test(value) ? all : `${name}${hidden}`));
}

/** Returns whether a value can be a secret. For example, the value in the error message "token: Field required" is not a secret. */
function isMeant(sign: string, value: string): boolean {
  return !placeholder.test(value) && (sign === '=' || /[\d=+/_$!@#%^*~]/.test(value));
}
