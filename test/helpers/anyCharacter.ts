import fc from 'fast-check';

/**
 * Every code point but halves of surrogate pairs, as a `unit` of texts. fast-check's own `binary` is the same and first makes a map of
 * the million of them.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(point => String.fromCodePoint(point));
