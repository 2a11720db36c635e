import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { formatText } from '../../../../src/contract/problem';
import { checkBatchFile } from '../../../../src/jsonl/checking/batchFile';
import { DocumentChecker } from '../../../../src/jsonl/checking/documentChecker';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import type { JobContext } from '../../../../src/jsonl/files/jobContext';
import { contractRules } from '../../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../../helpers/runs';
import { requestLine } from '../requestLines';

const params = '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]}';
const request = (id: string) => `{"custom_id":"${id}","params":${params}}`;
const limits = { maxRequests: 100_000, maxBytes: 1_000_000_000 };
const context: JobContext = {
  signal: new AbortController().signal,
  throwIfAborted: () => {},
  progress: () => {},
  slots: { next: () => new Uint8Array(0), emit: () => {} },
};

const options = contractRules('2026-01-01');
const lineCheck = new QuickLineCheck(options);

describe('jsonl/checking/batchFile', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'batch-file-'));
  const file = path.join(folder, 'requests.jsonl');
  after(() => rmSync(folder, { recursive: true }));

  async function check(content: string | Uint8Array, bounds = limits, mostProblems?: number) {
    writeFileSync(file, content);
    const terms = { limits: bounds, rules: options, ...(mostProblems === undefined ? {} : { mostProblems }) };
    return (await checkBatchFile(file, terms, context)).report;
  }
  async function rules(content: string | Uint8Array, bounds = limits) {
    return (await check(content, bounds)).problems.map(problem => [problem.rule, problem.line, problem.start, problem.end]);
  }

  it('counts requests, bytes, models and hashes the file', async () => {
    const content = `${request('a')}\n ${params}\r\n${request('b').replace('"m"', '"n"')}\n`;
    const report = await check(content);
    const body = `{"requests":[${request('a')},{"custom_id":"line-2","params":${params}},${request('b').replace('"m"', '"n"')}]}`;
    assert.equal(report.bodyBytes, body.length);
    assert.equal(report.requestCount, 3);
    assert.equal(report.bareCount, 1);
    assert.equal(report.lineCount, 3);
    assert.equal(report.fileBytes, content.length);
    assert.equal(report.sha256, createHash('sha256').update(content).digest('hex'));
    assert.deepEqual(report.models, [
      ['m', 2],
      ['n', 1],
    ]);
    assert.deepEqual(report.problemCounts, { error: 0, warning: 0, information: 0, hint: 1 });
  });

  it('counts the requests that the service most likely rejects, with any number of problems', async () => {
    const more = (fields: string) => request('a').replace('"m",', `"m",${fields},`);
    const lines = [request('a'), more('"stream":true,"top_k":-1'), more('"stream":true'), more('"stream":false'), more('"max_tokens_":1')];
    const { refusedCount, requestCount } = await check(`${lines.join('\n')}\n[]\n\n${more('"stream":true,"odd":1')}\n`);
    assert.deepEqual([refusedCount, requestCount], [4, 6]);
    const many = Array.from({ length: 3000 }, () => more('"stream":true')).join('\n');
    assert.equal((await check(many)).refusedCount, 3000);
  });

  it("counts the requests that can't be joined with results, even if ID rules are off", async () => {
    const silent = {
      ...options,
      severities: { ...options.severities, 'duplicate-id': 'off', 'missing-field': 'off', 'text-pattern': 'off' },
    } as const;
    const lines: readonly (readonly [content: string, count: number])[] = [
      [`${request('a')}\n${request('b')}\n${params}\n`, 0],
      [`${request('a')}\n${request('b')}\n${request('a')}\n${request('a')}\n`, 2],
      [`{"params":${params}}\n${request('b')}\n`, 1],
      [`${request('')}\n${request('')}\n`, 2],
      [`{"custom_id":7,"params":${params}}\n`, 1],
      [`${params}\n${request('line-1')}\n`, 1],
    ];
    for (const [content, count] of lines) {
      writeFileSync(file, content);
      for (const rules of [options, silent]) {
        const { report } = await checkBatchFile(file, { limits, rules }, context);
        assert.equal(report.unjoinableCount, count, content);
      }
    }
  });

  it('reports what it tolerates', async () => {
    assert.deepEqual(await rules(`\ufeff${request('a')}\r\n\n${request('b')}`), [
      ['byte-order-mark', 0, 0, 0],
      ['blank-line', 1, 0, 0],
      ['carriage-returns', 0, 0, 0],
      ['no-last-newline', 2, 0, 0],
    ]);
  });

  it("finds the ID's position in lines that the rules had to read, in any spelling", async () => {
    const rest = '"params":{}';
    const lines = [
      `{"custom_id":"a",${rest}}`,
      ` { "custom_id" : "a", ${rest}}`,
      `{${rest},"custom_id":"a"}`,
      `{"custom_id":"\\u0061",${rest}}`,
      `{"custom_id":"other","custom_id":"a",${rest}}`,
      `{"custom_id":"é",${rest}}`,
      `{"x":"😀","custom_id":"é",${rest}}`,
    ];
    const found = (await check(`${lines.join('\n')}\n`)).problems.filter(({ rule }) => rule === 'duplicate-id');
    assert.deepEqual(
      found.map(({ line, start, end }) => lines[line]?.slice(start, end)),
      ['"a"', '"a"', '"a"', '"\\u0061"', '"a"', '"é"', '"é"'],
    );
    assert.equal(found[4]?.start, lines[4]?.indexOf('"a"'));
  });

  it('links the uses of an ID with each other, at any position', async () => {
    const late = `{"params":{"system":"äöü","model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]}, "custom_id": "a"}`;
    const report = await check([late, request('b'), request('a'), request('a'), ''].join('\n'));
    assert.deepEqual(
      report.problems.map(problem => [problem.rule, problem.line, problem.related?.[0]?.line]),
      [
        ['duplicate-id', 0, 2],
        ['duplicate-id', 2, 0],
        ['duplicate-id', 3, 0],
      ],
    );
    assert.deepEqual(
      report.problems.map(problem => [late, '', request('a'), request('a')][problem.line]?.slice(problem.start, problem.end)),
      ['"a"', '"a"', '"a"'],
    );
    assert.equal(formatText(report.problems[1]?.text ?? { template: '', args: [] }), 'Duplicate custom_id "a" (also on line 1).');
  });

  it('reports a given ID that equals a generated one', async () => {
    assert.deepEqual(await rules(`${request('line-3')}\n${request('line-1')}\n${params}\n`), [['made-id-taken', 0, 13, 21]]);
  });

  it('limits the number of requests and the bytes of the body', async () => {
    const two = `${request('a')}\n${request('b')}\n`;
    const { bodyBytes } = await check(two);
    assert.deepEqual(await rules(two, { maxRequests: 2, maxBytes: bodyBytes }), []);
    assert.deepEqual(await rules(two, { maxRequests: 1, maxBytes: bodyBytes - 1 }), [
      ['too-many-requests', 0, 0, 0],
      ['body-too-large', 0, 0, 0],
    ]);
    const one = (await check(`${request('a')}\n`)).bodyBytes;
    assert.deepEqual(await rules(two, { maxRequests: 2, maxBytes: one - 1 }), [
      ['request-too-large', 0, 0, 0],
      ['request-too-large', 1, 0, 0],
      ['body-too-large', 0, 0, 0],
    ]);
    assert.deepEqual(await rules(`${params}\n`, { maxRequests: 1, maxBytes: (await check(`${params}\n`)).bodyBytes }), []);
    assert.equal((await rules(''))[0]?.[0], 'no-requests');
    assert.equal((await rules('\n\n'))[0]?.[0], 'no-requests');
  });

  it('marks where bytes stop being UTF-8, on that line only', async () => {
    const bad = Buffer.concat([Buffer.from(`${request('ok')}\n{"é`), Buffer.from([0xc3, 0x28]), Buffer.from(`"}\n${request('é')}\n`)]);
    assert.deepEqual(await rules(bad), [
      ['not-utf8', 1, 3, 4],
      ['text-pattern', 2, 13, 16],
    ]);
  });

  it('keeps the first problems of each rule, or the requested number of the worst, and counts all by rule', async () => {
    const lines = Array.from({ length: 5_000 }, (_, line) => (line % 2 === 0 ? 'x' : ''));
    const usual = await check(lines.join('\n'));
    assert.deepEqual(
      usual.problems.map(({ rule, line }) => [rule, line]),
      [
        ['json-syntax', 0],
        ['no-requests', 0],
        ...Array.from({ length: 9 }, (_, index) => ['json-syntax', 2 * index + 2]),
        ...Array.from({ length: 10 }, (_, index) => ['blank-line', 2 * index + 1]),
      ],
    );
    const report = await check(lines.join('\n'), limits, 1_000);
    assert.equal(report.problems.length, 1_000);
    assert.ok(report.problems.every(problem => problem.severity === 'error'));
    assert.equal(report.problems[999]?.line, 1_996);
    assert.equal(report.problemCounts.error, 2_501);
    assert.deepEqual(report.ruleCounts, [
      { rule: 'json-syntax', count: 2_500, firstLine: 0 },
      { rule: 'blank-line', count: 2_499, firstLine: 1 },
      { rule: 'no-requests', count: 1, firstLine: 0 },
    ]);
    assert.equal(report.invalidCount, 2_500);
    assert.deepEqual([usual.problemCounts, usual.ruleCounts], [report.problemCounts, report.ruleCounts]);
  });

  it('keeps the first of a rule at each severity, and late findings on earlier lines', async () => {
    const [soft, hard] = [params.replace('{', '{"stream":false,'), params.replace('{', '{"stream":true,')];
    const lines = [...Array.from({ length: 30 }, () => soft), hard, ...Array.from({ length: 30 }, () => request('a'))];
    const listed = (await check(lines.join('\n'))).problems.map(({ rule, severity, line }) => `${rule} ${severity} ${line}`);
    assert.ok(listed.includes('stream-in-batch warning 30'), listed.join());
    assert.equal(listed.filter(text => text.startsWith('stream-in-batch hint')).length, 10);
    assert.equal(
      listed.find(text => text.startsWith('duplicate-id')),
      'duplicate-id error 31',
    );
  });

  it('reads a line longer than many chunks', async () => {
    const long = request('a').replace('"messages":', `"system":"${'é'.repeat(2_000_000)}","messages":`);
    const report = await check(`${request('b')}\n${long}\n${request('c')}\n`);
    assert.equal(report.requestCount, 3);
    assert.deepEqual(report.problems, []);
  });

  it('finds the same in a file as in the editor', async () => {
    const line = fc.oneof(
      requestLine,
      fc.constantFrom(request('a'), request('b'), params, '{"a":1}', 'x', '', '{"custom_id":7}', request('line-2')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async lines => {
        const report = await check(`${lines.join('\n')}\n`, limits, 1000);
        const checker = new DocumentChecker({ lineCount: lines.length + 1, lineAt: at => ({ text: lines[at] ?? '' }) }, limits, lineCheck);
        await checker.sweep(() => Promise.resolve(), context.signal);
        const known = report.problems.filter(({ rule }) => rule !== 'carriage-returns');
        const byPlace = (problems: typeof known) =>
          problems.map(problem => JSON.stringify([problem.line, problem.start, problem.rule])).sort();
        assert.deepEqual(byPlace([...known]), byPlace([...checker.problems(1000)]));
        assert.equal(report.requestCount, checker.totals.requests);
      }),
      { numRuns: runs(60) },
    );
  });
});
