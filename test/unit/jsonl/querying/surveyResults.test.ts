import assert from 'node:assert/strict';
import { queryResults } from '../../../../src/jsonl/querying/queryResults';
import { surveyResults } from '../../../../src/jsonl/querying/surveyResults';
import { errored, makeJoined, quiet, succeeded } from './joinedFile';

describe('jsonl/querying/surveyResults', () => {
  it('counts statuses, stop reasons and tokens, and puts failures together by cause', async () => {
    const joined = await makeJoined([
      ...Array.from(
        { length: 40 },
        (_, index) => [`ok-${index}`, succeeded('x'.repeat(Math.max(index, 1)), { output: index + 1 })] as const,
      ),
      ['cut', succeeded('half', { stop: 'max_tokens', output: 4096 })],
      ...Array.from(
        { length: 120 },
        (_, index) =>
          [`bad-${index}`, errored(`messages.${index}.content: text "${index}x" is longer than ${1000 + index} characters`)] as const,
      ),
      ['credit', errored('Your credit balance is too low', 'billing_error')],
      ['late', { type: 'expired' }],
      ['no', succeeded('', { stop: 'refusal', output: 0 })],
    ]);
    try {
      const survey = await surveyResults(joined, quiet);
      assert.equal(survey.rows, 164);
      assert.deepEqual(survey.statuses, [
        ['succeeded', 40],
        ['cut_short', 1],
        ['refused', 1],
        ['failed', 121],
        ['expired', 1],
      ]);
      assert.deepEqual(survey.stopReasons, [
        ['end_turn', 40],
        ['max_tokens', 1],
        ['refusal', 1],
      ]);
      assert.deepEqual([survey.outputTokens?.min, survey.outputTokens?.median, survey.outputTokens?.max], [0, 20, 4096]);
      const [first, ...others] = survey.clusters;
      assert.deepEqual(
        { ...first, key: '', rows: first?.rows.length },
        {
          key: '',
          kind: 'failed',
          errorType: 'invalid_request_error',
          message: 'messages.….content: text … is longer than … characters',
          count: 120,
          rows: 100,
        },
      );
      assert.deepEqual(
        others.map(({ kind, errorType, message, count, rows }) => [kind, errorType, message, count, rows]),
        [
          ['cut_short', 'max_tokens', '', 1, [40]],
          ['expired', undefined, '', 1, [162]],
          ['refused', 'refusal', '', 1, [163]],
          ['failed', 'billing_error', 'Your credit balance is too low', 1, [161]],
        ],
      );
      const { rows } = await queryResults({ ...joined, query: `cluster=${first?.key}` }, quiet);
      assert.equal(rows.length, 120);
      const some = await surveyResults({ ...joined, query: 'status=errored' }, quiet);
      assert.deepEqual([some.rows, some.outputTokens, some.clusters.length], [121, undefined, 2]);
    } finally {
      await joined.remove();
    }
  });
});
