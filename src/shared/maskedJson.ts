import { keepDigits } from './exactJson';
import { isRecord } from './isRecord';
import { addressPassword, secretFields } from './secretFields';
import { shallow } from './shallow';

/** Returns a value as indented JSON. Masks secrets like `maskSecrets`, and cuts off below the 200th level. */
export function toMaskedJson(value: unknown): string {
  return `${JSON.stringify(shallow(value), mask, 2)}\n`;
}

/** Masks and shortens a JSON value like `toMaskedJson`. Returns the value itself if nothing changes. */
export function maskSecrets<T>(value: T): T {
  const copy = shallow(value);
  return mayHoldSecrets.test(JSON.stringify(copy)) ? (JSON.parse(JSON.stringify(copy, mask)) as T) : copy;
}

function mask(name: string, value: unknown): unknown {
  const isToken = name === 'fallback_credit_token' && typeof value === 'object' && value !== null;
  if (isToken || (secretName.test(name) && typeof value === 'string' && value !== '')) {
    return '[hidden]';
  }
  return typeof value === 'string' ? value.replace(addressPassword, '$1[hidden]$2') : value;
}

const secretName = new RegExp(`^(?:${secretFields})$`, 'i');
const mayHoldSecrets = new RegExp(`"(?:${secretFields})"|:\\/\\/[^"/\\s]*@`, 'i');

/** Parses a line that joins a request with its result. Returns the `result`, with secrets masked and all digits of its numbers. */
export function readMaskedResult(line: string): Readonly<Record<string, unknown>> {
  const joined = keepDigits(maskSecrets(JSON.parse(line) as unknown), line);
  return isRecord(joined) && isRecord(joined.result) ? joined.result : {};
}
