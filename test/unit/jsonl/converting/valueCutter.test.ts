import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ValueCutter } from '../../../../src/jsonl/converting/valueCutter';
import { runs } from '../../../helpers/runs';

interface Cut {
  readonly text: string;
  readonly line: number;
  readonly isTooLong: boolean;
}

/** Cuts a text that arrives in pieces of `size` bytes, like a file. */
function cutAll(text: string, layout: 'values' | 'elements', size: number, most = 1 << 20): readonly Cut[] {
  const cutter = new ValueCutter(layout, most);
  const source = Buffer.from(text);
  const found: Cut[] = [];
  let buffer = Buffer.alloc(0);
  for (let at = 0; ; at += size) {
    const piece = source.subarray(at, at + size);
    buffer = Buffer.concat([buffer, piece]);
    const leftover = cutter.cut(buffer, 0, buffer.length, piece.length === 0, (start, end, line, isTooLong) =>
      found.push({ text: buffer.subarray(start, end).toString().trim(), line, isTooLong }),
    );
    if (piece.length === 0) {
      return found;
    }
    buffer = buffer.subarray(leftover);
  }
}

const textsOf = (cuts: readonly Cut[]) => cuts.map(({ text }) => text);

describe('jsonl/converting/valueCutter', () => {
  it('cuts values one behind the other, and says on which lines they begin', () => {
    assert.deepEqual(cutAll('{"a":\n1}\n\n{"b":"}"} 12 "x"\n[1]', 'values', 100), [
      { text: '{"a":\n1}', line: 0, isTooLong: false },
      { text: '{"b":"}"}', line: 3, isTooLong: false },
      { text: '12', line: 3, isTooLong: false },
      { text: '"x"', line: 3, isTooLong: false },
      { text: '[1]', line: 4, isTooLong: false },
    ]);
  });

  it('cuts the elements of an array, or of the field requests alone', () => {
    assert.deepEqual(textsOf(cutAll('[{"a":[1]} , 2,\n"x"]', 'elements', 100)), ['{"a":[1]}', '2', '"x"']);
    assert.deepEqual(textsOf(cutAll('{"x":{"requests":[1]},"y":[2],"requests":[{"a":1},[3]],"z":[4]}', 'elements', 100)), [
      '{"a":1}',
      '[3]',
    ]);
  });

  it('goes on at the next item behind one whose brackets or quotes do not fit', () => {
    for (const bad of ['{\n"a": "x\n}', '{\n"a": [1}\n}', '{\n"a": {\n}', '{ "a": 1 ]\n']) {
      assert.deepEqual(textsOf(cutAll(`{\n"first": 1}\n${bad}\n{\n"last": 1}`, 'values', 100)).slice(-1), ['{\n"last": 1}'], bad);
    }
  });

  it('tells of an item that is too long without keeping it, and finds the next', () => {
    const long = `{"a":"${'x'.repeat(500)}"}`;
    const cuts = cutAll(`{"b":1}\n${long}\n{"c":1}`, 'values', 50, 200);
    assert.deepEqual(
      cuts.map(({ text, isTooLong, line }) => [isTooLong ? '' : text, line]),
      [
        ['{"b":1}', 0],
        ['', 1],
        ['{"c":1}', 2],
      ],
    );
  });

  it('finds the same however the bytes come', () => {
    const item = fc
      .jsonValue({ maxDepth: 3 })
      .chain(value => fc.constantFrom(JSON.stringify({ value }), JSON.stringify({ value }, null, 2), JSON.stringify([value])));
    const text = fc
      .tuple(
        fc.array(item, { maxLength: 5 }),
        fc.constantFrom('values', 'elements', 'wrapped'),
        fc.nat(200),
        fc.constantFrom('', '"', '{', ']', '\\', '\n'),
      )
      .map(([items, form, at, put]) => {
        const whole =
          form === 'values'
            ? items.join('\n')
            : form === 'elements'
              ? `[${items.join(',\n')}]`
              : `{"n":1,\n"requests": [\n${items.join(',\n')}]}`;
        return [
          put === '' ? whole : whole.slice(0, at) + put + whole.slice(at),
          form === 'values' ? 'values' : 'elements',
          put === '' ? items : undefined,
        ] as const;
      });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), ([whole, layout, items], size) => {
        const cuts = cutAll(whole, layout, 1 << 20);
        assert.deepEqual(cutAll(whole, layout, size), cuts);
        if (items !== undefined) {
          assert.deepEqual(textsOf(cuts), items);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
