import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { detectFileFormat, detectFormat, readRows } from '../../../../src/jsonl/building/rowsFormat';
import type { RowsSurvey } from '../../../../src/jsonl/building/rowsReport';
import { surveyRows } from '../../../../src/jsonl/building/surveyRows';
import type { TextSource } from '../../../../src/jsonl/reading/textFile';

const quiet = { throwIfAborted: () => {}, progress: () => {} };

describe('jsonl/building/surveyRows', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'survey-'));
  after(() => rmSync(folder, { recursive: true }));

  function survey(name: string, text: string, random?: () => number): RowsSurvey {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return surveyRows({ path: file, format: detectFileFormat(file).format }, quiet, random);
  }

  it('returns columns, row count, and the first and last rows', () => {
    const found = survey('a.csv', 'id,q,note\na,One,\nb,Two,x\nc,Three,\n');
    assert.equal(found.rowCount, 3);
    assert.deepEqual(found.columns, [
      { name: 'id', filled: 3, isId: true },
      { name: 'q', filled: 3, isId: true },
      { name: 'note', filled: 1, isId: false },
    ]);
    assert.deepEqual(found.first, { number: 1, line: 1, values: new Map(Object.entries({ id: '"a"', q: '"One"', note: '""' })) });
    assert.deepEqual(found.last, { number: 3, line: 3, values: new Map(Object.entries({ id: '"c"', q: '"Three"', note: '""' })) });
    assert.equal(found.random.length, 3);
  });

  it('collects the keys of JSON rows, and columns that suit as IDs', () => {
    const found = survey('a.jsonl', '{"n":1,"x":"a","b":true}\n{"n":2,"x":"a","y":"late"}\n');
    assert.deepEqual(found.columns, [
      { name: 'n', filled: 2, isId: true },
      { name: 'x', filled: 2, isId: false },
      { name: 'b', filled: 1, isId: false },
      { name: 'y', filled: 1, isId: false },
    ]);
    assert.equal(found.last?.values.get('y'), '"late"');
  });

  it('keeps random rows from everywhere', () => {
    let state = 1;
    const random = () => {
      state = (state * 16_807) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const found = survey('many.csv', `n\n${Array.from({ length: 10_000 }, (_, index) => index).join('\n')}\n`, random);
    assert.equal(found.random.length, 20);
    const numbers = found.random.map(({ number }) => number);
    assert.equal(new Set(numbers).size, 20);
    assert.ok(Math.min(...numbers) < 3000 && Math.max(...numbers) > 7000, numbers.join());
  });

  it('reports where reading stopped', () => {
    const found = survey('cut.json', '[{"a":1},{"a":2}\n,{"a":');
    assert.deepEqual([found.rowCount, found.stop?.line], [2, 1]);
  });

  it('detects formats by name and content', () => {
    const table: readonly (readonly [string, string, string, boolean])[] = [
      ['a.csv', 'a,b\n1,2\n', ',', true],
      ['a.csv', 'a;b\n1,5;2\n', ';', true],
      ['a.csv', 'a\tb\n1\t2', '\t', true],
      ['a.tsv', 'a\tb,c\n1\t2,3', '\t', true],
      ['a.csv', 'a,b;c\n1,2;3\n', ',', false],
      ['a.csv', 'a,b\n"x;y\n;",2\n', ',', true],
      ['a.csv', 'sep=|\na|b\n', '|', true],
      ['a.csv', 'only\nx\n', ',', true],
      ['a.txt', 'a|b\n1|2\n', '|', true],
      ['a.jsonl', '{"a":1}', 'jsonl', true],
      ['a.json', '\n[{"a":1}]', 'json', true],
      ['a.json', '{"rows":[{"a":1}]}\n', 'json', true],
      ['a.json', '{"a":1}\n{"a":2}\n', 'jsonl', true],
      ['a.json', '{\n"rows":[]}', 'json', true],
      ['data', '{"a":1}\n{"a":2}\n', 'jsonl', true],
    ];
    for (const [name, text, expected, isSure] of table) {
      const found = detectFormat(name, text);
      assert.deepEqual([found.format.kind === 'csv' ? found.format.delimiter : found.format.kind, found.isSure], [expected, isSure], text);
    }
  });

  it('holds at most a few chunks of a file of any length', () => {
    for (const [format, row] of [
      [{ kind: 'csv', delimiter: ',', hasHeader: true }, () => `${'x'.repeat(500)},"${'y'.repeat(500)}"\n`],
      [{ kind: 'jsonl' }, () => `{"a":"${'x'.repeat(1000)}"}\n`],
      [{ kind: 'json' }, (index: number) => `${index === 0 ? '[' : ','}{"a":"${'x'.repeat(1000)}"}\n`],
    ] as const) {
      const wanted: number[] = [];
      let rows = 0;
      let index = 0;
      const source: TextSource = {
        read: length => {
          wanted.push(length);
          const isDone = index === 20_000;
          const lines = isDone ? [] : Array.from({ length: 500 }, () => row(index++));
          return lines.join('') + (format.kind === 'json' && index === 20_000 && !isDone ? ']' : '');
        },
      };
      for (const _ of readRows(source, format, () => {})) {
        rows++;
      }
      assert.ok(rows >= 19_999, `${rows}`);
      // Reads grow with the unread text, so a maximum of 512 KiB shows that little text is buffered.
      assert.ok(Math.max(...wanted) <= 512 * 1024, `${Math.max(...wanted)}`);
    }
  });
});
