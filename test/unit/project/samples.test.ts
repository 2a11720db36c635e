import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { detectFileFormat } from '../../../src/jsonl/building/rowsFormat';
import { createJsonlJobs } from '../../../src/jsonl/jobs/jobs';
import { contractRules } from '../../../src/jsonl/rules/ruleOptions';

describe('project/samples', () => {
  const jobs = createJsonlJobs({ threadFile: path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js') });
  const check = (name: string) =>
    jobs.checkFile(path.join('media/samples', name), { limits: { maxRequests: 100_000, maxBytes: 268_435_456 }, rules: contractRules() });

  it('questions.jsonl contains twelve whole requests without a problem', async () => {
    const report = await check('questions.jsonl');
    assert.deepEqual(report.problems, []);
    assert.deepEqual([report.requestCount, report.bareCount], [12, 0]);
  });

  it('bare-params.jsonl contains six bare requests without an error', async () => {
    const report = await check('bare-params.jsonl');
    assert.equal(report.problemCounts.error, 0);
    assert.deepEqual([report.requestCount, report.bareCount], [6, 6]);
  });

  it('with-problems.jsonl has an error on every line that says so, and on no other', async () => {
    const report = await check('with-problems.jsonl');
    const lines = new Set(report.problems.filter(({ severity }) => severity === 'error').map(({ line }) => line));
    assert.deepEqual(
      [...lines].sort((a, b) => a - b),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
  });

  it('reviews.csv and its template create six requests without a problem', async () => {
    const rowsPath = 'media/samples/reviews.csv';
    const { format } = detectFileFormat(rowsPath);
    const columns = (await jobs.run('surveyRows', { path: rowsPath, format })).columns.map(({ name }) => name);
    const template = readFileSync('media/samples/reviews.batch-template.json', 'utf8');
    const report = await jobs.run('buildRequests', { rowsPath, format, columns, template, rules: contractRules() });
    assert.deepEqual([report.requestCount, report.skippedRows, report.problems], [6, 0, []]);
  });
});
