import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { judgeResults } from '../../../../src/jsonl/expecting/judgeResults';
import { errored, makeJoined, quiet, succeeded } from '../querying/joinedFile';

describe('jsonl/expecting/judgeResults', () => {
  let joined: Awaited<ReturnType<typeof makeJoined>>;
  let expectationsPath: string;

  beforeEach(async () => {
    joined = await makeJoined([
      ['a', succeeded('yes', { output: 2 })],
      ['b', succeeded('no', { output: 900 })],
      ['__proto__', succeeded('{"ok":1}', { output: 5 })],
      ['cut', succeeded('half', { stop: 'max_tokens', output: 4096 })],
      ['bad-1', errored('text "1" is too long')],
      ['bad-2', errored('text "2" is too long')],
      ['late', { type: 'expired' }],
    ]);
    expectationsPath = path.join(path.dirname(joined.joinedPath), 'requests.expect.jsonl');
  });

  afterEach(() => joined.remove());

  const expect = (...lines: readonly unknown[]) => writeFileSync(expectationsPath, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  const judge = () => judgeResults({ ...joined, expectationsPath }, quiet);
  const groupsOf = ({ groups }: ReturnType<typeof judgeResults>) =>
    groups.map(({ kind, check, message, count }) => [kind, check, message, count]);

  it('judges by status if nothing is expected, by cause', () => {
    const judged = judge();
    assert.deepEqual(groupsOf(judged), [
      ['passed', undefined, '', 3],
      ['cut_short', undefined, '', 1],
      ['failed', undefined, 'text … is too long', 2],
      ['expired', undefined, '', 1],
    ]);
    assert.deepEqual([...judged.groupOf], [0, 0, 0, 1, 2, 2, 3]);
    assert.deepEqual(judged.details, []);
  });

  it('judges answers by the expectations of all and of each', () => {
    expect({ max_output_tokens: 100 }, { custom_id: '__proto__', json_schema: { required: ['no'] } }, { custom_id: 'a', equals: 'yes' });
    const judged = judge();
    assert.deepEqual(groupsOf(judged).slice(0, 3), [
      ['passed', undefined, '', 1],
      ['cut_short', undefined, '', 1],
      ['failed', undefined, 'text … is too long', 2],
    ]);
    assert.deepEqual(
      groupsOf(judged).filter(([kind]) => kind === 'unmet'),
      [
        ['unmet', 'max_output_tokens', '', 1],
        ['unmet', 'json_schema', '', 1],
      ],
    );
    assert.deepEqual(judged.problems, []);
  });

  it('reports what was expected and found for the requested rows', () => {
    expect({ custom_id: 'b', contains: 'yes' });
    const rows = new Uint32Array(new SharedArrayBuffer(8));
    rows.set([1, 4]);
    const judged = judgeResults({ ...joined, expectationsPath, rows }, quiet);
    assert.deepEqual(judged.details, [
      { row: 1, failure: { check: 'contains', expected: 'yes', actual: 'no' }, text: 'no' },
      { row: 4, failure: undefined, text: 'text "1" is too long' },
    ]);
  });

  it('passes nothing by an invalid expectation, and reports it with its line', () => {
    writeFileSync(
      expectationsPath,
      '\ufeff\n{"custom_id":"a","containz":"x"}\r\n\n{"custom_id":"gone","contains":"x"}\n{"custom_id":"a"}\nnot json',
    );
    const judged = judge();
    assert.deepEqual(
      judged.problems.map(({ line, code, name }) => `${line} ${code} ${name}`),
      ['1 unknown-key containz', '4 twice a', '5 not-json ', '3 no-such-id gone'],
    );
    assert.deepEqual(
      groupsOf(judged).find(([kind]) => kind === 'unmet'),
      ['unmet', 'expectation', '', 1],
    );
  });

  it("fails and reports a user's pattern that takes too long", async () => {
    const slow = await makeJoined(Array.from({ length: 30 }, (_, index) => [`r${index}`, succeeded(`${'a'.repeat(40)}!`)] as const));
    try {
      const own = Array.from({ length: 20 }, (_, index) => ({ custom_id: `r${index + 10}`, contains: 'a' }));
      expect({ pattern: '^(a+)+$' }, { custom_id: 'r7', pattern: 'a' }, ...own);
      const judged = judgeResults({ ...slow, expectationsPath }, quiet);
      assert.deepEqual(groupsOf(judged), [
        ['passed', undefined, '', 1],
        ['unmet', 'expectation', '', 29],
      ]);
      assert.deepEqual(judged.problems, [{ line: 0, code: 'too-slow', name: '^(a+)+$' }]);
    } finally {
      await slow.remove();
    }
  });
});
