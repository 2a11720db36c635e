import assert from 'node:assert/strict';
import type { CountedStratum } from '../../../../../src/features/batches/sheet/countSample';
import { predict, type TokenHistory } from '../../../../../src/features/batches/sheet/prediction';
import { answersOf, survey } from './sheetUnderTest';

const sonnet = 'vendor-sonnet-5';
const none: TokenHistory = new Map();
/** Predicts from a new copy of the survey, because predictions are memoized by survey. */
const predicted = (past: TokenHistory, counted?: readonly CountedStratum[], change: object = {}) => {
  const [first = assert.fail(), second = assert.fail()] = survey.models;
  const prediction = predict({ ...survey, models: [{ ...first, ...change }, second] }, { past, counted });
  return { ...prediction, sonnet: prediction.models[0] ?? assert.fail(), haiku: prediction.models[1] ?? assert.fail() };
};
const used = (inputTokens: number, text: number | undefined, more: object = {}) => ({
  ...answersOf({ answers: 400, mean: 100, ...more }),
  tokens: {
    ...{ inputTokens, outputTokens: 40_000, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 },
    ...(more as { tokens?: object }).tokens,
  },
  text,
});

describe('features/batches/sheet/prediction', () => {
  it('is the range estimated from the text if there are no past runs and no count', () => {
    const { input, inputFrom, output, sonnet: model } = predicted(none);
    assert.deepEqual([inputFrom, output, model.output], ['text', undefined, undefined]);
    assert.deepEqual(model.input, survey.models[0]?.input);
    assert.ok(input.low < input.likely && input.likely < input.high);
  });

  it('learns the input from runs of the file, and with a wider range from other files', () => {
    const own = predicted(new Map([[sonnet, [used(4_200_000, 3_790_000)]]])).sonnet;
    const others = predicted(new Map([[sonnet, [used(4_200_000, 3_790_000, { isOfFile: false })]]])).sonnet;
    assert.deepEqual([own.inputFrom, own.input.likely, others.input.likely], ['past', 4_200_000, 4_200_000]);
    assert.ok(others.input.high - others.input.low > 3 * (own.input.high - own.input.low));
    assert.deepEqual([own.output?.from, others.output?.from.scope], [{ answers: 400, scope: 'file' }, 'model']);
  });

  it('counts cache reads and writes as input, and learns their share', () => {
    const tokens = { cacheReadTokens: 600, cacheWriteTokens: 200, cacheWrite5mTokens: 150, cacheWrite1hTokens: 50 };
    const past = new Map([[sonnet, [used(200, 1000, { tokens })]]]);
    const { sonnet: marked } = predicted(past, undefined, { cached5m: 100 });
    assert.equal(marked.input.likely, marked.text);
    assert.deepEqual(marked.cacheMix, { read: 0.6, write5m: 0.15, write1h: 0.05 });
    assert.equal(predicted(past).sonnet.cacheMix, undefined);
  });

  it("doesn't learn from runs with unknown text", () => {
    const { sonnet: model } = predicted(new Map([[sonnet, [used(4_200_000, undefined)]]]));
    assert.equal(model.inputFrom, 'text');
    assert.ok(model.output !== undefined);
  });

  it('prefers a count to the past, by model, and uses its ratio for other models', () => {
    const past = new Map([[sonnet, [used(9_000_000, 3_790_000)]]]);
    const counted = [
      { model: sonnet, requests: 400, text: 3_790_000, counted: [1, 2].map(() => ({ text: 100, tokens: 110 })) },
      { model: undefined, requests: 12, text: 12_000, counted: [1, 2].map(() => ({ text: 100, tokens: 150 })) },
    ];
    const { input, inputFrom, sonnet: model, haiku } = predicted(past, counted);
    assert.deepEqual([inputFrom, model.inputFrom, haiku.inputFrom], ['counted', 'counted', 'counted']);
    assert.deepEqual([model.input.likely, haiku.input.likely, input.likely], [4_169_000, 18_000, 4_187_000]);
    assert.equal(model.text, 3_790_000);
  });

  it('returns the same object for the same sources', () => {
    assert.equal(predict(survey, { past: none, counted: undefined }), predict(survey, { past: none, counted: undefined }));
    assert.notEqual(predict(survey, { past: new Map(), counted: undefined }), predict(survey, { past: none, counted: undefined }));
  });
});
