import fc from 'fast-check';

/**
 * Every code point except halves of surrogate pairs, as a `unit` of texts. Like fast-check's own `binary`, without its map of a million
 * entries.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(point => String.fromCodePoint(point));
