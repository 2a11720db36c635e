import { hidden } from './maskText';

/** Names of variables and options that hold secrets. */
const called = '(?:api[_-]?key|secret|token|password|passwd|passphrase|pwd|authorization|cookie|credential|(?:private|access)[_-]?key)';
/** A name and its quoted value, escaped any number of times: JSON in JSON, source code, shell commands. */
const quoted = new RegExp(`(${called}[\\\\"'\`]{0,16} {0,4}[:=] {0,4}[\\\\"'\`]{1,16})([^\\\\"'\`\\n]{1,400})`, 'gi');
/** A name and its unquoted value. */
const bare = new RegExp(`(${called}["']?)( {0,4}[:=] {0,4})([^\\s\\\\"'\`,;&|<>(){}[\\]]{3,400})`, 'gi');
const option = /(-(?:api-?key|secret|token|password|passwd|passphrase|access-?key) {1,4}["']?)([^\s"'<-][^\s"']{2,400})/gi;
const placeholder = /^(?:\$|%|\*|\.\.\.|x+$|your|null$|none$|undefined$|true$|false$|\d{1,6}$)/i;

/**
 * Masks values that are assigned to names of secrets: `DB_PASSWORD=...`, `--token ...`, `?api_key=...`, `'password': '...'`, also in JSON
 * within a JSON string. Prose after such a name is not masked. Runs in linear time.
 */
export function maskAssigned(text: string): string {
  return text
    .replace(quoted, (all, name: string, value: string) => (placeholder.test(value) ? all : `${name}${hidden}`))
    .replace(bare, (all, name: string, sign: string, value: string) => (isMeant(sign, value) ? `${name}${sign}${hidden}` : all))
    .replace(option, (all, name: string, value: string) => (placeholder.test(value) ? all : `${name}${hidden}`));
}

/** Returns whether a value can be a secret. Messages also say "token: Field required". */
function isMeant(sign: string, value: string): boolean {
  return !placeholder.test(value) && (sign === '=' || /[\d=+/_$!@#%^*~]/.test(value));
}
