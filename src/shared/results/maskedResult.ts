import { keepDigits } from '../exactJson';
import { isRecord } from '../isRecord';
import { maskSecrets } from '../maskedJson';

/** Returns the `result` of a joined line, with secrets masked and all digits of its numbers. */
export function readMaskedResult(line: string): Readonly<Record<string, unknown>> {
  const joined = keepDigits(maskSecrets(JSON.parse(line) as unknown), line);
  return isRecord(joined) && isRecord(joined.result) ? joined.result : {};
}
