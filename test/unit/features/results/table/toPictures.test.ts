import assert from 'node:assert/strict';
import { toPictures } from '../../../../../src/features/results/table/toPictures';
import { parseQuery } from '../../../../../src/jsonl/querying/parseQuery';
import type { ResultsSurvey } from '../../../../../src/jsonl/querying/surveyResults';
import { fieldOf } from '../../../../helpers/fieldOf';
import { english } from '../../requests/fillPlaceholders';

const survey: ResultsSurvey = {
  statuses: [
    ['succeeded', 7],
    ['failed', 3],
  ],
  problems: [],
  stopReasons: [
    ['end_turn', 6],
    ['odd "reason"', 1],
  ],
  outputTokens: { from: [0, 100, 200], counts: [1, 5, 1], min: 3, median: 120, max: 240 },
  inputTokens: undefined,
  models: [],
  clusters: [{ key: 'ab12', kind: 'failed', errorType: 'api_error', message: 'Broken …', count: 3 }],
};
const picturesOf = (query: string) => toPictures(survey, { ...english, query });

describe('features/results/table/toPictures', () => {
  it('gives each bar a valid query, and leaves out empty pictures', () => {
    const pictures = picturesOf('');
    assert.deepEqual(fieldOf(pictures, 'name'), ['Status', 'Stop reason', 'Causes', 'Output tokens']);
    const queries = pictures.flatMap(({ bars }) => bars.map(({ query = '' }) => query));
    assert.deepEqual(queries, [
      ...['status=succeeded', 'status=failed', 'stop=end_turn', 'stop="odd \\"reason\\""', 'cluster=ab12'],
      ...['status=succeeded,cut_short,refused,empty and out=0..99', 'out=100..199', 'out=200..240'],
    ]);
    for (const query of queries) {
      assert.doesNotThrow(() => parseQuery(query), query);
    }
  });

  it('labels a bar of a single count with that count', () => {
    const outputTokens = { from: [75, 76], counts: [61, 5], min: 75, median: 75, max: 90 };
    const picture = toPictures({ ...survey, outputTokens }, { ...english, query: '' }).at(-1);
    assert.deepEqual(fieldOf(picture?.bars, 'label'), ['75', '76 to 90']);
  });

  it('breaks results down by model', () => {
    const models = [
      { model: 'large', rows: 1200, succeeded: 1199, outputTokens: 9000, passed: 2 },
      { model: 'small one', rows: 1, succeeded: 1, outputTokens: 3, passed: undefined },
    ];
    const picture = toPictures({ ...survey, models }, { ...english, query: 'out>5' }).find(({ name }) => name === 'Models');
    assert.deepEqual(picture?.bars, [
      { label: 'large', count: 1200, query: 'out>5 and model=large', detail: '2 as expected, 1,199 succeeded, 9,000 output tokens' },
      { label: 'small one', count: 1, query: 'out>5 and model="small one"', detail: '1 succeeded, 3 output tokens' },
    ]);
  });

  it('adds to the current query, once', () => {
    const statusOf = (query: string) => picturesOf(query)[0]?.bars[1]?.query;
    assert.equal(statusOf('out>5'), 'out>5 and status=failed');
    assert.equal(statusOf('out>5 and status=failed'), 'out>5 and status=failed');
    assert.equal(statusOf('out>5 or in>5'), '(out>5 or in>5) and status=failed');
    assert.equal(statusOf('out>5 or in>5 and status=failed'), '(out>5 or in>5 and status=failed) and status=failed');
    assert.doesNotThrow(() => parseQuery(statusOf('out>5 or in>5') ?? ''));
  });
});
