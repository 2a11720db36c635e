import assert from 'node:assert/strict';
import fc from 'fast-check';
import { queryResults } from '../../../../src/jsonl/querying/queryResults';
import { surveyResults, toHistogram } from '../../../../src/jsonl/querying/surveyResults';
import { runs } from '../../../helpers/runs';
import { errored, makeJoined, quiet, succeeded } from './joinedFile';

describe('jsonl/querying/surveyResults', () => {
  it('counts statuses, stop reasons and tokens, and groups failures by cause', async () => {
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
        { ...first, key: '' },
        {
          key: '',
          kind: 'failed',
          errorType: 'invalid_request_error',
          message: 'messages.….content: text … is longer than … characters',
          count: 120,
        },
      );
      assert.deepEqual(
        others.map(({ kind, errorType, message, count }) => [kind, errorType, message, count]),
        [
          ['cut_short', 'max_tokens', '', 1],
          ['expired', undefined, '', 1],
          ['refused', 'refusal', '', 1],
          ['failed', 'billing_error', 'Your credit balance is too low', 1],
        ],
      );
      const { rows } = await queryResults({ ...joined, query: `cluster=${first?.key}` }, quiet);
      assert.equal(rows.length, 120);
      const some = await surveyResults({ ...joined, query: 'status=errored' }, quiet);
      assert.deepEqual([some.outputTokens, some.clusters.length], [undefined, 2]);
    } finally {
      await joined.remove();
    }
  });
});

describe('jsonl/querying/surveyResults: histogram', () => {
  it('has round bounds of equal width, or growing ones if the values are far apart', () => {
    assert.equal(toHistogram(new Uint32Array()), undefined);
    assert.deepEqual(toHistogram(Uint32Array.of(7, 7)), { from: [7], counts: [2], min: 7, median: 7, max: 7 });
    assert.deepEqual(toHistogram(Uint32Array.of(160, 101, 399)), {
      from: [100, 120, 140, 160, 180, 200, 220, 240, 260, 280, 300, 320, 340, 360, 380],
      counts: [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      min: 101,
      median: 160,
      max: 399,
    });
    assert.deepEqual(toHistogram(Uint32Array.of(0, 3, 4001, 20))?.from, [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]);
  });

  it('counts every value in its bucket, in few buckets', () => {
    fc.assert(
      fc.property(fc.uint32Array({ minLength: 1, maxLength: 50 }), values => {
        const { from, counts, min, max } = toHistogram(Uint32Array.from(values)) ?? assert.fail();
        assert.ok(from.length <= 32);
        const plain = from.map((bound, at) => values.filter(value => value >= bound && value < (from[at + 1] ?? Infinity)).length);
        assert.deepEqual(counts, plain);
        assert.deepEqual([min, max], [Math.min(...values), Math.max(...values)]);
        assert.ok((from[0] as number) <= min && (from.at(-1) as number) <= max);
      }),
      { numRuns: runs(200) },
    );
  });
});
