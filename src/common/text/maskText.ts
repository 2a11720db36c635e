import { maskLine } from '../../jsonl/exporting/maskLine';
import { isSecret } from '../../jsonl/survey/fileSurvey';
import { findSensitive } from '../../jsonl/survey/sensitiveText';
import { redact } from '../../shared/redaction';
import { toVisibleText } from '../../shared/text';

/** Maximum number of characters to search. Longer texts are cut to their start. */
export const longestSearched = 100_000;
export const hidden = '[hidden]';

/**
 * Masks the secrets in a text, and shows characters that could hide or reorder words. A private key is masked as a whole, even if the end
 * of the key is missing. Personal data is not masked.
 */
export function maskText(text: string): string {
  const searched = text.slice(0, longestSearched);
  let masked = '';
  let done = 0;
  for (const { pattern, start, end } of findSensitive(searched)) {
    if (isSecret(pattern) && start >= done) {
      masked += `${searched.slice(done, start)}${hidden}`;
      done = pattern === 'private-key' ? endOfKey(searched, end) : end;
    }
  }
  return toVisibleText(redact(maskLine(masked + searched.slice(done))));
}

function endOfKey(text: string, from: number): number {
  const end = text.indexOf('-----END ', from);
  const close = end < 0 ? -1 : text.indexOf('-----', end + 9);
  return close < 0 ? text.length : close + 5;
}
