import assert from 'node:assert/strict';
import { addCosts, costOfGroup, describeCost } from '../../../../../src/features/batches/retrying/retryCost';
import {
  describeAct,
  describeCredit,
  describeReason,
  describeTooMany,
  describeWritten,
  proposedAct,
  toPlanPage,
} from '../../../../../src/features/batches/retrying/retryPresentation';
import type { RetryGroup, RetryPlan } from '../../../../../src/jsonl/retrying/retryingJobs';

const context = {
  translate: (text: string, ...args: readonly (string | number)[]) => text.replace(/\{(\d)\}/g, (_, place) => String(args[Number(place)])),
  locale: 'en',
  now: 0,
};
const prices = {
  prices: new Map([
    ['m', { input: 1, output: 10 }],
    ['k', { input: 2, output: 20 }],
  ]),
  currency: 'USD',
};

const group = (more: Partial<RetryGroup> = {}): RetryGroup => ({
  key: 'a',
  kind: 'cut_short',
  errorType: undefined,
  stopReason: 'max_tokens',
  message: '',
  action: 'raise_max_tokens',
  reason: 'limit_reached',
  isSensible: true,
  remedy: { kind: 'raise_max_tokens', to: 1000 },
  count: 3,
  rows: [],
  places: Uint32Array.of(0, 0, 0, 1, 0, 2),
  lines: Uint32Array.of(0, 5, 9),
  gone: 0,
  firstGone: [],
  costs: [{ model: 'm', requests: 3, inputTokens: 300, outputTokens: 900, mostOfOne: 500 }],
  credit: undefined,
  ...more,
});

describe('features/batches/retrying/retryPresentation', () => {
  it('proposes the change that mends a cause, and none for what need not be changed', () => {
    assert.deepEqual(proposedAct(group()).change, { kind: 'raise_max_tokens', to: 1000 });
    assert.equal(proposedAct(group({ action: 'resend' })).change, undefined);
    assert.equal(proposedAct(group({ action: 'edit', remedy: { kind: 'choose_model' } })).change, undefined);
  });

  it('takes no more max_tokens than the models allow', () => {
    const { translate, locale } = context;
    const told = (text: string, most?: number) => describeTooMany(text, most, { translate, locale });
    assert.deepEqual([told('999999999'), told(' 64000 ', 64_000), told('1', 1)], [undefined, undefined, undefined]);
    assert.match(told('64001', 64_000) ?? '', /at most 64,000/);
    for (const text of ['', '0', '-1', '1.5', '1e3', 'many']) {
      assert.match(told(text, 64_000) ?? '', /whole number/, text);
    }
    assert.match(describeReason(group(), context), /How much their model allows is not known/);
    assert.doesNotMatch(describeReason(group({ mostAllowed: 5 }), context), /not known/);
  });

  it('says what is done, and never that something is sent again where an edit is needed', () => {
    assert.equal(describeAct(group(), proposedAct(group()), context), 'raise max_tokens to 1,000');
    const each = { kind: 'raise_each', bounds: [], least: 256, most: 64_000 } as const;
    assert.equal(describeAct(group(), { change: each }, context), 'raise each max_tokens, to 256 at least and 64,000 at most');
    assert.equal(describeAct(group({ action: 'resend' }), { change: undefined }, context), 'send again as they are');
    assert.equal(describeAct(group({ action: 'edit', remedy: undefined }), { change: undefined }, context), 'edit them first');
    assert.equal(describeAct(group(), { change: { kind: 'remove', path: ['thinking', 'x'] } }, context), 'remove thinking.x');
  });

  it('reckons the cost after the change, at the price of the model that answers then', () => {
    const costAfter = (change: RetryGroup['remedy']) =>
      costOfGroup(group(), { change: change?.kind === 'choose_model' ? undefined : change }, prices);
    assert.equal(costAfter(undefined).outputTokens, 900);
    assert.equal(costAfter({ kind: 'raise_max_tokens', to: 1000 }).outputTokens, 3000);
    assert.equal(costAfter({ kind: 'raise_max_tokens', to: 100 }).outputTokens, 1500, 'at most, when some have more already');
    assert.equal(costAfter({ kind: 'lower_max_tokens', to: 100 }).outputTokens, 300);
    const costs = [{ model: 'm', requests: 3, inputTokens: 300, outputTokens: 900, mostOfOne: 500, raisedTokens: 1792 }];
    const each = { kind: 'raise_each', bounds: [], least: 256, most: 1024 } as const;
    assert.equal(costOfGroup(group({ costs }), { change: each }, prices).outputTokens, 1792, 'what each is raised to, together');
    assert.equal(costAfter({ kind: 'set_model', model: 'k' }).money?.high.toFixed(4), '0.0186');
    assert.equal(costAfter({ kind: 'set_model', model: 'dear' }).money, undefined);
    const both = addCosts([costAfter(undefined), costAfter({ kind: 'set_model', model: 'dear' })]);
    assert.deepEqual([both.inputTokens, both.money], [600, undefined], 'money only when it is known of every part');
    assert.equal(describeCost(costAfter(undefined), prices, context), 'about 300 input tokens, at most 900 output tokens, at most $0.0093');
  });

  it('tells whether a credit can be had, and until when', () => {
    assert.equal(describeCredit(group(), context), undefined);
    assert.match(
      describeCredit(group({ credit: { count: 2, usableUntil: undefined, models: ['k'] } }), context) ?? '',
      /of 2 of them is used up.*recommends k\.$/,
    );
    assert.match(describeCredit(group({ credit: { count: 2, usableUntil: 0, models: [] } }), context) ?? '', /good until .* at the latest/);
  });

  it('says what was written, and what was left out and why', () => {
    const facts = { name: 'a.retry.jsonl', written: 1200, left: 7, leftFor: ['refused by the model'], underWay: 3, gone: 2, toEdit: 4 };
    assert.equal(
      describeWritten(facts, context),
      'Wrote 1,200 requests to a.retry.jsonl. Edit 4 of them before they are sent: they would fail the same way again. Left out: 7 (refused by the model). 3 are in a batch that has no results yet. 2 could not be written: they stand in no file any more.',
    );
  });

  it('lays the whole plan out on a page in which nothing is a link', () => {
    const bad = group({
      key: 'b',
      kind: 'failed',
      errorType: 'invalid_request_error',
      message: '[x](command:evil) <b>',
      action: 'edit',
      remedy: undefined,
    });
    const plan: RetryPlan = { groups: [group(), bad], kept: 10, underWay: 2, changedFiles: [] };
    const page = toPlanPage('a.jsonl', plan, new Map(), new Set(['a']), prices, context);
    assert.match(page, /## 3 cut short at max\\_tokens/);
    assert.match(page, /\| Lines \| 1, 6, 10 \|/);
    assert.match(page, /left out \\\(edit them first if chosen\\\)/);
    assert.ok(!/\[x\]\(command|<b>/.test(page), page);
  });
});
