import assert from 'node:assert/strict';
import {
  changeWords,
  comparedCost,
  type MoneyContext,
  modelWords,
  toDiffTexts,
} from '../../../../../src/features/results/comparing/comparePresentation';
import { toMark } from '../../../../../src/jsonl/comparing/expectationMarks';
import type { ResultEntry } from '../../../../../src/jsonl/results/resultsReport';
import { used } from '../../batches/fileRuns/used';
import { english, fillPlaceholders } from '../../requests/fillPlaceholders';

const entry = (more: Partial<ResultEntry>): ResultEntry => ({
  ...{ row: 0, customId: 'a', line: 0, status: 'succeeded', stopReason: 'end_turn', errorType: undefined },
  ...{ inputTokens: 1, outputTokens: 1, offset: 0, length: 1, ...more },
});

const line = (result: object) => JSON.stringify({ custom_id: 'a', line: 1, result });
const said = (text: string) => line({ type: 'succeeded', message: { content: [{ type: 'text', text }] } });

describe('features/results/comparing/comparePresentation', () => {
  it('shows how the status of a pair changed', () => {
    const broken = entry({ status: 'failed', stopReason: undefined, errorType: 'api_error' });
    const words = (before: ResultEntry | undefined, after: ResultEntry | undefined) =>
      changeWords({ kind: 'changed', before, after, marks: [0, 0] }, fillPlaceholders);
    assert.equal(words(entry({}), broken), 'succeeded → failed (api_error)');
    assert.equal(words(entry({ status: 'cut_short', stopReason: 'max_tokens' }), entry({})), 'cut short (max_tokens) → succeeded');
    assert.equal(words(entry({ status: 'refused', stopReason: 'refusal' }), undefined), 'refused (refusal) → no answer');
    assert.equal(words(entry({}), entry({})), 'succeeded, different answer');
    const failed = toMark(['equals', 'contains']);
    assert.equal(
      changeWords({ kind: 'regressed', before: entry({}), after: entry({}), marks: [toMark([]), failed] }, fillPlaceholders),
      'succeeded → succeeded, fails contains, equals',
    );
    assert.equal(modelWords(['m', 'n', 'o']), 'm +2');
    assert.equal(modelWords([]), '');
  });

  it('formats JSON with sorted keys, and leaves other text unchanged', () => {
    assert.deepEqual(toDiffTexts(said('{"b":1,"a":[{"d":1,"c":2}]}'), said('{"a":[]}')), {
      before: '{\n  "a": [\n    {\n      "c": 2,\n      "d": 1\n    }\n  ],\n  "b": 1\n}\n',
      after: '{\n  "a": []\n}\n',
      ending: 'json',
    });
    assert.deepEqual(toDiffTexts(said('{"a":1}'), said('no JSON')), { before: '{"a":1}', after: 'no JSON', ending: 'txt' });
    const error = line({ type: 'errored', error: { type: 'error', error: { type: 'api_error', message: 'broke' } } });
    assert.deepEqual(toDiffTexts(undefined, error), { before: '', after: 'api_error: broke', ending: 'txt' });
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    assert.deepEqual(toDiffTexts(said(deep), said('[]')), { before: deep, after: '[]', ending: 'txt' });
    assert.equal(toDiffTexts(said('{"__proto__":{"x":1}}'), undefined).before, '{\n  "__proto__": {\n    "x": 1\n  }\n}\n');
  });

  it('shows no secret in a diff', () => {
    const used = (token: string) =>
      line({ type: 'succeeded', message: { content: [{ type: 'tool_use', name: 'login', input: { api_key: token } }] } });
    const { before, after } = toDiffTexts(used('sk-one'), line({ type: 'errored', error: { type: 'x', access_token: 'sk-two' } }));
    assert.match(before, /hidden/);
    assert.match(after, /hidden/);
    assert.doesNotMatch(before + after, /sk-/);
  });
});

const context: MoneyContext = {
  ...english,
  currency: 'USD',
  prices: new Map([
    ['small', { input: 1, output: 5 }],
    ['large', { input: 10, output: 50 }],
    ['free', { input: 0, output: 0 }],
  ]),
};
const before = { inputTokens: 1_000_000, outputTokens: 200_000 };
const after = { inputTokens: 2_000_000, outputTokens: 100_000 };

describe('features/results/comparing/comparePresentation comparedCost', () => {
  const costOf = (first: string, second: string) =>
    comparedCost({ usage: [[used(first, before)], [used(second, after)]] }, [[], []], context);

  it('shows the cost of both runs and their difference', () => {
    assert.deepEqual(costOf('small', 'small'), ['$2.00', '$2.50 (+25 %)']);
    assert.deepEqual(costOf('large', 'small'), ['$20.00', '$2.50 (−87 %)']);
    assert.deepEqual(costOf('free', 'small'), ['$0.00', '$2.50']);
  });

  it('is exact if a run used several models', () => {
    const usage = [[used('small', before), used('large', before)], [used('small', after)]] as const;
    assert.deepEqual(comparedCost({ usage }, [[], []], context), ['$22.00', '$2.50 (−89 %)']);
  });

  it('names the model without a price, and shows nothing if neither run has prices', () => {
    assert.deepEqual(costOf('other', 'small'), ['no price', '$2.50']);
    const usage = [[used('small', before), used('other', before)], [used('small', after)]] as const;
    assert.deepEqual(comparedCost({ usage }, [[], []], context), ['at least $2.00 (no price for other)', '$2.50']);
    assert.equal(costOf('other', 'other'), undefined);
  });

  it('assigns answers without a model to the requested one', () => {
    const usage = [[used('', before)], [used('', after)]] as const;
    assert.deepEqual(comparedCost({ usage }, [['small'], ['small', 'large']], context), ['$2.00', 'no price']);
  });
});
