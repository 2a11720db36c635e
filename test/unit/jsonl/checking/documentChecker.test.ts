import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DocumentChecker } from '../../../../src/jsonl/checking/documentChecker';
import { QuickLineCheck } from '../../../../src/jsonl/checking/quickLineCheck';
import { contractRules, type RuleOptions } from '../../../../src/jsonl/rules/ruleOptions';
import { runs } from '../../../helpers/runs';

class Lines {
  reads = 0;
  constructor(public all: string[]) {}
  get lineCount() {
    return this.all.length;
  }
  lineAt(line: number) {
    const text = this.all[line];
    if (text === undefined) {
      throw new RangeError(`No line ${line}`);
    }
    this.reads++;
    return { text };
  }
}

const params = '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]}';
const request = (id: string) => `{"custom_id":"${id}","params":${params}}`;
const limits = { maxRequests: 100, maxBytes: 1_000_000 };
const signal = new AbortController().signal;
const lineCheck = new QuickLineCheck(contractRules('2026-01-01'));

async function swept(lines: Lines) {
  const checker = new DocumentChecker(lines, limits, lineCheck);
  await checker.sweep(() => Promise.resolve(), signal);
  return checker;
}

function describeState(checker: DocumentChecker, lines: Lines) {
  return {
    totals: checker.totals,
    problems: checker.problems(1000),
    ids: lines.all.map((_, line) => checker.idOfLine(line)),
    lines: ['a', 'b', 'line-1', 'line-2', 'line-3'].map(id => checker.lineOfId(id)),
  };
}

