/** Reason why a text can't be an API key. Never contains the key itself. */
export type ApiKeyProblem = 'empty' | 'headerLine' | 'whitespace' | 'invalid';

const longestKey = 4096;

/**
 * Parses a typed or pasted API key. White space around it is removed. White space or line ends inside, characters that no header can
 * contain, and a whole header line (`X-Api-Key: ...`) are refused.
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
