import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatText } from '../../../../src/contract/problem';
import type { RowsFormat } from '../../../../src/jsonl/building/rowsReport';
import { runs } from '../../../helpers/runs';
import { readAll } from './rows';

const csv = (delimiter = ',', hasHeader = true): RowsFormat => ({ kind: 'csv', delimiter, hasHeader });

/** Returns the cells of all rows as text. */
function cells(text: string | Uint8Array, format = csv()): string[][] {
  return readAll(text, format).rows.map(([, , members]) => Object.values(members).map(json => JSON.parse(json)));
}

describe('jsonl/building/csvRows', () => {
  it('reads cells as in RFC 4180', () => {
    const table: readonly (readonly [string, string[][]])[] = [
      ['a,b\n1,2\n', [['1', '2']]],
      ['a,b\r\n1,2\r\n', [['1', '2']]],
      ['a,b\n1,2', [['1', '2']]],
      ['\ufeffa,b\n1,2', [['1', '2']]],
      ['a,b\n"1","2"', [['1', '2']]],
      ['a,b\n"x,y","line\nbreak\r\nand more"\n', [['x,y', 'line\nbreak\r\nand more']]],
      ['a,b\n"say ""hi""",""""\n', [['say "hi"', '"']]],
      [
        'a,b\n,\n"",""\n',
        [
          ['', ''],
          ['', ''],
        ],
      ],
      [
        'a,b\n\n1,2\n\r\n\n3,4\n\n',
        [
          ['1', '2'],
          ['3', '4'],
        ],
      ],
      ['a\n""\n\nx\n', [[''], ['x']]],
      ['a,b\n 1 , "2"\n', [[' 1 ', ' "2"']]],
      ['a,b\n5" disk,2\n', [['5" disk', '2']]],
      ['a,b\n1,x\ry\n', [['1', 'x\ry']]],
      [
        'a,b\r1,"one\ntwo\r"\r\r3,4\r',
        [
          ['1', 'one\ntwo\r'],
          ['3', '4'],
        ],
      ],
      ['"a","b\nc"\r1,2', [['1', '2']]],
      ['a,b\n\u2028,\u{1f600} é\n', [['\u2028', '\u{1f600} é']]],
      ['a,b\n1,"2"', [['1', '2']]],
      ['"a","b ""c"""\n1,2', [['1', '2']]],
      ['a,b', []],
      ['', []],
    ];
    for (const [text, expected] of table) {
      assert.deepEqual(cells(text), expected, JSON.stringify(text));
      const { problems, stop } = readAll(text, csv());
      assert.deepEqual([problems, stop], [[], undefined], JSON.stringify(text));
    }
  });

  it("reads other delimiters, a file without a header, and Excel's delimiter line", () => {
    assert.deepEqual(cells('a;b\n1,5;"2;"\n', csv(';')), [['1,5', '2;']]);
    assert.deepEqual(cells('a\tb\n1\t2\n', csv('\t')), [['1', '2']]);
    assert.deepEqual(cells('a|b\n1|2\n', csv('|')), [['1', '2']]);
    assert.deepEqual(cells('sep=;\r\na;b\r\n1;2\r\n', csv(';')), [['1', '2']]);
    assert.deepEqual(cells('sep=;\ra;b\r1;2\r', csv(';')), [['1', '2']]);
    assert.deepEqual(readAll('1,2\n3,4\n', csv(',', false)).rows[1], [2, 1, { column1: '"3"', column2: '"4"' }]);
  });

  it('gives each column a unique name and reports generated ones', () => {
    const { rows, problems } = readAll('a,, a,"a "\n1,2,3,4\n', csv());
    assert.deepEqual(Object.keys(rows[0]?.[2] ?? {}), ['a', 'column2', 'a_2', 'a_3']);
    assert.equal(problems.length, 3);
  });

  it('reports rows with too few and too many cells, with their line', () => {
    const { rows, problems } = readAll('a,b\n"x\ny",2\n3\n4,5,6\n', csv());
    assert.deepEqual(rows, [
      [1, 1, { a: '"x\\ny"', b: '"2"' }],
      [2, 3, { a: '"3"' }],
      [3, 4, { a: '"4"', b: '"5"' }],
    ]);
    assert.deepEqual(
      problems.map(({ row, line, text }) => [row, line, formatText(text)]),
      [
        [2, 3, 'Cells in the row: 1. Columns: 2.'],
        [3, 4, 'Cells in the row: 3. Columns: 2.'],
      ],
    );
  });

  it('reports the line of a row in a file whose lines end with CR', () => {
    const { rows, problems } = readAll('a,b\r"x\ry",2\r3\r', csv());
    assert.deepEqual(
      rows.map(([number, line]) => [number, line]),
      [
        [1, 1],
        [2, 3],
      ],
    );
    assert.deepEqual(
      problems.map(({ line }) => line),
      [3],
    );
  });

  it('reports text after a closing quotation mark', () => {
    const { rows, problems } = readAll('a,b\n"x"y,"2" \n', csv());
    assert.deepEqual(rows[0]?.[2], { a: '"xy"', b: '"2 "' });
    assert.deepEqual(
      problems.map(({ row, severity }) => [row, severity]),
      [[1, 'warning']],
    );
  });

  it('stops at an unclosed quotation mark, and reports its position', () => {
    const { rows, stop } = readAll('a,b\n1,2\n\n3,"4\n5,6\n', csv());
    assert.equal(rows.length, 1);
    assert.equal(stop?.line, 3);
  });

  it("stops at bytes that aren't UTF-8, and reports the line", () => {
    const bytes = Buffer.concat([Buffer.from('a,b\n1,2\né,3\n'), Buffer.from([0x66, 0xfc, 0x72, 0x0a])]);
    for (const size of [1, 3, 100]) {
      const { stop } = readAll(bytes, csv(), size);
      assert.equal(stop?.line, 3, `${size}`);
      assert.match(stop?.text.template ?? '', /as UTF-8/);
    }
    assert.match(readAll(Buffer.from('\ufeffa,b\n', 'utf16le'), csv()).stop?.text.template ?? '', /as UTF-8/);
    assert.equal(readAll(Buffer.from([0x61, 0x0a, 0xe2, 0x82]), csv()).stop?.line, 1);
  });

  it('returns the cells of any table, for any chunks', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 6, unit: 'grapheme' }).filter(text => !/\p{Cs}/u.test(text)),
      fc.constantFrom('', '"', '""', ',', ';', '\n', '\r\n', '\r', 'x"', ' ', '\ufeff', '\u2028', '😀'),
    );
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 4 })
          .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 })),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        (table, delimiter, lineBreak, isTerminated, size) => {
          const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const text = table.map(row => row.map(quote).join(delimiter)).join(lineBreak) + (isTerminated ? lineBreak : '');
          const whole = readAll(text, csv(delimiter, false));
          assert.deepEqual(
            whole.rows.map(([, , members]) => Object.values(members).map(json => JSON.parse(json))),
            table,
          );
          assert.deepEqual(readAll(text, csv(delimiter, false), size), whole);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('reports the same for any text, for any chunks', () => {
    const text = fc
      .array(fc.constantFrom('a', '1', '"', '""', ',', '\n', '\r', '\r\n', 'é', '😀', ' '), { maxLength: 40 })
      .map(parts => parts.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 7 }), (content, size) => {
        assert.deepEqual(readAll(content, csv(), size), readAll(content, csv()));
      }),
      { numRuns: runs(1000) },
    );
  });
});
