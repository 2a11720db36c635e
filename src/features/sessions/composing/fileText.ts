/** Bytes of a file that go into a message as text. */
export const mostTextBytes = 200_000;
/** Bytes of all files that go into one message as text. */
export const mostTextBytesTogether = 1_000_000;

/** The text of a file; undefined for what is no UTF-8, or holds zero bytes as text does not. */
export function toFileText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A content block that holds a file as text, in a fence that nothing in it can close. */
export function toFileBlock(path: string, text: string): { readonly type: 'text'; readonly text: string } {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  const ending = /\.([a-z0-9]{1,12})$/i.exec(path)?.[1] ?? '';
  return { type: 'text', text: `File ${path}:\n\n${fence}${ending}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}` };
}

/** A content block that says where a file was mounted. */
export function toMountBlock(path: string, mountPath: string | undefined): { readonly type: 'text'; readonly text: string } {
  return {
    type: 'text',
    text: mountPath === undefined ? `File ${path} was added to the session.` : `File ${path} was added to the session at ${mountPath}`,
  };
}

const secretNames =
  /^(?:\.env(?:\..+)?|.+\.env|\.envrc|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|pfx|p12|jks|keystore|kdbx)|(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt))?)$/i;

/** Whether a file of this name is one in which people keep secrets: environment files, keys, credentials. Samples of them are not. */
export function looksSecret(name: string): boolean {
  return secretNames.test(name) && !/\.(?:example|sample|template|dist)$/i.test(name);
}
