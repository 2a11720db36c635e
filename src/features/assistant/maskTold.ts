import { maskText } from '../../common/text/maskText';
import { isRecord } from '../../shared/isRecord';
import { maskSecrets } from '../../shared/maskedJson';

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
