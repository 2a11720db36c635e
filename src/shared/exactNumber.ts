import { withoutEnd } from './trim';

const maxDigits = 2000;

/**
 * Returns whether a JSON number keeps its value as a double. False for whole numbers beyond 2^53 that have no double, for more digits than
 * a double has, and for numbers that become infinite or zero.
 */
export function isExactNumber(text: string): boolean {
  if (isShort(text)) {
    return true;
  }
  const value = Number(text);
  if (value === 0) {
    return isZero(text);
  }
  return Number.isFinite(value) && normalized(text) === normalized(String(value));
}

/** Returns whether a JSON number is an integer, by its digits. */
export function isWholeNumber(text: string): boolean {
  return isZero(text) || parts(text).power >= 0;
}

/** Compares two JSON numbers by their digits: less (-1), equal (0) or greater (1). */
export function compareNumbers(first: string, second: string): -1 | 0 | 1 {
  if (isShort(first) && isShort(second)) {
    return order(Number(first), Number(second));
  }
  const [a, b] = [parts(first), parts(second)];
  const [signA, signB] = [isZero(first) ? 0 : a.sign, isZero(second) ? 0 : b.sign];
  if (signA !== signB || signA === 0) {
    return order(signA, signB);
  }
  const bySize = order(a.digits.length + a.power, b.digits.length + b.power);
  // Both first digits have the same power of ten, so the digits can be compared as strings.
  const size = bySize !== 0 ? bySize : order(a.digits, b.digits);
  return size === 0 ? 0 : size === signA ? 1 : -1;
}

function order<T extends number | string>(first: T, second: T): -1 | 0 | 1 {
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Returns the normalized text of a JSON number. All notations of a value have the same normalized text. */
export function toNormalNumber(text: string): string {
  return isZero(text) ? '0' : normalized(text);
}

/** Returns whether a JSON number is a multiple of another number, by its digits. Returns false for numbers with more than 2,000 digits. */
export function isMultipleOf(text: string, of: string): boolean {
  if (isZero(text)) {
    return true;
  }
  const [a, b] = [parts(text), parts(of)];
  const power = Math.min(a.power, b.power);
  const most = Math.max(a.digits.length + a.power, b.digits.length + b.power) - power;
  if (isZero(of) || most > maxDigits) {
    return false;
  }
  const scaled = ({ digits, power: own }: Parts) => BigInt(digits) * 10n ** BigInt(own - power);
  return scaled(a) % scaled(b) === 0n;
}

/** Returns whether a number is so short that a double keeps all digits. 15 digits always fit. */
function isShort(text: string): boolean {
  return text.length <= 15 && !/e/i.test(text);
}

function isZero(text: string): boolean {
  return !/^-?[0.]*[1-9]/.test(text);
}

function normalized(text: string): string {
  const { sign, digits, power } = parts(text);
  return `${sign}${digits}e${power}`;
}

interface Parts {
  readonly sign: 1 | -1;
  /** Digits without leading and trailing zeros. */
  readonly digits: string;
  /** Power of ten of the last digit. */
  readonly power: number;
}

function parts(text: string): Parts {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const trimmed = withoutEnd(digits, '0');
  return { sign: sign === '' ? 1 : -1, digits: trimmed, power: Number(exponent) - fraction.length + digits.length - trimmed.length };
}
