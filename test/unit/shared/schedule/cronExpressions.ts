import fc from 'fast-check';

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

function field(least: number, most: number): fc.Arbitrary<string> {
  const number = fc.integer({ min: least, max: most });
  const range = fc.tuple(number, number).map(pair => [...pair].sort((a, b) => a - b).join('-'));
  const step = fc.integer({ min: 1, max: most });
  const part = fc.oneof(
    number.map(String),
    range,
    fc.tuple(range, step).map(both => both.join('/')),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('*') },
    step.map(every => `*/${every}`),
    fc.array(part, { minLength: 1, maxLength: 3 }).map(parts => parts.join(',')),
  );
}

/** Valid expressions of five fields. */
export const cronExpressions: fc.Arbitrary<string> = fc
  .tuple(...bounds.map(([least, most]) => field(least, most)))
  .map(fields => fields.join(' '));
