import fc from 'fast-check';

/** Numbers, strings and literals, many in a notation that `JSON.parse` and `JSON.stringify` would change. */
const scalar = fc.oneof(
  fc.constantFrom('1.0', '1e400', '12345678901234567890', '-0', '0.10', '1E+2', 'true', 'false', 'null', '""', '"\\u00e9\\/"', '"\u2028"'),
  fc.string({ maxLength: 8 }).map(text => JSON.stringify(text)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => JSON.stringify(number)),
);
const key = fc.oneof(
  fc.constantFrom('"__proto__"', '"a"', '"b"', '"\\u0061"', '"custom_id"', '"params"'),
  scalar.filter(text => text[0] === '"'),
);
const space = fc.constantFrom('', '', '', ' ', '  ', '\t', ' \t');

/** A JSON text on one line with odd spacing, duplicate keys and numbers of every kind. */
export const spacedJson: fc.Arbitrary<string> = fc.letrec<{ value: string; list: string; record: string }>(tie => ({
  value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, scalar, tie('list'), tie('record')),
  list: fc
    .tuple(fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }), space)
    .map(([items, inner]) => `[${items.length === 0 ? inner : items.map(item => item.join('')).join(',')}]`),
  record: fc
    .tuple(fc.array(fc.tuple(space, key, space, fc.constant(':'), space, tie('value'), space), { maxLength: 4 }), space)
    .map(([members, inner]) => `{${members.length === 0 ? inner : members.map(member => member.join('')).join(',')}}`),
})).value;

/** A `spacedJson` text with white space around it, as in a line of a file. */
export const spacedLine: fc.Arbitrary<string> = fc.tuple(space, spacedJson, space, fc.constantFrom('', '\r')).map(parts => parts.join(''));
