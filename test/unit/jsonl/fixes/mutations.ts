import fc from 'fast-check';

const oddValue = fc.constantFrom<unknown>(
  '',
  'x',
  '5',
  'true',
  null,
  -1,
  1.5,
  3000,
  true,
  [],
  {},
  [null],
  { type: 'text', text: '' },
  'user ',
);
const oddKey = fc.constantFrom(
  'maxTokens',
  'stop_sequence',
  'system',
  'stream',
  'output_format',
  'temperature',
  'top_k',
  'custom_id',
  'params',
  '__proto__',
  'zzz',
);

type Step = {
  readonly at: number;
  readonly act: 'remove' | 'set' | 'add' | 'double' | 'role';
  readonly key: string;
  readonly value: unknown;
};

const step: fc.Arbitrary<Step> = fc.record({
  at: fc.nat(1000),
  act: fc.constantFrom('remove', 'set', 'add', 'double', 'role'),
  key: oddKey,
  value: oddValue,
});

/** Returns lines with one to three changes of a valid line. */
export function mutated(line: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const values = fc.tuple(line, fc.array(step, { minLength: 1, maxLength: 3 })).map(([text, steps]) => {
    const value = JSON.parse(text) as unknown;
    for (const one of steps) {
      change(value, one);
    }
    return JSON.stringify(value);
  });
  const characters = fc
    .tuple(
      line,
      fc.array(
        fc.tuple(fc.nat(100_000), fc.nat(3), fc.constantFrom('', ',', "'", '"', '}', ']', '{', '\\', 'x', ' ', '\t', '// ', '\ud83d')),
        { minLength: 1, maxLength: 2 },
      ),
    )
    .map(([text, cuts]) => {
      let result = text;
      for (const [at, length, inserted] of cuts) {
        const place = at % (result.length + 1);
        result = result.slice(0, place) + inserted + result.slice(place + length);
      }
      return result.replace(/[\r\n]/g, '');
    });
  return fc.oneof({ weight: 3, arbitrary: values }, { weight: 2, arbitrary: characters });
}

function change(root: unknown, { at, act, key, value }: Step): void {
  const places: Record<string, unknown>[] = [];
  const walk = (node: unknown) => {
    if (typeof node === 'object' && node !== null) {
      places.push(node as Record<string, unknown>);
      Object.values(node).forEach(walk);
    }
  };
  walk(root);
  const place = places[at % places.length];
  if (place === undefined) {
    return;
  }
  const keys = Object.keys(place);
  const old = keys[at % Math.max(1, keys.length)] ?? key;
  switch (act) {
    case 'remove':
      delete place[old];
      break;
    case 'set':
      place[old] = structuredClone(value);
      break;
    case 'add':
      Object.defineProperty(place, Array.isArray(place) ? '0' : key, {
        value: structuredClone(value),
        enumerable: true,
        configurable: true,
        writable: true,
      });
      break;
    case 'double':
      place[`${old}s`] = structuredClone(place[old]);
      break;
    case 'role':
      if (typeof place.role === 'string') {
        place.role = 'system';
      }
      break;
  }
}
