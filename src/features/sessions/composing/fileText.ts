export const maxTextBytes = 200_000;
export const maxTextBytesTogether = 1_000_000;

/** Decodes the text of a file. Returns `undefined` if the text is not valid UTF-8 or contains a zero byte. */
export function toFileText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Returns a content block with a file as text, in a code fence that the text can't close. */
export function toFileBlock(path: string, text: string): { readonly type: 'text'; readonly text: string } {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  const ending = /\.([a-z0-9]{1,12})$/i.exec(path)?.[1] ?? '';
  return { type: 'text', text: `File ${path}:\n\n${fence}${ending}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}` };
}

/** Returns a content block that names the path where a file is mounted. */
export function toMountBlock(path: string, mountPath: string | undefined): { readonly type: 'text'; readonly text: string } {
  return {
    type: 'text',
    text: mountPath === undefined ? `File ${path} was added to the session.` : `File ${path} was added to the session at ${mountPath}`,
  };
}

const secretNames =
  /^(?:\.env(?:\..+)?|.+\.env|\.envrc|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|pfx|p12|jks|keystore|kdbx)|(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt))?)$/i;

/** Returns whether files with this name often contain secrets: environment files, keys, credentials. Samples (`.env.example`) don't. */
export function isSecretName(name: string): boolean {
  return secretNames.test(name) && !/\.(?:example|sample|template|dist)$/i.test(name);
}
