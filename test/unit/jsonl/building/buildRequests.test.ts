import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildSource, buildRequests } from '../../../../src/jsonl/building/buildRequests';
import { detectFileFormat } from '../../../../src/jsonl/building/rowsFormat';
import { surveyRows } from '../../../../src/jsonl/building/surveyRows';
import { createJsonlJobs } from '../../../../src/jsonl/jobs/jobs';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { until } from '../../../helpers/until';

const quiet = { throwIfAborted: () => {}, progress: () => {} };
const rules = contractRules('2026-01-01');
const template = (content: string, more = '') =>
  `{"custom_id":"{{id}}","params":{"model":"vendor-sonnet-5","max_tokens":64${more},"messages":[{"role":"user","content":"${content}"}]}}`;

describe('jsonl/building/buildRequests', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'building-'));
  const rowsPath = path.join(folder, 'rows.csv');
  const outPath = path.join(folder, 'out.jsonl');
  const jobs = createJsonlJobs({ threadFile: path.join(process.env.TEST_BUILD ?? '', 'jsonlThread.js') });
  after(() => rmSync(folder, { recursive: true }));

  /** Writes rows to disk. Returns the input for building requests from these rows. */
  function source(rows: string, text: string): BuildSource {
    writeFileSync(rowsPath, rows);
    const { format } = detectFileFormat(rowsPath);
    const columns = surveyRows({ path: rowsPath, format }, quiet).columns.map(({ name }) => name);
    return { rowsPath, format, columns, template: text, rules, outPath };
  }

  it('writes a line for each row and reports success', async () => {
    const report = await buildRequests(source('id,q\na,"One\ntwo"\nb,Three\n', template('{{q}}')), quiet);
    const lines = readFileSync(outPath, 'utf8').split('\n');
    assert.equal(lines.length, 3);
    assert.deepEqual(JSON.parse(lines[0] ?? '').params.messages, [{ role: 'user', content: 'One\ntwo' }]);
    assert.deepEqual(report, {
      rowCount: 2,
      requestCount: 2,
      skippedRows: 0,
      badRequests: 0,
      bytes: readFileSync(outPath).length,
      problems: [],
      stop: undefined,
    });
  });

  it('reads rows whose lines end with CR', async () => {
    const rows = readFileSync('test/fixtures/answers/23-cr-only.csv', 'utf8');
    assert.doesNotMatch(rows, /\n/);
    const input = source(rows, readFileSync('test/fixtures/answers/23-cr-only.batch-template.json', 'utf8'));
    assert.deepEqual([input.format, input.columns], [{ kind: 'csv', delimiter: ',', hasHeader: true }, ['id', 'text']]);
    assert.equal((await buildRequests(input, quiet)).requestCount, 3);
    const built = readFileSync(outPath, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    assert.deepEqual(
      built.map(({ custom_id, params }) => [custom_id, params.messages[0].content]),
      [
        ['r-1', 'one'],
        ['r-2', 'two'],
        ['r-3', 'three'],
      ],
    );
  });

  it('leaves out incomplete rows, counts problems by kind, and names the rows', async () => {
    const rows = 'id,q,n\na b,x,1\nc,x,"2"\n\nc,x,many\nd\nc,x,1\n';
    const report = await buildRequests(
      source(rows, template('{{q}}', ',"top_k":"{{n|json?}}"').replace('vendor-sonnet-5', 'vendor-haiku-4-5')),
      quiet,
    );
    assert.deepEqual([report.rowCount, report.requestCount, report.skippedRows, report.badRequests], [5, 3, 2, 2]);
    const errors = report.problems.filter(({ severity }) => severity === 'error');
    assert.deepEqual(
      new Map(errors.map(({ rows, text }) => [rows[0]?.row, text.args])),
      new Map([
        [1, ['custom_id']],
        [3, ['n']],
        [4, ['q', '{{q?}}']],
        [5, ['c', 2]],
      ]),
    );
    assert.equal(readFileSync(outPath, 'utf8').split('\n').length, 4);
    assert.equal(report.problems.find(({ text }) => text.args[0] === 'q')?.rows[0]?.line, 5);
  });

  it('writes nothing if the rows end with an error, or without a target', async () => {
    rmSync(outPath, { force: true });
    const broken = await buildRequests(source('id,q\na,x\nb,"x\n', template('{{q}}')), quiet);
    assert.deepEqual([broken.requestCount, broken.stop?.line], [1, 2]);
    const { outPath: _, ...dry } = source('id,q\na,x\n', template('{{q}}'));
    assert.equal((await buildRequests(dry, quiet)).requestCount, 1);
    await assert.rejects(buildRequests(source('id,q\na,x\n', template('{{Q}}')), quiet), /template has errors/);
    assert.deepEqual(readdirSync(folder), ['rows.csv']);
  });

  it('builds in a thread, with progress, and stops when it is canceled', async () => {
    const rows = `id,q\n${Array.from({ length: 60_000 }, (_, index) => `row-${index},What is ${index}?`).join('\n')}\n`;
    const input = source(rows, template('{{q}}'));
    const survey = await jobs.run('surveyRows', { path: rowsPath, format: input.format });
    assert.deepEqual([survey.rowCount, survey.columns.map(({ isId }) => isId)], [60_000, [true, false]]);
    const shares: number[] = [];
    const report = await jobs.run('buildRequests', input, {
      onProgress: ({ doneBytes, totalBytes }) => shares.push(doneBytes / totalBytes),
    });
    assert.deepEqual([report.requestCount, report.badRequests], [60_000, 0]);
    assert.equal(shares.at(-1), 1);
    const before = readFileSync(outPath, 'utf8');
    const reason = new Error('enough');
    const controller = new AbortController();
    await assert.rejects(
      jobs.run(
        'buildRequests',
        { ...input, template: template('other') },
        { signal: controller.signal, onProgress: () => controller.abort(reason) },
      ),
      reason,
    );
    // A canceled job doesn't wait for a slow cleanup. The cleanup continues in the background.
    await until(() => readdirSync(folder).length <= 2, 5);
    assert.equal(readFileSync(outPath, 'utf8'), before);
    assert.deepEqual(readdirSync(folder).sort(), ['out.jsonl', 'rows.csv']);
  });
});
