/** Why a text cannot be an API key. The key itself is never part of it. */
export type ApiKeyProblem = 'empty' | 'whitespace' | 'notAscii' | 'headerLine' | 'tooLong';

const longestKey = 4096;

/**
 * Reads what a person typed or pasted as an API key: white space around it is taken off; white space or line ends inside,
 * characters that no header can carry, and a whole header line (`X-Api-Key: ...`) are refused.
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
  if (/[^\x21-\x7e]/.test(key)) {
    return 'notAscii';
  }
  return key.length > longestKey ? 'tooLong' : { key };
}
