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
    return !/^-?[0.]*[1-9]/.test(text);
  }
  return Number.isFinite(value) && normalized(text) === normalized(String(value));
}

/** Of a number that is not zero: its digits without zeros around them, and the power of ten of the last one. Equal for equal values. */
function normalized(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}
