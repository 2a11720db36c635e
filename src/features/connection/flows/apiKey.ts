/** Reason why a text can't be an API key. Never contains the key itself. */
export type ApiKeyProblem = 'empty' | 'headerLine' | 'whitespace' | 'invalid';

const longestKey = 4096;

/**
 * Parses a typed or pasted API key. Trims white space. Rejects white space and line ends inside, characters that a header can't contain,
 * and a whole header line (`X-Api-Key: ...`).
 */
export function parseApiKey(text: string): { readonly key: string } | ApiKeyProblem {
  const key = text.trim();
  if (key === '') {
    return 'empty';
  }
  if (/^(?:x-api-key\s*:|authorization\s*:|bearer\s)/i.test(key)) {
    return 'headerLine';
  }
  if (/\s/.test(key)) {
    return 'whitespace';
  }
  return /[^\x21-\x7e]/.test(key) || key.length > longestKey ? 'invalid' : { key };
}
