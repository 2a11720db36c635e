/** Character codes of JSON tokens. */
export enum Code {
  tab = 9,
  lineFeed = 10,
  carriageReturn = 13,
  space = 32,
  quote = 34,
  comma = 44,
  minus = 45,
  colon = 58,
  openBracket = 91,
  backslash = 92,
  closeBracket = 93,
  openBrace = 123,
  closeBrace = 125,
  byteOrderMark = 0xfeff,
}
