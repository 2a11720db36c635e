import assert from 'node:assert/strict';
import { minimalJson } from '../../../../src/emulator/messages/sampleAnswers';

describe('emulator/messages/sampleAnswers', () => {
  for (const [schema, value] of [
    [{ type: 'string' }, 'emulated'],
    [{ type: 'string', minLength: 10 }, 'emulated..'],
    [{ type: ['integer', 'null'], minimum: 2.5 }, 2.5],
    [{ type: 'integer', minimum: 2.5 }, 3],
    [{ type: 'number', exclusiveMinimum: 1 }, 2],
    [{ type: 'number', maximum: -4 }, -4],
    [{ type: 'boolean' }, true],
    [{ type: 'null' }, null],
    [{ enum: ['b', 'a'] }, 'b'],
    [{ const: 5 }, 5],
    [{ type: 'array', items: { type: 'boolean' } }, []],
    [{ type: 'array', minItems: 2, items: { type: 'boolean' } }, [true, true]],
    [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, null],
    [
      { allOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'] }], properties: { b: { const: 2 } }, required: ['b'] },
      { a: 1, b: 2 },
    ],
    [{ $ref: '#/$defs/name', $defs: { name: { const: 'x' } } }, 'x'],
    [{ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['b'] }, { b: 'emulated' }],
    ['no schema', null],
  ] as const) {
    it(`satisfies ${JSON.stringify(schema)}`, () => assert.deepEqual(minimalJson(schema), value));
  }

  it('ends for a recursive schema', () => {
    const schema = {
      $ref: '#/$defs/node',
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] } },
    };
    assert.match(JSON.stringify(minimalJson(schema)), /^\{"next":/);
  });
});