describe('jsonl/checking/documentChecker', () => {
  it('knows IDs, totals and problems after a sweep', async () => {
    const lines = new Lines([request('a'), params, '', '{"custom_id":"b","params":{}}', 'nonsense', '']);
    const checker = await swept(lines);
    assert.equal(checker.idOfLine(0), 'a');
    assert.equal(checker.idOfLine(1), 'line-2');
    assert.equal(checker.idOfLine(4), undefined);
    assert.equal(checker.lineOfId('b'), 3);
    assert.equal(checker.lineOfId('line-2'), 1);
    assert.equal(checker.lineOfId('line-1'), undefined);
    assert.equal(checker.totals.requests, 3);
    assert.deepEqual(checker.totals.problemCounts, { error: 4, warning: 0, information: 1, hint: 0 });
    assert.deepEqual(
      checker.problems(1000).map(problem => [problem.rule, problem.line]),
      [
        ['missing-field', 3],
        ['missing-field', 3],
        ['missing-field', 3],
        ['json-syntax', 4],
        ['blank-line', 2],
      ],
    );
  });

  it('links the uses of an ID with each other', async () => {
    const lines = new Lines([request('a'), request('b'), request('a'), request('a'), '']);
    const checker = await swept(lines);
    const found = checker.problems(1000);
    assert.deepEqual(
      found.map(problem => [problem.rule, problem.line, problem.related?.map(({ line }) => line)]),
      [
        ['duplicate-id', 0, [2]],
        ['duplicate-id', 2, [0]],
        ['duplicate-id', 3, [0]],
      ],
    );
    assert.equal(lines.all[2]?.slice(found[1]?.start, found[1]?.end), '"a"');
    assert.equal(checker.totals.problemCounts.error, 3);
  });

  it('returns the problems of one line', async () => {
    const lines = new Lines([request('a'), '', '{"custom_id":"b","params":{}}', request('a'), request('a'), 'nonsense', '']);
    const checker = await swept(lines);
    const all = checker.problems(1000);
    const found = lines.all.flatMap((_, line) => checker.problemsAt(line));
    assert.equal(all.length, 8);
    const inOrder = (problems: typeof all) => problems.map(problem => JSON.stringify(problem)).sort();
    assert.deepEqual(inOrder(found), inOrder(all));
    assert.deepEqual(checker.problemsAt(7), []);
  });

  it('reports a given ID that equals a generated one', async () => {
    const lines = new Lines([request('line-2'), params, request('line-1'), '']);
    const checker = await swept(lines);
    assert.deepEqual(
      checker.problems(1000).map(problem => [problem.rule, problem.line]),
      [['made-id-taken', 0]],
    );
    lines.all[1] = request('c');
    checker.change(1, 1, 1);
    assert.deepEqual(checker.problems(1000), []);
  });

  it('reports a document without requests and one with too many', async () => {
    assert.deepEqual(
      (await swept(new Lines(['']))).problems(10).map(problem => problem.rule),
      ['no-requests'],
    );
    const many = await swept(new Lines([...Array.from({ length: 101 }, (_, line) => request(`r${line}`)), '']));
    assert.deepEqual(
      many.problems(10).map(problem => problem.rule),
      ['too-many-requests'],
    );
    assert.equal(many.totals.problemCounts.information, 1);
  });

  it('reports CR LF and a missing final line feed, once and as hints', async () => {
    const endings = async (eol: number, severities: RuleOptions['severities'], ...all: string[]) => {
      const check = new QuickLineCheck({ ...contractRules('2026-01-01'), severities });
      const checker = new DocumentChecker({ eol, lineCount: all.length, lineAt: line => ({ text: all[line] ?? '' }) }, limits, check);
      await checker.sweep(() => Promise.resolve(), signal);
      const found = checker.problems(10).map(({ rule, severity, line }) => [rule, severity, line]);
      assert.equal(
        Object.values(checker.totals.problemCounts).reduce((a, b) => a + b),
        found.length,
      );
      return found;
    };
    assert.deepEqual(await endings(2, {}, request('a'), request('b')), [
      ['carriage-returns', 'hint', 0],
      ['no-last-newline', 'hint', 1],
    ]);
    assert.deepEqual(await endings(2, { 'no-last-newline': 'off', 'carriage-returns': 'warning' }, request('a'), request('b')), [
      ['carriage-returns', 'warning', 0],
    ]);
    assert.deepEqual(await endings(2, {}, request('a')), [['no-last-newline', 'hint', 0]]);
    assert.deepEqual(await endings(1, {}, request('a'), ''), []);
  });

  it('returns the worst problems first when there are more than requested', async () => {
    const checker = await swept(new Lines(['', '', request('a b'), 'x', '']));
    assert.deepEqual(
      checker.problems(3).map(problem => [problem.severity, problem.line]),
      [
        ['error', 2],
        ['error', 3],
        ['information', 0],
      ],
    );
  });

  it('reads only the lines that an edit touched', async () => {
    const lines = new Lines(Array.from({ length: 5000 }, (_, line) => request(`r${line}`)));
    const checker = await swept(lines);
    lines.reads = 0;
    lines.all[2500] = request('r1');
    checker.change(2500, 1, 1);
    assert.equal(lines.reads, 1);
    assert.equal(checker.totals.problemCounts.error, 2);
    lines.all.splice(10, 2, 'x');
    checker.change(10, 2, 1);
    // Computing the totals also reads the last line.
    assert.equal(lines.reads, 3);
    assert.equal(checker.lineOfId('r4999'), 4998);
  });

  it('leaves a change of very many lines to a sweep, which reads no other line', async () => {
    const lines = new Lines(Array.from({ length: 4000 }, (_, line) => request(`r-${line}`)));
    const checker = await swept(lines);
    lines.reads = 0;
    lines.all.splice(1000, 2000, ...Array.from({ length: 2500 }, (_, line) => request(`n-${line % 2400}`)));
    checker.change(1000, 2000, 2500);
    assert.equal(lines.reads, 0);
    assert.equal(checker.isSwept, false);
    await checker.sweep(() => Promise.resolve(), signal);
    assert.equal(checker.isSwept, true);
    assert.equal(lines.reads, 2500);
    assert.deepEqual(describeState(checker, lines), describeState(await swept(lines), lines));
  });

  it('stops between two slices when it is canceled', async () => {
    const controller = new AbortController();
    const checker = new DocumentChecker(new Lines([request('a')]), limits);
    await assert.rejects(
      checker.sweep(async () => controller.abort(), controller.signal),
      { name: 'AbortError' },
    );
  });

  it('equals a new checker after any edits, made during the sweep or after it', async () => {
    const line = fc.constantFrom(request('a'), request('b'), request('line-1'), request('line-3'), params, '{"a":1}', 'x', request('a b'));
    const edit = fc.record({
      at: fc.nat(12),
      removed: fc.integer({ min: 1, max: 4 }),
      inserted: fc.array(line, { minLength: 1, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.array(edit, { maxLength: 6 }),
        fc.nat(3),
        async (start, edits, early) => {
          const lines = new Lines([...start]);
          const checker = new DocumentChecker(lines, limits, lineCheck);
          const apply = (index: number) => {
            const change = edits[index];
            if (change !== undefined) {
              const at = Math.min(change.at, lines.all.length - 1);
              const removed = Math.min(change.removed, lines.all.length - at);
              lines.all.splice(at, removed, ...change.inserted);
              checker.change(at, removed, change.inserted.length);
            }
          };
          for (let index = 0; index < early; index++) {
            apply(index);
          }
          await checker.sweep(() => Promise.resolve(), signal);
          for (let index = early; index < edits.length; index++) {
            apply(index);
          }
          assert.deepEqual(describeState(checker, lines), describeState(await swept(lines), lines));
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
