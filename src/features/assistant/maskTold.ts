import { redact } from '../../common/text/redaction';
import { maskLine } from '../../jsonl/exporting/maskLine';
import { isSecret } from '../../jsonl/survey/sensitiveFindings';
import { findSensitive } from '../../jsonl/survey/sensitiveText';
import { isRecord } from '../../shared/isRecord';
import { maskSecrets } from '../../shared/maskedJson';
import { toVisibleText } from '../../shared/text';

/** Longer texts are cut before they are looked through: only their begin can be told. */
const longestSearched = 100_000;
const hidden = '[hidden]';
/** Fields whose values are secrets wherever they stand, and those that hold any number of them. */
const secretNames = /(?:api[_-]?key|secret|token|password|passwd|authorization|cookie|credential|private[_-]?key)$/i;

/**
 * A value for a model: what is secret in it masked, by the fields of the contract, by the names of fields, and by patterns in texts; what
 * could hide or turn words made visible. Personal data stays: it is what people work with.
 */
export function maskTold(value: unknown): unknown {
  return maskEach(maskSecrets(value));
}

function maskEach(value: unknown): unknown {
  if (typeof value === 'string') {
    return maskText(value);
  }
  if (Array.isArray(value)) {
    return value.map(maskEach);
  }
  if (!isRecord(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      maskText(name),
      typeof field === 'string' && field !== '' && secretNames.test(name) ? hidden : maskEach(field),
    ]),
  );
}

/** A text with its secrets masked. A private key goes as a whole, also one whose end was cut away. */
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
