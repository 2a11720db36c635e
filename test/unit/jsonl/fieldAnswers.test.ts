import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toDiffTexts } from '../../../src/features/results/comparing/comparePresentation';
import { toAnswerDocument, toAnswerSide, toAnswerWords } from '../../../src/features/results/table/pairPresentation';
import { ResultsTable } from '../../../src/features/results/table/resultsTable';
import { contractLimits } from '../../../src/jsonl/checking/batchRules';
import { compareResults } from '../../../src/jsonl/comparing/compareResults';
import { judgeResults } from '../../../src/jsonl/expecting/judgeResults';
import { exportResults } from '../../../src/jsonl/exporting/exportResults';
import { type QuerySource, queryResults } from '../../../src/jsonl/querying/queryResults';
import { readColumns } from '../../../src/jsonl/querying/readColumns';
import type { ValueColumnName } from '../../../src/jsonl/querying/valueColumns';
import type { JoinedResults } from '../../../src/jsonl/results/joinedResults';
import { joinResults } from '../../../src/jsonl/results/resultsJoin';
import { contractRules } from '../../../src/jsonl/rules/ruleOptions';
import { indexRequests } from '../../../src/jsonl/tabling/indexRequests';
import { englishWords } from './exporting/englishWords';
import { quiet } from './querying/joinedFile';

const fixture = (name: string) => path.join('test/fixtures/answers', name);

