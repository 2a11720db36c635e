import { withoutEnd } from '../../shared/trim';
/**
 * Whether a JSON number keeps its value when JavaScript reads it. False for whole numbers beyond 2^53 that have no double,
 * for more digits than a double keeps, and for what becomes infinite or zero.
 */
export function isExactNumber(text: string): boolean {
  // Fifteen digits always survive.
  if (text.length <= 15 && !/e/i.test(text)) {
    return true;
  }
  const value = Number(text);
  if (value === 0) {
    return isZero(text);
  }
  return Number.isFinite(value) && normalized(text) === normalized(String(value));
}

/** Whether a JSON number is whole by its digits, whatever a double makes of it. */
export function isWholeNumber(text: string): boolean {
  return isZero(text) || parts(text).power >= 0;
}

/** Whether a JSON number is by its digits less (-1), equal (0) or more (1) than `bound`, to which a double rounds it. */
export function compareNumbers(text: string, bound: number): -1 | 0 | 1 {
  const [a, b] = [parts(text), parts(String(bound))];
  const [signA, signB] = [isZero(text) ? 0 : a.sign, Math.sign(bound)];
  if (signA !== signB || signA === 0) {
    return signA < signB ? -1 : signA > signB ? 1 : 0;
  }
  const bySize = Math.sign(a.digits.length + a.power - b.digits.length - b.power);
  // The first digits of both stand for the same power of ten: texts compare as the numbers do.
  const size = bySize !== 0 ? bySize : a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0;
  return size === 0 ? 0 : size === signA ? 1 : -1;
}

function isZero(text: string): boolean {
  return !/^-?[0.]*[1-9]/.test(text);
}

/** Of a number that is not zero. Equal for equal values. */
function normalized(text: string): string {
  const { sign, digits, power } = parts(text);
  return `${sign}${digits}e${power}`;
}

/** Of a number that is not zero: its digits without zeros around them, and the power of ten of the last one. */
function parts(text: string): { readonly sign: 1 | -1; readonly digits: string; readonly power: number } {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const kept = withoutEnd(digits, '0');
  return { sign: sign === '' ? 1 : -1, digits: kept, power: Number(exponent) - fraction.length + digits.length - kept.length };
}
