import { maskLine } from '../../jsonl/exporting/maskLine';
import { isSecret } from '../../jsonl/survey/sensitiveFindings';
import { findSensitive } from '../../jsonl/survey/sensitiveText';
import { redact } from '../../shared/redaction';
import { toVisibleText } from '../../shared/text';

/** Longer texts are cut before they are looked through: only their begin can be told. */
export const longestSearched = 100_000;
export const hidden = '[hidden]';

/**
 * A text with its secrets masked, and with what could hide or turn words made visible. A private key goes as a whole, also one whose end was
 * cut away. Personal data stays.
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
