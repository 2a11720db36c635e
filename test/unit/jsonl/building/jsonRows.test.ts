import assert from 'node:assert/strict';
import fc from 'fast-check';
import { runs } from '../../../helpers/runs';
import { readAll } from './rows';

const jsonl = { kind: 'jsonl' } as const;
const json = { kind: 'json' } as const;

const odd =
  '{"n":12345678901234567890,"d":1.50,"e":1E+2,"s":"\\u00e9\\/\\ud83d\\ude00\u2028","o":{"b" : [1, 2.0],"a":"}\\"]"},"__proto__":null}';
const oddMembers = {
  n: '12345678901234567890',
  d: '1.50',
  e: '1E+2',
  s: '"\\u00e9\\/\\ud83d\\ude00\u2028"',
  o: '{"b" : [1, 2.0],"a":"}\\"]"}',
};

describe('jsonl/building/jsonRows', () => {
  it('keeps the text of every value', () => {
    for (const [text, format] of [
      [`${odd}\n`, jsonl],
      [`\ufeff ${odd} \r\n\n`, jsonl],
      [`[${odd}]`, json],
      [`\ufeff\n[\n ${odd}\n]\n`, json],
      [`{"count": 1, "names": ["x", "y"], "none": [], "rows": [${odd}], "next": {"a": [{"b": 1}]}}`, json],
    ] as const) {
      const { rows, problems, stop } = readAll(text, format);
      assert.equal(rows.length, 1, text);
      assert.deepEqual({ ...rows[0]?.[2] }, { ...oddMembers, ['__proto__']: 'null' }, text);
      assert.deepEqual([problems, stop], [[], undefined]);
    }
  });

  it('counts rows and lines, and leaves out anything but rows', () => {
    const lines = readAll('{"a":1}\n\n[1]\n{"a":}\n{"a":2}', jsonl);
    assert.deepEqual(
      lines.rows.map(([number, line]) => [number, line]),
      [
        [1, 0],
        [4, 4],
      ],
    );
    assert.deepEqual(
      lines.problems.map(({ row, line }) => [row, line]),
      [
        [2, 2],
        [3, 3],
      ],
    );
    const items = readAll('[\n{"a":\n1},\n7,\n{"a" 1},{"a":2}\n]', json);
    assert.deepEqual(
      items.rows.map(([number, line]) => [number, line]),
      [
        [1, 1],
        [4, 4],
      ],
    );
    assert.deepEqual(
      items.problems.map(({ row, line }) => [row, line]),
      [
        [2, 3],
        [3, 4],
      ],
    );
  });

  it('stops if the JSON around the rows is broken, and never quotes it', () => {
    const table: readonly (readonly [string, number, RegExp])[] = [
      ['', 0, /array of objects/],
      ['"secret"', 0, /array of objects/],
      ['{"a":1}', 0, /array of objects/],
      ['{"a":[{"x":1}],\n"b":[{"x":1}]}', 1, /two lists/],
      ['[{"a":1}\n{"a":2}]', 1, /comma or \]/],
      ['[{"a":1},\n', 1, /Not closed/],
      ['[\n{"a":"secret', 1, /Not closed/],
      ['[{"a":1}]\nx', 1, /use the extension/],
      ['{"a":secret,"rows":[{}]}', 0, /Invalid JSON/],
      ['{\n"a" 1}', 1, /colon/],
    ];
    for (const [text, line, pattern] of table) {
      const { stop } = readAll(text, json);
      assert.equal(stop?.line, line, text);
      assert.match(stop.text.template, pattern, text);
      assert.doesNotMatch(JSON.stringify(stop), /secret/);
    }
  });

  it('returns any rows, for any chunks and layout', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const row = fc.dictionary(fc.string({ maxLength: 5, unit: 'grapheme' }), value, { maxKeys: 4 });
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 6 }),
        fc.constantFrom(undefined, 2),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        (rows, indent, isNested, size) => {
          const parse = (text: string, format: typeof json | typeof jsonl) => {
            const whole = readAll(text, format);
            assert.deepEqual(readAll(text, format, size), whole);
            assert.equal(whole.stop, undefined);
            return whole.rows.map(([, , members]) => Object.entries(members).map(([key, raw]) => [key, JSON.parse(raw)]));
          };
          const expected = rows.map(members => Object.entries(JSON.parse(JSON.stringify(members))));
          assert.deepEqual(parse(rows.map(members => JSON.stringify(members)).join('\n'), jsonl), expected);
          if (!isNested || rows.length > 0) {
            assert.deepEqual(parse(JSON.stringify(isNested ? { before: 1, rows, after: ['x'] } : rows, undefined, indent), json), expected);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('reports the same for any text, for any chunks', () => {
    const parts = fc.array(fc.constantFrom('{', '}', '[', ']', '"a"', ':', ',', '1', '"', '\\', '\n', ' ', 'é', '{"a":1}'), {
      maxLength: 25,
    });
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 5 }), (pieces, size) => {
        for (const format of [json, jsonl]) {
          assert.deepEqual(readAll(pieces.join(''), format, size), readAll(pieces.join(''), format));
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});
