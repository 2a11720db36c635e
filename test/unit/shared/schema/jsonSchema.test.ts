import assert from 'node:assert/strict';
import { JsonSchema } from '../../../../src/shared/schema/jsonSchema';
import { isEqual } from '../../../../src/shared/schema/jsonValues';

/** Schemas, each with values that match and values that don't match. */
const cases: readonly (readonly [name: string, schema: unknown, fits: readonly unknown[], not: readonly unknown[]])[] = [
  ['type', { type: 'integer' }, [1, 1.0, -3], [1.5, '1', null, []]],
  ['several types', { type: ['string', 'null'] }, ['', null], [0, {}, []]],
  ['object is no array', { type: 'object' }, [{}], [[], null]],
  ['enum', { enum: ['a', 1, { b: [2] }] }, ['a', 1, { b: [2] }], ['b', '1', { b: [3] }]],
  ['const', { const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }, null]],
  ['properties', { properties: { a: { type: 'string' } } }, [{ a: '' }, {}, 1], [{ a: 1 }]],
  ['required', { required: ['a', 'toString'] }, [{ a: 1, toString: 2 }, 'text'], [{ a: 1 }, {}]],
  ['no further properties', { properties: { a: true }, additionalProperties: false }, [{ a: 1 }], [{ b: 1 }, { a: 1, constructor: 1 }]],
  ['further properties', { properties: { a: true }, additionalProperties: { type: 'number' } }, [{ a: '', b: 1 }], [{ b: '' }]],
  ['items', { items: { type: 'number' } }, [[], [1, 2], 'x'], [[1, '2']]],
  ['numbers of items', { minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
  [
    'unique items',
    { uniqueItems: true },
    [[1, '1', { a: 1 }, { a: 2 }]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  ['bounds', { minimum: 1, maximum: 3 }, [1, 3, 'x'], [0.9, 3.1]],
  ['exclusive bounds', { exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
  ['multiples', { multipleOf: 0.1 }, [0.3, 1, 0], [0.35]],
  ['lengths in characters', { minLength: 2, maxLength: 2 }, ['ab', '😀😀'], ['a', '😀', 'abc']],
  ['pattern', { pattern: '^a.c$' }, ['abc', 'a😀c', 1], ['xabc']],
  ['numbers of properties', { minProperties: 1, maxProperties: 1 }, [{ a: 1 }, 1], [{}, { a: 1, b: 2 }]],
  ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['x', 5], [4]],
  ['allOf', { allOf: [{ type: 'number' }, { minimum: 5 }] }, [5], [4, 'x']],
  ['oneOf', { oneOf: [{ minimum: 5 }, { maximum: 7 }] }, [8, 4], [6]],
  ['not', { not: { type: 'string' } }, [1], ['x']],
  ['false', { properties: { a: false } }, [{}], [{ a: 1 }]],
  [
    'a tree by reference',
    { $ref: '#/$defs/node', $defs: { node: { properties: { 'a/b': { items: { $ref: '#/$defs/node' } } }, required: ['name'] } } },
    [{ name: '', 'a/b': [{ name: '' }] }],
    [{ name: '', 'a/b': [{}] }],
  ],
];

describe('shared/schema/jsonSchema', () => {
  for (const [name, schema, fits, not] of cases) {
    it(`supports ${name}`, () => {
      const checked = new JsonSchema(schema);
      assert.deepEqual(checked.problems, []);
      for (const value of fits) {
        assert.equal(checked.check(value), undefined, JSON.stringify(value));
      }
      for (const value of not) {
        assert.ok(checked.check(value), JSON.stringify(value));
      }
    });
  }

  it('reports where and why', () => {
    const schema = new JsonSchema({ properties: { list: { items: { required: ['a'] } } } });
    assert.deepEqual(schema.check({ list: [{ a: 1 }, { b: 2 }] }), {
      at: '/list/1',
      keyword: 'required',
      expected: 'a',
      actual: '{"b":2}',
    });
  });

  it('reports unknown keywords at any depth instead of ignoring them', () => {
    const schema = {
      title: 'fine',
      properties: { a: { format: 'date' }, b: { anyOf: [{ patternProperties: {} }] } },
      $defs: { c: { contains: {} } },
      items: { type: 'text' },
      minLength: -1,
      pattern: '(',
      $ref: '#/nowhere',
    };
    assert.deepEqual(new JsonSchema(schema).problems, [
      'format',
      'patternProperties',
      'contains',
      'type',
      'minLength',
      'pattern',
      '$ref #/nowhere',
    ]);
    assert.deepEqual(new JsonSchema('text').problems, ['schema']);
    assert.deepEqual(new JsonSchema({ $ref: '#/$defs/100%', $defs: { '100%': {} } }).problems, ['$ref #/$defs/100%']);
  });

  it('stops at a reference to itself', () => {
    assert.equal(new JsonSchema({ $ref: '#' }).check(1)?.keyword, '$ref');
  });

  it('compares JSON values independent of key order', () => {
    assert.equal(isEqual({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] }), true);
    assert.equal(isEqual({ a: undefined }, { b: 1 }), false);
    assert.equal(isEqual([1, 2], [2, 1]), false);
    assert.equal(isEqual({}, []), false);
  });
});
