import assert from 'node:assert/strict';
import { parseExpectation, unmetOf } from '../../../../src/jsonl/expecting/expectation';
import { withExpected } from '../../../../src/jsonl/expecting/withExpected';

describe('jsonl/expecting/withExpected', () => {
  it('adds a line for each request without one', () => {
    const text = withExpected(
      '',
      new Map([
        ['a', 'spam'],
        ['b "2"', '{"score": 1.50}'],
      ]),
    );
    assert.equal(text, '{"custom_id":"a","equals":"spam"}\n{"custom_id":"b \\"2\\"","equals":{"score":1.50}}\n');
    for (const [line, answer] of [
      [0, 'spam'],
      [1, '{"score": 1.5}'],
    ] as const) {
      const { expectation, problems } = parseExpectation(text.split('\n')[line] ?? '', line);
      assert.deepEqual(problems, []);
      assert.ok(expectation !== undefined);
      assert.deepEqual([...unmetOf(expectation, { text: answer, outputTokens: 1 })], []);
      assert.equal([...unmetOf(expectation, { text: 'ham', outputTokens: 1 })][0]?.check, 'equals');
    }
  });

  it('replaces the answer of an existing line, and keeps everything else', () => {
    const before = '{"max_output_tokens":9}\r\nnot json\r\n{"custom_id":"a","contains":"s","equals":"ham"}\r\n\r\n{"custom_id":"a"}';
    const after = withExpected(
      before,
      new Map([
        ['a', 'spam'],
        ['c', '[1]'],
      ]),
    );
    assert.equal(
      after,
      '{"max_output_tokens":9}\r\nnot json\r\n{"custom_id":"a","contains":"s","equals":"spam"}\r\n\r\n{"custom_id":"a","equals":"spam"}\r\n{"custom_id":"c","equals":[1]}\r\n',
    );
    assert.equal(withExpected(after, new Map([['a', 'spam']])), after);
  });
});
