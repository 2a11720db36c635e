import assert from 'node:assert/strict';
import { judge, type VerdictFacts } from '../../../../../src/features/batches/canary/verdict';
import { describeVerdict, toVerdictPage } from '../../../../../src/features/batches/canary/verdictPresentation';
import { Mean } from '../../../../../src/features/batches/canary/wilson';
import type { RetryAction, RetryGroup } from '../../../../../src/jsonl/retrying/retryingJobs';

const context = {
  translate: (text: string, ...args: readonly (string | number)[]) => text.replace(/\{(\d)\}/g, (_, place) => String(args[Number(place)])),
  locale: 'en',
  now: 0,
};

const group = (action: RetryAction, count: number): RetryGroup => ({
  key: action,
  kind: action === 'raise_max_tokens' ? 'cut_short' : action === 'resend' ? 'expired' : 'failed',
  errorType: action === 'edit' ? 'invalid_request_error' : undefined,
  stopReason: action === 'raise_max_tokens' ? 'max_tokens' : undefined,
  message: action === 'edit' ? 'text is [empty](http://x)' : '',
  action,
  reason: action === 'edit' ? 'rejected' : action === 'resend' ? 'not_done' : 'limit_reached',
  isSensible: action !== 'edit',
  remedy: undefined,
  count,
  rows: [],
  places: new Uint32Array(count * 2),
  lines: Uint32Array.from({ length: count }, (_, line) => line),
  gone: 0,
  firstGone: [],
  costs: [],
  credit: undefined,
});

function facts(groups: readonly RetryGroup[], more: Partial<VerdictFacts> = {}): VerdictFacts {
  const input = new Mean();
  const output = new Mean();
  for (let n = 0; n < 50; n++) {
    input.add(100);
    output.add(40 + (n % 2) * 20);
  }
  const failed = groups.reduce((sum, { count }) => sum + count, 0);
  const plan = { groups, kept: 50 - failed, underWay: 0 };
  return {
    sampled: 50,
    whole: 5000,
    plan,
    unmet: undefined,
    input,
    output,
    models: ['m'],
    prices: new Map([['m', { input: 1, output: 10 }]]),
    ...more,
  };
}

describe('features/batches/canary/verdict', () => {
  const cases: readonly (readonly [name: string, groups: readonly RetryGroup[], kind: string])[] = [
    ['nothing failed', [], 'clear'],
    ['what failed passes', [group('resend', 9)], 'passing'],
    ['some would fail again', [group('edit', 3), group('resend', 2)], 'fix'],
    ['some were cut', [group('raise_max_tokens', 24)], 'fix'],
    ['half would fail again', [group('edit', 25)], 'stop'],
    ['the account is not paid up', [{ ...group('resend', 50), reason: 'unpaid', isSensible: false }], 'stop'],
  ];
  for (const [name, groups, kind] of cases) {
    it(`is ${kind} when ${name}`, () => assert.equal(judge(facts(groups)).kind, kind));
  }

  it('reckons the rest without what is answered well, and prices it where all models have one', () => {
    const { rest } = judge(facts([group('edit', 10)]));
    assert.equal(rest?.requests, 4960);
    assert.equal(rest?.input.likely, 496_000);
    assert.equal(rest?.input.low, rest?.input.high);
    const { low, high } = rest?.output ?? { low: 0, high: 0 };
    assert.ok(low < 248_000 && 248_000 < high, `${low} to ${high}`);
    assert.ok((rest?.money?.low ?? 0) < 2.976 && 2.976 < (rest?.money?.high ?? 0));
    assert.equal(judge(facts([], { models: ['m', 'other'] })).rest?.money, undefined);
    assert.equal(judge(facts([], { whole: undefined })).rest, undefined);
  });

  it('takes answers that are not as expected for lost, and does not send them again', () => {
    const verdict = judge(facts([], { unmet: [{ message: 'the pattern ^A', count: 5 }] }));
    assert.deepEqual([verdict.kind, verdict.good, verdict.rest?.requests], ['fix', 45, 4950]);
    assert.match(describeVerdict('a.jsonl', verdict, context), /not as expected: the pattern \^A/);
  });

  it('says so in plain words, on a page without links', () => {
    const verdict = judge(facts([group('edit', 10)]));
    assert.match(
      describeVerdict('a.jsonl', verdict, context),
      /^Canary of a\.jsonl: 40 of 50 have a good answer\. Some of the rest would fail too/,
    );
    const page = toVerdictPage('a.jsonl', verdict, 'USD', context);
    assert.ok(!page.includes('[empty](http'), page);
    assert.match(page, /\| Requests that are left \| 4,960 \|/);
  });
});
