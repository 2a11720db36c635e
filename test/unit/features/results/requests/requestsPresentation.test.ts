import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toRequestPair, toRequestsHead } from '../../../../../src/features/results/requests/requestsPresentation';
import { ResultsTable } from '../../../../../src/features/results/table/resultsTable';
import { checkRequestLine } from '../../../../../src/jsonl/checking/requestRules';
import type { JobContext } from '../../../../../src/jsonl/files/jobContext';
import { queryResults } from '../../../../../src/jsonl/querying/queryResults';
import { surveyResults } from '../../../../../src/jsonl/querying/surveyResults';
import { contractRules } from '../../../../../src/jsonl/rules/ruleOptions';
import { indexRequests } from '../../../../../src/jsonl/tabling/indexRequests';
import { fieldOf } from '../../../../helpers/fieldOf';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const rules = contractRules('2026-01-01');
const job: JobContext = {
  signal: new AbortController().signal,
  throwIfAborted: () => {},
  progress: () => {},
  slots: { next: () => new Uint8Array(0), emit: () => {} },
};
const params = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Ask' }] };
const lines = [
  JSON.stringify({ custom_id: 'same', params }),
  JSON.stringify({ custom_id: 'same', params: { ...params, max_tokens: undefined } }),
  JSON.stringify({ custom_id: 'well', params }),
];
const context = { translate: fillPlaceholders, locale: 'en' };

describe('features/results/requests/requestsPresentation', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'requests-shown-'));
  const joined = { joinedPath: path.join(folder, 'requests.jsonl'), indexPath: path.join(folder, 'table.index') };
  let table: ResultsTable;

  before(async () => {
    writeFileSync(joined.joinedPath, `${lines.join('\n')}\n`);
    const terms = { limits: { maxRequests: 100, maxBytes: 1e9 }, rules };
    const report = await indexRequests({ path: joined.joinedPath, indexPath: joined.indexPath, terms }, job);
    const jobs = { queryResults, surveyResults };
    table = await ResultsTable.open(
      joined,
      report,
      { run: async (name, input) => (await jobs[name as keyof typeof jobs](input as never, job)) as never },
      undefined,
      report.columns,
    );
  });

  after(() => rmSync(folder, { recursive: true }));

  it('lists rows with marks and problems, each found again despite equal IDs', async () => {
    const all = await table.arrange('', undefined, {});
    const rows = await table.rows(all, 0, 10, ['model', 'problem']);
    assert.deepEqual(
      rows.map(({ id, line, mark, words, values }) => [id, line, mark, words, values?.problem]),
      [
        ['same', 1, 'faulty', 'Ask', 'duplicate-id'],
        ['same', 2, 'faulty', 'Ask', 'missing-field, duplicate-id'],
        ['well', 3, 'fine', 'Ask', ''],
      ],
    );
    const sorted = await table.arrange('', { by: 'id', isDescending: true }, {});
    assert.deepEqual(
      rows.map(({ key = '' }) => table.positionOf(sorted, key)),
      [1, 2, 0],
    );
    assert.equal(table.positionOf(sorted, 'line 7'), undefined);
    assert.equal(table.positionOf(sorted, 'well'), undefined);
  });

  it('counts the requests with findings per rule', async () => {
    assert.deepEqual((await table.survey('', {})).problems, [
      ['duplicate-id', 2],
      ['missing-field', 1],
    ]);
    assert.deepEqual((await table.survey('problem=missing-field', {})).problems, [
      ['duplicate-id', 1],
      ['missing-field', 1],
    ]);
  });

  it('shows problems above the table, and what to do', () => {
    const problems = { name: 'problem' as const, values: ['', 'empty-text'], of: new Uint32Array([0, 1, 1]) };
    const report = { rows: 3, inputTokens: 1, outputTokens: 1, withErrors: 1, withWarnings: 1, columns: [problems] };
    const facts = { name: 'a.jsonl', relativePath: 'a.jsonl', report, problem: undefined, isDirty: false };
    const headOf = (change: Partial<Parameters<typeof toRequestsHead>[0]>) => toRequestsHead({ ...facts, ...change }, context.translate);
    const head = headOf({ relativePath: 'in/a.jsonl', isDirty: true });
    assert.deepEqual(head.facts, ['in/a.jsonl']);
    assert.deepEqual(head.acts, ['createBatch', 'fix', 'openRequests']);
    assert.deepEqual(
      head.chips.map(({ label, count }) => `${label} ${count}`),
      ['All 3', 'With problems 2', 'Errors 1', 'Warnings 1', 'No problems 1'],
    );
    assert.equal(head.notices[0]?.act?.act, 'save');
    const well = headOf({ report: { ...report, withErrors: 0, withWarnings: 0 } });
    assert.deepEqual([well.facts, well.notices, well.acts], [[], [], ['createBatch', 'openRequests']]);
    const columns = [{ name: 'problem' as const, values: ['', 'not-a-request'], of: new Uint32Array([1, 1, 1]) }];
    const log = headOf({ report: { ...report, withErrors: 3, withWarnings: 0, columns } });
    assert.deepEqual([log.facts, log.acts], [['No requests'], ['openRequests']]);
    const gone = headOf({ report: undefined, problem: 'gone' });
    assert.deepEqual([gone.isReady, gone.acts, gone.notices.map(({ text }) => text)], [false, [], ['File not found.']]);
  });

  it('shows a request with its problems, including those of other lines, and an invalid line unchanged', () => {
    const line = lines[1] ?? '';
    const { problems } = checkRequestLine(line, 1, rules);
    const { request, answer } = toRequestPair(line, problems, ['missing-field', 'duplicate-id'], context);
    assert.ok(request.parts.some(({ text }) => text === 'Ask'));
    assert.deepEqual(fieldOf(answer.parts, 'title'), ['missing-field', 'duplicate-id']);
    const old = JSON.stringify({
      custom_id: 'old',
      params: { model: 'vendor-sonnet-5', temperature: 3, messages: [{ role: 'user', content: 'Ask' }] },
    });
    const titles = toRequestPair(old, checkRequestLine(old, 1, rules).problems, [], context).answer.parts.map(({ title }) => title);
    assert.deepEqual(titles, ['missing-field', 'number-out-of-range', 'sampling-rejected', 'deprecated-field'], 'the worst first');
    assert.equal(toRequestPair(lines[2] ?? '', [], [], context).answer.notice, 'No problems');
    assert.deepEqual(toRequestPair('{"custom_id":', [], ['json-syntax'], context).request.parts, [{ form: 'code', text: '{"custom_id":' }]);
  });
});
