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
  return Number.isFinite(value) && toNormalNumber(text) === toNormalNumber(String(value));
}

/** Returns whether a JSON number is an integer, by its digits. */
export function isWholeNumber(text: string): boolean {
  return parts(text).power >= 0;
}

/** Compares two JSON numbers by their digits: less (-1), equal (0) or greater (1). */
export function compareNumbers(first: string, second: string): -1 | 0 | 1 {
  if (isShort(first) && isShort(second)) {
    return order(Number(first), Number(second));
  }
  const [a, b] = [parts(first), parts(second)];
  if (a.sign !== b.sign) {
    return order(a.sign, b.sign);
  }
  // If both first digits have the same power of ten, the digits can be compared as strings.
  const size = order(a.digits.length + a.power, b.digits.length + b.power) || order(a.digits, b.digits);
  return order(size * a.sign, 0);
}

function order<T extends number | string>(first: T, second: T): -1 | 0 | 1 {
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Returns the normalized text of a JSON number. All notations of a value have the same normalized text. */
export function toNormalNumber(text: string): string {
  const { sign, digits, power } = parts(text);
  return `${sign}${digits}e${power}`;
}

/** Returns whether a JSON number is a multiple of another number, by its digits. Returns false for numbers with more than 2,000 digits. */
export function isMultipleOf(text: string, of: string): boolean {
  const [a, b] = [parts(text), parts(of)];
  const power = Math.min(a.power, b.power);
  const most = Math.max(a.digits.length + a.power, b.digits.length + b.power) - power;
  const scaled = ({ digits, power: own }: Parts) => BigInt(digits) * 10n ** BigInt(own - power);
  return a.sign === 0 || (b.sign !== 0 && most <= maxDigits && scaled(a) % scaled(b) === 0n);
}

/** Returns whether a number is so short that a double keeps all digits. 15 digits always fit. */
function isShort(text: string): boolean {
  return text.length <= 15 && !/e/i.test(text);
}

/** A number as its digits. Zero has no sign, no digits and the power 0. */
interface Parts {
  readonly sign: -1 | 0 | 1;
  /** Digits without leading and trailing zeros. */
  readonly digits: string;
  /** Power of ten of the last digit. */
  readonly power: number;
}

function parts(text: string): Parts {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const trimmed = withoutEnd(digits, '0');
  if (trimmed === '') {
    return { sign: 0, digits: '', power: 0 };
  }
  return { sign: sign === '' ? 1 : -1, digits: trimmed, power: Number(exponent) - fraction.length + digits.length - trimmed.length };
}
