const hidden = '[hidden]';

/** How things are called whose values let somebody in. */
const called = '(?:api[_-]?key|secret|token|password|passwd|passphrase|pwd|authorization|cookie|credential|(?:private|access)[_-]?key)';
/** A name, its value in quotes of any depth of escapes: of JSON in JSON, of a program, of a shell. */
const quoted = new RegExp(`(${called}[\\\\"'\`]{0,16} {0,4}[:=] {0,4}[\\\\"'\`]{1,16})([^\\\\"'\`\\n]{1,400})`, 'gi');
/** A name and its value as it stands. */
const bare = new RegExp(`(${called}["']?)( {0,4}[:=] {0,4})([^\\s\\\\"'\`,;&|<>(){}[\\]]{3,400})`, 'gi');
const option = /(-(?:api-?key|secret|token|password|passwd|passphrase|access-?key) {1,4}["']?)([^\s"'<-][^\s"']{2,400})/gi;
const placeholder = /^(?:\$|%|\*|\.\.\.|x+$|your|null$|none$|undefined$|true$|false$|\d{1,6}$)/i;

/**
 * A text with what is assigned to names of secrets masked: `DB_PASSWORD=...`, `--token ...`, `?api_key=...`, `'password': '...'`, also in JSON
 * that stands as a text in JSON. Words of a sentence behind such a name stay. Time grows with the length of the text.
 */
export function maskAssigned(text: string): string {
  return text
    .replace(quoted, (all, name: string, value: string) => (placeholder.test(value) ? all : `${name}${hidden}`))
    .replace(bare, (all, name: string, sign: string, value: string) => (isMeant(sign, value) ? `${name}${sign}${hidden}` : all))
    .replace(option, (all, name: string, value: string) => (placeholder.test(value) ? all : `${name}${hidden}`));
}

/** Messages say "token: Field required" too. */
function isMeant(sign: string, value: string): boolean {
  return !placeholder.test(value) && (sign === '=' || /[\d=+/_$!@#%^*~]/.test(value));
}
