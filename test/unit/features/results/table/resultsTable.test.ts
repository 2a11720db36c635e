import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resultColumns, toJsonRow, toTsvRow } from '../../../../../src/features/results/exporting/exportRows';
import { ResultsTable } from '../../../../../src/features/results/table/resultsTable';
import { joinResults } from '../../../../../src/jsonl/results/resultsJoin';
import type { ResultEntry } from '../../../../../src/jsonl/results/resultsReport';

const answer = (text: string, stop = 'end_turn') => ({
  type: 'succeeded',
  message: { stop_reason: stop, content: [{ type: 'text', text }], usage: { input_tokens: 5, output_tokens: text.length } },
});

describe('features/results/table/resultsTable', () => {
  let folder: string;
  let table: ResultsTable;
  const asked: unknown[] = [];

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'results-table-'));
    const file = (name: string) => path.join(folder, name);
    await writeFile(file('lines'), '0\ta\n1\t__proto__\n2\tc\n');
    const results = [
      ['c', { type: 'errored', error: { type: 'error', error: { type: 'api_error', message: 'No' } } }],
      ['a', answer('Hello\u202e there')],
      ['__proto__', answer('Cut', 'max_tokens')],
    ];
    await writeFile(file('raw'), results.map(([custom_id, result]) => `${JSON.stringify({ custom_id, result })}\n`).join(''));
    const joined = { joinedPath: file('joined'), indexPath: file('index') };
    const { signal } = new AbortController();
    const pass = { signal, throwIfAborted: () => {}, progress: () => {} };
    const { report } = await joinResults({ rawPath: file('raw'), linesPath: file('lines'), ...joined }, pass);
    table = await ResultsTable.open(joined, report, {
      run: async (_name, input) => {
        asked.push(input);
        return { rows: new Uint32Array([2, 0]), inputTokens: 5, outputTokens: 15 } as never;
      },
    });
  });

  after(() => rm(folder, { recursive: true }));

  it('lists all rows in file order without a thread job', async () => {
    const all = await table.arrange(' ', undefined, {});
    assert.deepEqual([all.count, all.inputTokens, all.outputTokens, asked.length], [3, 10, 15, 0]);
    assert.deepEqual(
      (await table.rows(all, 0, 50)).map(({ id, line, mark, reason, words }) => [id, line, mark, reason, words]),
      [
        ['a', 1, 'succeeded', 'end_turn', 'Hello\\u{202e} there'],
        ['__proto__', 2, 'cut_short', 'max_tokens', 'Cut'],
        ['c', 3, 'failed', 'api_error', 'api_error: No'],
      ],
    );
    assert.deepEqual(await table.rows(all, 3, 50), []);
  });

  it("returns a query's matches, with positions and rows", async () => {
    const some = await table.arrange('out>1', { by: 'id', isDescending: true }, {});
    assert.deepEqual(asked, [{ ...table.joined, query: 'out>1', sort: { by: 'id', isDescending: true } }]);
    assert.equal(table.entryAt(some, 0)?.customId, 'c');
    assert.equal(table.entryAt(some, 2), undefined);
    assert.deepEqual(
      ['a', 'c', '__proto__', 'nobody'].map(id => table.positionOf(some, id)),
      [1, 0, undefined, undefined],
    );
    assert.deepEqual([...table.rowsOf(some, [[1, 9]])], [0]);
    assert.deepEqual(
      [
        ...table.rowsOf(await table.arrange('', undefined, {}), [
          [0, 1],
          [2, 3],
        ]),
      ],
      [0, 2],
    );
  });
});

const entry: ResultEntry = {
  ...{ row: 0, customId: '=cmd|calc', line: 4, status: 'cut_short', stopReason: 'max_tokens', errorType: undefined },
  ...{ inputTokens: 12, outputTokens: 345, offset: 0, length: 10 },
};

const { names, toValues } = resultColumns;
const toTsv = (...row: Parameters<typeof toValues>) => toTsvRow(toValues(...row));

describe('features/results/table/resultsTable tableText', () => {
  it('writes rows that a spreadsheet reads as text, each on one line', () => {
    assert.equal(toTsvRow(names), 'line\tcustom_id\tstatus\tstop_reason\terror_type\tinput_tokens\toutput_tokens\tfirst_words\n');
    assert.match(toTsv(entry, ' \n=1'), /\t' {2}=1\n$/);
    assert.match(toTsv(entry, '\uff1d1'), /\t'\uff1d1\n$/);
    assert.equal(toTsv(entry, '+1\tand\r\nmore'), "5\t'=cmd|calc\tcut short\tmax_tokens\t\t12\t345\t'+1 and more\n");
  });

  it('writes rows as JSON with null for missing values', () => {
    assert.deepEqual(JSON.parse(toJsonRow(names, toValues({ ...entry, line: -1 }, 'Words'))), {
      ...{ line: null, custom_id: '=cmd|calc', status: 'cut short', stop_reason: 'max_tokens', error_type: null },
      ...{ input_tokens: 12, output_tokens: 345, first_words: 'Words' },
    });
  });
});
