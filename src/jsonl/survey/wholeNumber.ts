/** Returns the whole number in the JSON value [start, end), in any notation; NaN if the value is anything else or negative. */
export function wholeNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9 || end - start > 15) {
      const text = Buffer.from(bytes.subarray(start, Math.min(end, start + 400))).toString('latin1');
      const other = /^[-\d]/.test(text) ? Number(text) : Number.NaN;
      return Number.isSafeInteger(other) && other >= 0 ? other : Number.NaN;
    }
    value = value * 10 + digit;
  }
  return value;
}
