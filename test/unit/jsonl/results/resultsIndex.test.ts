import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ResultsIndex } from '../../../../src/jsonl/results/resultsIndex';
import { IndexMismatchError, readIndexOf } from '../../../../src/jsonl/results/resultsIndexFile';
import { joinResults } from '../../../../src/jsonl/results/resultsJoin';
import { countRows } from '../../../../src/jsonl/results/resultUsage';

const blocks = (...content: readonly object[]) => ({
  type: 'succeeded',
  message: {
    stop_reason: 'max_tokens',
    content,
    usage: { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 11, cache_creation_input_tokens: null },
  },
});

const results: readonly (readonly [string, object])[] = [
  ['long', blocks({ type: 'thinking', thinking: 'hm' }, { type: 'text', text: `Words  and\n\n"quotes" \u2028${'😀'.repeat(400)}` })],
  ['short', blocks({ type: 'text', text: 'Just this.' }, { type: 'text', text: 'Not this.' })],
  ['tool', blocks({ type: 'tool_use', input: { text: 'no' } })],
  ['bad', { type: 'errored', error: { type: 'error', error: { type: 'overloaded_error', message: 'Try  later' } } }],
  ['gone', { type: 'expired' }],
  ['far', blocks({ padding: 'x'.repeat(3_000_000) }, { text: 'Far away' })],
];

describe('jsonl/results/resultsIndex', () => {
  let folder: string;
  let joinedPath: string;
  let indexPath: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'results-index-'));
    const file = (name: string) => path.join(folder, name);
    joinedPath = file('joined');
    indexPath = file('index');
    await writeFile(
      file('lines'),
      ['short', 'none', 'long', 'bad', 'tool', 'gone', 'far', 'last'].map((id, index) => `${index * 10}\t${id}\n`).join(''),
    );
    await writeFile(
      file('raw'),
      [...results, ['stranger', { type: 'new' }] as const].map(([id, result]) => `${JSON.stringify({ custom_id: id, result })}\n`).join(''),
    );
    await joinResults(
      { rawPath: file('raw'), linesPath: file('lines'), joinedPath, indexPath },
      { throwIfAborted: () => {}, progress: () => {} },
    );
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('finds entries by ID and by line', async () => {
    const index = await ResultsIndex.open(indexPath, joinedPath);
    assert.equal(index.size, 7);
    assert.deepEqual(index.entryOfId('bad'), index.entryOfLine(30));
    const { offset: _, length: __, ...entry } = index.entryOfId('short') ?? assert.fail();
    assert.deepEqual(entry, {
      row: 0,
      customId: 'short',
      line: 0,
      status: 'cut_short',
      stopReason: 'max_tokens',
      errorType: undefined,
      inputTokens: 5,
      outputTokens: 7,
    });
    assert.equal(index.entryOfId('bad')?.errorType, 'overloaded_error');
    for (const id of ['none', 'last', 'nobody', '__proto__', '']) {
      assert.equal(index.entryOfId(id), undefined, id);
    }
    for (const line of [10, 70, 5, -1, 1e9]) {
      assert.equal(index.entryOfLine(line), undefined, String(line));
    }
    assert.deepEqual(
      [...index.entries()].map(({ customId, line }) => [customId, line]),
      [
        ['short', 0],
        ['long', 20],
        ['bad', 30],
        ['tool', 40],
        ['gone', 50],
        ['far', 60],
        ['stranger', -1],
      ],
    );
    assert.deepEqual([...index.missingIds()], ['none', 'last']);
  });

  it("reads an entry's joined line", async () => {
    const index = await ResultsIndex.open(indexPath, joinedPath);
    assert.deepEqual(JSON.parse(await index.read(index.entryOfId('bad') ?? assert.fail())), {
      custom_id: 'bad',
      line: 31,
      result: results[3]?.[1],
    });
  });

  it('shows the first words of answers, including tool calls alone, and type and message of errors', async () => {
    const index = await ResultsIndex.open(indexPath, joinedPath);
    const entries = [...index.entries()].reverse();
    const [stranger, far, gone, tool, bad, long, short] = await index.previews(entries);
    assert.deepEqual(
      [stranger, far, gone, tool, bad, short],
      ['', 'Far away', '', '{"text":"no"}', 'overloaded_error: Try later', 'Just this.'],
    );
    assert.match(long ?? '', /^Words and "quotes" 😀+…$/u);
  });

  it('reports that the joined file was replaced', async () => {
    const index = await ResultsIndex.open(indexPath, joinedPath);
    const entry = index.entryOfId('bad') ?? assert.fail();
    const text = await readFile(joinedPath, 'utf8');
    await writeFile(joinedPath, `\n${text.slice(0, -1)}`);
    await assert.rejects(ResultsIndex.open(indexPath, joinedPath), IndexMismatchError);
    await assert.rejects(index.read(entry), IndexMismatchError);
    await assert.rejects(index.previews([entry]), IndexMismatchError);
    await writeFile(joinedPath, text.slice(0, -1));
    await assert.rejects(ResultsIndex.open(indexPath, joinedPath), IndexMismatchError);
  });

  it('stores cache tokens, which an older index lacks', async () => {
    const sums = () => {
      const { rows, reasons } = readIndexOf({ joinedPath, indexPath });
      const { inputTokens, cacheReadTokens, cacheWriteTokens } = countRows(rows, reasons);
      return [inputTokens, cacheReadTokens, cacheWriteTokens];
    };
    assert.deepEqual(sums(), [20, 44, 0]);
    const bytes = await readFile(indexPath);
    // Renames a column to a name of the same length, so that the column is missing.
    const older = Buffer.from(bytes.toString('latin1').replace('"cacheReadTokens"', '"cacheReadTokenX"'), 'latin1');
    await writeFile(indexPath, older);
    assert.deepEqual(sums(), [20, 0, 0]);
  });

  it('reports a damaged index', async () => {
    const bytes = await readFile(indexPath);
    for (const damaged of [
      bytes.subarray(0, bytes.length - 8),
      bytes.subarray(0, 20),
      Buffer.alloc(0),
      Buffer.from('MARESIX1 and then something else entirely'),
    ]) {
      await writeFile(indexPath, damaged);
      await assert.rejects(ResultsIndex.open(indexPath, joinedPath), IndexMismatchError);
    }
  });
});
