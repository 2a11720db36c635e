import assert from 'node:assert/strict';
import fc from 'fast-check';
import { comparableInput } from '../../../../../src/features/sessions/testing/compareCalls';
import { isPointer } from '../../../../../src/features/sessions/testing/testDocument';
import { runs } from '../../../../helpers/runs';

describe('features/sessions/testing/comparableInput', () => {
  const input = {
    path: 'a',
    options: { 'x/y': 1, 'a~b': 2 },
    edits: [
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ],
  };

  for (const [pointer, shown] of [
    ['/path', { edits: input.edits, options: input.options }],
    ['/options/x~1y', { edits: input.edits, options: { 'a~b': 2 }, path: 'a' }],
    ['/options/a~0b', { edits: input.edits, options: { 'x/y': 1 }, path: 'a' }],
    ['/edits/1/id', { edits: [input.edits[0], { text: 'two' }], options: input.options, path: 'a' }],
    ['/edits/*/id', { edits: [{ text: 'one' }, { text: 'two' }], options: input.options, path: 'a' }],
    ['/edits/0', { edits: [null, input.edits[1]], options: input.options, path: 'a' }],
    ['/*/id', input],
    ['/nothing/here', input],
  ] as const) {
    it(`leaves out ${pointer}`, () => {
      assert.deepEqual(JSON.parse(comparableInput(input, [pointer])), shown);
    });
  }

  it('is independent of member order, and differs if a value does', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        assert.equal(comparableInput(turned, []), comparableInput(value, []));
        assert.deepEqual(JSON.parse(comparableInput(value, [])), JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('accepts arguments of any depth', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5000; level++) {
      deep = { deep };
    }
    assert.ok(comparableInput(deep, ['/deep/*/x']).length > 0);
  });

  it('parses JSON pointers', () => {
    assert.deepEqual(['/a', '/a/0', '/', '/a~1b', '/*', '', 'a', 'a/b', '/a~2'].map(isPointer), [
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
