import { maskLine } from '../../jsonl/exporting/maskLine';
import { isSecret } from '../../jsonl/survey/fileSurvey';
import { findSensitive } from '../../jsonl/survey/sensitiveText';
import { redact } from '../../shared/redaction';
import { toVisibleText } from '../../shared/text';

/** Maximum number of characters to search. Longer texts are cut to their start. */
export const longestSearched = 100_000;
export const hidden = '[hidden]';

/** Masks secrets, but no personal data. Shows hidden characters. Masks a private key even without its end. */
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