describe('jsonl: answers from bug reports', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'answers-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const join = async (name: string): Promise<JoinedResults> => {
    const joined = { joinedPath: path.join(folder, `${name}.joined`), indexPath: path.join(folder, `${name}.index`) };
    await joinResults({ rawPath: fixture(name), ...joined }, quiet);
    return joined;
  };
  const ask = async (joined: JoinedResults, query: string, more: Partial<QuerySource> = {}) =>
    Array.from((await queryResults({ ...joined, query, ...more }, quiet)).rows);
  const read = (joined: JoinedResults, ...names: ValueColumnName[]) =>
    readColumns({ ...joined, names }, quiet).map(({ values, of }) => Array.from(of, place => values[place]));
  const judge = (joined: JoinedResults, expectations: string) => {
    const { groups, groupOf } = judgeResults({ ...joined, expectationsPath: fixture(expectations) }, quiet);
    return Array.from(groupOf, group => groups[group]?.check ?? 'passed');
  };
  const exported = async (joined: JoinedResults, format: 'csv' | 'markdown' | 'json') => {
    const outPath = path.join(folder, 'out');
    await exportResults({ ...joined, format, outPath, words: englishWords }, quiet);
    return await readFile(outPath, 'utf8');
  };

  it('reads the JSON of an answer in one way: table, tests and comparison', async () => {
    const joined = await join('08-judge.results.jsonl');
    assert.equal((await ask(joined, '$.score=4')).length, 7);
    assert.deepEqual(judge(joined, '08-judge.expect.jsonl'), Array(7).fill('passed'));
    assert.deepEqual(judge(joined, '08-judge-equals.expect.jsonl'), Array(7).fill('passed'));
    const text = (row: number) => readFile(joined.joinedPath, 'utf8').then(all => all.split('\n')[row] ?? '');
    for (let row = 1; row < 7; row++) {
      const { before, after, ending } = toDiffTexts(await text(0), await text(row));
      assert.deepEqual([ending, before], ['json', after]);
    }
  });

  it('shows, filters and sorts numbers with their original digits', async () => {
    const joined = await join('21-ids.results.jsonl');
    assert.deepEqual(read(joined, '$.account', '$.share', '$.n'), [
      ['9007199254740993', '9007199254740992', '9007199254740993'],
      ['0.10', '1e400', ''],
      ['1.0', '1', ''],
    ]);
    assert.deepEqual(await ask(joined, '$.account=9007199254740993'), [0, 2]);
    assert.deepEqual(await ask(joined, '$.account>9007199254740992'), [0, 2]);
    assert.deepEqual(await ask(joined, '$.account<9007199254740993'), [1]);
    assert.deepEqual(await ask(joined, '$.share=0.1'), [0]);
    assert.deepEqual(await ask(joined, '$.share=2e400'), []);
    assert.deepEqual(await ask(joined, '$.share<2e400'), [0, 1]);
    assert.deepEqual(await ask(joined, '$.n=1'), [0, 1]);
    const sorted = (by: ValueColumnName, isDescending: boolean) => ask(joined, '', { sort: { by, isDescending } });
    assert.deepEqual(await sorted('$.account', false), [1, 0, 2]);
    assert.deepEqual(await sorted('$.account', true), [0, 2, 1]);
    assert.deepEqual(await sorted('$.n', false), [0, 1, 2], '1.0 and 1 stay as they stand in the file');
    assert.deepEqual(await ask(joined, 'text~9007199254740993'), [0, 2]);
  });

  it('tests numbers by their exact value', async () => {
    assert.deepEqual(judge(await join('21-ids.results.jsonl'), '21-ids.expect.jsonl'), ['equals', 'passed', 'passed']);
    assert.deepEqual(judge(await join('21-ids-after.results.jsonl'), '21-ids.expect.jsonl'), ['passed', 'passed', 'contains']);
  });

  it('compares numbers by their exact value', async () => {
    const [before, after] = [await join('21-ids.results.jsonl'), await join('21-ids-after.results.jsonl')];
    const { counts } = await compareResults({ before, after }, quiet);
    assert.deepEqual([counts.changed, counts.same], [3, 0]);
    const { counts: self } = await compareResults({ before, after: before }, quiet);
    assert.deepEqual([self.changed, self.same], [0, 3]);
  });

  it('exports and shows numbers with their original digits', async () => {
    const joined = await join('21-ids.results.jsonl');
    for (const format of ['csv', 'markdown', 'json'] as const) {
      const text = await exported(joined, format);
      assert.equal(text.match(/9007199254740993/g)?.length, 2, format);
      assert.match(text, /0\.10[\s\S]*1\.0/, format);
      assert.match(text, /1e400/, format);
    }
    const [, , tool = ''] = (await readFile(joined.joinedPath, 'utf8')).split('\n');
    const translate = (template: string, ...args: readonly unknown[]) => template.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)]));
    for (const text of [
      toAnswerSide(tool, { translate }).parts[0]?.text,
      toAnswerDocument(tool, translate).text,
      toAnswerWords(tool),
      toDiffTexts(tool, tool).before,
    ]) {
      assert.match(text ?? '', /"account":\s?9007199254740993\b/);
    }
  });

  it('exports signed numbers as numbers', async () => {
    const lines = (await exported(await join('22-signed.results.jsonl'), 'csv')).trimEnd().split('\r\n').slice(1);
    assert.deepEqual(
      lines.map(line => line.slice(line.lastIndexOf(',') + 1)),
      ['-1', '0.5', '-0.25', '+1', '"\'- first point\n- second point"'],
    );
  });

  it('searches complete values, and sorts by them', async () => {
    const joined = await join('21-long-value.results.jsonl');
    const columns = readColumns({ ...joined, names: ['$.summary', '$.label'] }, quiet);
    for (const known of [{}, { columns }]) {
      assert.deepEqual(await ask(joined, '$.summary~refund', known), [0]);
      assert.deepEqual(await ask(joined, `$.label="${'y'.repeat(199)}C${'z'.repeat(20)}"`, known), [2]);
      assert.deepEqual(await ask(joined, '', { ...known, sort: { by: '$.label', isDescending: true } }), [2, 1, 0]);
    }
    assert.ok(
      columns.every(({ values }) => values.every(({ length }) => length <= 200)),
      'only what is shown is cut',
    );
  });

  it('searches complete requests', async () => {
    const requests = fixture('27-long-prompts.requests.jsonl');
    const indexPath = path.join(folder, 'requests.index');
    const terms = { limits: contractLimits, rules: contractRules() };
    await indexRequests(
      { path: requests, indexPath, terms },
      { ...quiet, signal: new AbortController().signal, slots: { next: () => new Uint8Array(0), emit: () => {} } },
    );
    const joined = { joinedPath: requests, indexPath };
    assert.deepEqual(await ask(joined, '$.params.system~refund'), [3]);
    assert.deepEqual(await ask(joined, '$.params.messages.0.content~refund'), [0, 1]);
    assert.deepEqual(await ask(joined, 'text~refund'), [0, 1, 3]);
    assert.deepEqual(await ask(joined, 'refund'), [0, 1, 3]);
  });

  it('shows first words of answers with only tool calls', async () => {
    const joined = await join('21-ids.results.jsonl');
    const jobs = { run: () => assert.fail() };
    const table = await ResultsTable.open(joined, { inputTokens: 0, outputTokens: 0 }, jobs as never);
    const rows = await table.rows({ rows: undefined, count: 3, inputTokens: 0, outputTokens: 0, query: '' }, 0, 3);
    assert.equal(rows[2]?.words, '{"account":9007199254740993}');
  });
});
