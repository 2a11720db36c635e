import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { checkBatchFile } from '../../../../src/jsonl/checking/batchFile';
import type { JobContext } from '../../../../src/jsonl/files/jobContext';
import { type QuerySource, queryResults } from '../../../../src/jsonl/querying/queryResults';
import { readColumns } from '../../../../src/jsonl/querying/readColumns';
import { surveyResults } from '../../../../src/jsonl/querying/surveyResults';
import { ResultsIndex } from '../../../../src/jsonl/results/resultsIndex';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { indexRequests, writeRows } from '../../../../src/jsonl/tabling/indexRequests';
import { runs } from '../../../helpers/runs';
import { requestLine } from '../requestLines';

const terms = { limits: { maxRequests: 100_000, maxBytes: 1_000_000_000 }, rules: contractRules('2026-01-01') };
const context: JobContext = {
  signal: new AbortController().signal,
  throwIfAborted: () => {},
  progress: () => {},
  slots: { next: () => new Uint8Array(0), emit: () => {} },
};
const params = (text: string, more: object = {}) => ({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: text }], ...more });
const request = (id: string, text: string, more?: object) => JSON.stringify({ custom_id: id, params: params(text, more) });

describe('jsonl/tabling/indexRequests', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'request-table-'));
  const file = path.join(folder, 'requests.jsonl');
  const joined = { joinedPath: file, indexPath: path.join(folder, 'table.index') };
  after(() => rmSync(folder, { recursive: true }));

  async function index(content: string | Uint8Array) {
    writeFileSync(file, content);
    const report = await indexRequests({ path: file, indexPath: joined.indexPath, terms }, context);
    const ask = async (query: string, sort?: QuerySource['sort']) => {
      const { rows } = await queryResults({ ...joined, columns: report.columns, query, ...(sort && { sort }) }, context);
      return [...rows];
    };
    return { report, ask, table: await ResultsIndex.open(joined.indexPath, file) };
  }

  const mixed = [
    request('eval-10', 'First words\\n of the prompt', { model: 'small' }),
    '',
    JSON.stringify(params('No id of its own')),
    '{"custom_id":"broken","params":{',
    request('eval-9', 'Same id', { max_tokens: 4000 }),
    request('eval-9', 'Same id again', { model: 'small', temperature: 3 }),
    JSON.stringify({
      custom_id: 'blocks',
      params: params('', {
        system: 'Be brief',
        messages: [{ role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'Look' }] }],
      }),
    }),
  ].join('\n');

  it('has a row for every line with text: ID, line, model, tokens, first words and problems', async () => {
    const { report, table } = await index(mixed);
    const rows = [...table.entries()];
    assert.deepEqual(
      rows.map(({ customId, line }) => [customId, line]),
      [
        ['eval-10', 0],
        ['line-3', 2],
        ['', 3],
        ['eval-9', 4],
        ['eval-9', 5],
        ['blocks', 6],
      ],
    );
    const valuesIn = (name: string) => {
      const column = report.columns.find(one => one.name === name);
      return rows.map(({ row }) => column?.values[column.of[row] ?? 0]);
    };
    assert.deepEqual(valuesIn('model'), ['small', 'm', '', 'm', 'small', 'm']);
    const problems = valuesIn('problem');
    assert.match(problems[2] ?? '', /json/);
    assert.equal(problems[3], 'duplicate-id');
    assert.match(problems[4] ?? '', /duplicate-id/);
    assert.deepEqual(
      rows.map(({ outputTokens }) => outputTokens),
      [10, 10, 0, 4000, 10, 10],
    );
    assert.ok((rows[5]?.inputTokens ?? 0) > 3);
    assert.equal(
      report.inputTokens,
      rows.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    );
    assert.equal(report.outputTokens, 4040);
    assert.deepEqual(await table.previews(rows), [
      'First words\\n of the prompt',
      'No id of its own',
      '',
      'Same id',
      'Same id again',
      'Look',
    ]);
    assert.equal(await table.read(rows[2] as (typeof rows)[0]), '{"custom_id":"broken","params":{');
    assert.equal(report.withErrors, valuesIn('severity').filter(severity => severity === 'error').length);
  });

  it('finds rows by text, model, problems and numbers, and rejects fields of answers', async () => {
    const { ask } = await index(mixed);
    assert.deepEqual(await ask('text~"same ID"'), [3, 4]);
    assert.deepEqual(await ask('brief'), [5]);
    assert.deepEqual(await ask('model=small'), [0, 4]);
    assert.deepEqual(await ask('problem=duplicate-id'), [3, 4]);
    assert.deepEqual(await ask('problem=any model=small'), [4]);
    assert.deepEqual(await ask('problem=none'), [0, 1]);
    assert.deepEqual(await ask('severity=error'), await ask('not severity=warning,information,hint,none'));
    assert.deepEqual(await ask('out>=4000'), [3]);
    assert.deepEqual(await ask('max_tokens:4000'), [3]);
    assert.deepEqual(await ask('line=3'), [1]);
    assert.deepEqual(await ask('id=eval-9'), [3, 4]);
    await assert.rejects(ask('state=errored'), /Unknown field/);
  });

  it('keeps the order of rows with equal IDs, in either direction', async () => {
    const lines = ['b-2', 'a', 'b-10', 'a', 'b-2', 'a'].map(id => request(id, 'x'));
    const { ask } = await index(`${lines.join('\n')}\n`);
    assert.deepEqual(await ask('', { by: 'id', isDescending: false }), [1, 3, 5, 0, 4, 2]);
    assert.deepEqual(await ask('', { by: 'id', isDescending: true }), [2, 0, 4, 1, 3, 5]);
    assert.deepEqual(await ask('', { by: 'problem', isDescending: false }), [0, 1, 3, 4, 5, 2]);
  });

  it('reads values of requests by path, and surveys their fields', async () => {
    const { report } = await index(mixed);
    const [column] = readColumns({ ...joined, names: ['$.params.temperature'] }, context);
    assert.deepEqual(
      Array.from(column?.of ?? [], value => column?.values[value]),
      ['', '', '', '', '3', ''],
    );
    const survey = await surveyResults({ ...joined, columns: report.columns }, context);
    assert.deepEqual(
      survey.models.map(({ model, rows }) => [model, rows]),
      [
        ['m', 3],
        ['small', 2],
      ],
    );
    assert.equal(new Map(survey.problems).get('duplicate-id'), 2);
    assert.deepEqual(survey.clusters, []);
  });

  it('reports for each line what a check of the whole file reports', async () => {
    const ofFile = ['no-requests', 'no-last-newline', 'carriage-returns', 'byte-order-mark', 'blank-line', 'too-many-requests'];
    const line = fc.oneof(
      requestLine,
      fc.constantFrom('', ' ', '{', '"x"', request('a', 'x'), request('line-2', 'x'), JSON.stringify(params('x')), '\ufeff{}'),
      fc.constantFrom(1, 2, 3).map(id => request(`line-${id}`, 'x', { stream: true })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.boolean(), async (lines, endsWell) => {
        const { report, table } = await index(lines.join('\n') + (endsWell ? '\n' : ''));
        const checked = (await checkBatchFile(file, { ...terms, mostProblems: 1000 }, context)).report;
        const column = report.columns.find(({ name }) => name === 'problem');
        for (const { row, line: at } of table.entries()) {
          const said = new Set(
            checked.problems.filter(problem => problem.line === at && !ofFile.includes(problem.rule)).map(({ rule }) => rule),
          );
          const shown = (column?.values[column.of[row] ?? 0] ?? '').split(', ').filter(rule => rule !== '');
          assert.deepEqual(shown.sort(), [...said].sort(), `line ${at}`);
        }
        assert.ok(table.size >= checked.requestCount);
      }),
      { numRuns: runs(500) },
    );
  });

  it('writes rows unchanged, and notices a replaced file', async () => {
    const { table } = await index(mixed);
    const outPath = path.join(folder, 'some.jsonl');
    const rows = new Uint32Array(new SharedArrayBuffer(8));
    rows.set([3, 0]);
    assert.deepEqual(await writeRows({ path: file, indexPath: joined.indexPath, rows, outPath }, context), { written: 2 });
    assert.equal(readFileSync(outPath, 'utf8'), `${mixed.split('\n')[4]}\n${mixed.split('\n')[0]}\n`);
    appendFileSync(file, '\n');
    await assert.rejects(writeRows({ path: file, indexPath: joined.indexPath, rows, outPath }, context), { name: 'IndexMismatchError' });
    assert.equal(table.size, 6);
  });

  it('reads files without a line', async () => {
    const { report, ask, table } = await index('');
    assert.deepEqual([report.rows, table.size, await ask('')], [0, 0, []]);
  });
});
