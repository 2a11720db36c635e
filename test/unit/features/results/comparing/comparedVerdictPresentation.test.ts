import assert from 'node:assert/strict';
import { toMethodWords, toVerdictLines } from '../../../../../src/features/results/comparing/comparedVerdictPresentation';
import { judgeMeasures } from '../../../../../src/jsonl/comparing/verdict/judgeMeasures';
import type { CountedMeasure, LeftOut } from '../../../../../src/jsonl/comparing/verdict/measure';

const context = {
  translate: (message: string, ...args: (string | number)[]) => message.replace(/\{(\d)\}/g, (_, place) => String(args[Number(place)])),
  locale: 'en',
};

function measure(
  about: 'answered' | 'expected' | 'contains' | 'equals',
  cells: readonly number[],
  left: readonly LeftOut[] = [],
): CountedMeasure {
  const [bothPass = 0, worse = 0, better = 0, bothFail = 0] = cells;
  const compared = bothPass + worse + better + bothFail;
  return { about, compared, left, table: { bothPass, worse, better, bothFail }, values: [0, 0] };
}

const numbers = (field: string, differences: readonly number[]): CountedMeasure => ({
  ...{ about: 'number', field, compared: differences.length, left: [], values: [0, 0] },
  differences: Float64Array.from(differences),
});

/** The words of verdicts, with the advice behind them. */
const say = (...counted: readonly CountedMeasure[]) =>
  toVerdictLines(
    judgeMeasures(counted, () => undefined),
    context,
  ).map(({ text, advice, ...more }) => ({ ...more, text: `${text} ${advice}`.trim() }));

describe('features/results/comparing/comparedVerdictPresentation', () => {
  it('tells the interval before the p-value, and what it means', () => {
    const [worse] = say(measure('expected', [400, 32, 12, 56]));
    assert.equal(worse?.text, 'B passes 4.0 points fewer (−6.7 to −1.4), p = 0.004: worse.');
    assert.equal(worse?.tone, 'worse');
    assert.equal(worse?.detail, 'All 500 requests are compared.');
    const [better] = say(measure('answered', [400, 0, 40, 60]));
    assert.match(better?.text ?? '', /^B gives 8\.0 points more whole answers \(\d+\.\d to \d+\.\d\), p < 0\.001: better\.$/);
    assert.equal(better?.tone, 'better');
  });

  it('says that it cannot tell, what it could, and how many more would', () => {
    const [unclear] = say(measure('expected', [80, 6, 4, 10]));
    assert.match(
      unclear?.text ?? '',
      /^Not enough to tell: B passes 2\.0 points fewer \(−8\.\d to 4\.\d\), p = 0\.75\. 100 requests can show a difference of \d\.\d points or more\. About 1,\d00 more would show one of the size seen\.$/,
    );
    assert.equal(unclear?.tone, 'unclear');
    const [same] = say(measure('expected', [90, 5, 5, 0]));
    assert.match(
      same?.text ?? '',
      /^Not enough to tell: B passes as often as A \(−6\.\d to 6\.\d\), p = 1\.00\. 100 requests can show .* or more\.$/,
    );
    assert.match(say(measure('expected', [1, 0, 0, 0]))[0]?.text ?? '', /1 request is too few to show any difference\.$/);
    assert.match(say(measure('expected', [1, 1, 0, 0]))[0]?.text ?? '', /2 requests are too few to show any difference\.$/);
    assert.equal(say(measure('expected', []))[0]?.text, 'Nothing to compare.');
  });

  it('corrects several for being several: what one alone would show, five do not', () => {
    const alone = measure('contains', [80, 12, 2, 6]);
    assert.match(say(alone)[0]?.text ?? '', /p = 0\.013: worse\.$/);
    const lines = say(measure('expected', [94, 0, 0, 6]), alone, measure('equals', [94, 0, 0, 6]), measure('equals', [94, 0, 0, 6]));
    assert.match(lines[1]?.text ?? '', /^contains: Not enough to tell: .*p = 0\.052/);
  });

  it('says why requests are not compared', () => {
    const left: LeftOut[] = [
      { why: 'failed', side: 'after', count: 3 },
      { why: 'ended', side: 'both', count: 2 },
      { why: 'missing', side: 'before', count: 1 },
      { why: 'unusable', side: 'both', count: 1 },
      { why: 'notExpected', side: 'both', count: 1200 },
    ];
    assert.equal(
      say(measure('expected', [10, 0, 0, 0], left))[0]?.detail,
      '10 of 1,217 requests are compared. Not compared: 3 failed in B, 2 expired or canceled in A and B, 1 without a result in A, 1 whose expectation cannot be used, 1,200 of which nothing is expected.',
    );
  });

  it('tells grades as higher or lower, never as better', () => {
    const lines = say(numbers('score', [0.5, 1, 0.5, 1.5, 1, 0.5, 0, 1, 1, 1]), numbers('', [1, -1, 0, 2, -2, 0]), numbers('same', [0, 0]));
    assert.match(lines[0]?.text ?? '', /^score: B is 0\.8 higher \(0\.\d+ to 1\.\d+\), p .*: higher\.$/);
    assert.equal(lines[0]?.tone, 'other');
    assert.match(lines[1]?.text ?? '', /^Number: Not enough to tell: B is as high as A \(−\d/);
    assert.match(lines[2]?.text ?? '', /^same: Not enough to tell: B is as high as A \(0 to 0\), p = 1\.00\.$/);
  });

  it('says how it was found', () => {
    const words = toMethodWords(
      judgeMeasures([measure('expected', [1, 0, 0, 0]), measure('answered', [1, 0, 0, 0])], () => undefined),
      context,
    );
    assert.match(words, /widened for 2 tests \(Bonferroni\).*McNemar's exact test, without mid-p.*corrected for 2 tests \(Holm\)/);
    assert.doesNotMatch(words, /bootstrap/);
  });
});
