import assert from 'node:assert/strict';
import { fileRunsOf } from '../../../../../src/features/batches/fileRuns/fileRuns';
import { toTrend } from '../../../../../src/features/batches/fileRuns/toTrend';
import type { FetchedResults, Submission } from '../../../../../src/features/ledger/submission';
import { fillPlaces } from '../../requests/fillPlaces';
import { resultsAt, submissionOf } from './submissionOf';

const prices = new Map([['small', { input: 1, output: 4 }]]);

describe('features/batches/fileRuns/toTrend', () => {
  const trendOf = (submissions: readonly Submission[], known = prices) =>
    toTrend(fileRunsOf(submissions, 'file:///evals.jsonl'), {
      ...{ translate: fillPlaces, locale: 'en', now: Date.parse('2026-01-09T00:00:00Z'), currency: 'USD', prices: known },
    });
  const run = (day: number, more: Partial<FetchedResults['report']> = {}, others: Partial<Submission> = {}) => {
    const results = resultsAt(`/${day}`);
    return submissionOf(String(day), { results: { ...results, report: { ...results.report, ...more } }, ...others });
  };
  const all = { counts: { succeeded: 12, errored: 0, canceled: 0, expired: 0, other: 0 }, cutShort: 0 };

  it('draws what succeeded and what it cost, the oldest run first', () => {
    const cheaper = { ...all, inputTokens: 500_000, outputTokens: 250_000 };
    assert.equal(trendOf([run(1), run(2, all), run(3, cheaper)]), '▆██ 75% → 100% succeeded · cost ██▅ $3.00 → $1.50');
  });

  it('leaves costs out where one of them is not known', () => {
    assert.equal(trendOf([run(1), run(2, all)], new Map()), '▆█ 75% → 100% succeeded');
  });

  it('takes only what came of the whole file', () => {
    const selection = { firstLine: 0, lastLine: 3, digest: '', purpose: 'canary' } as const;
    const retry = { source: 'file:///evals.retry.jsonl', follows: { runId: '1', purpose: 'retry' } as const };
    const others = [run(2, all, { selection }), run(3, all, retry), submissionOf('4')];
    assert.equal(trendOf([run(1), ...others]), '');
    assert.equal(trendOf([run(1), ...others, run(5, all)], new Map()), '▆█ 75% → 100% succeeded');
  });

  it('takes a file that went in parts as a whole', () => {
    const selection = { firstLine: 0, lastLine: 11, digest: '', purpose: 'part' } as const;
    assert.equal(trendOf([run(1), run(2, all, { selection })], new Map()), '▆█ 75% → 100% succeeded');
  });

  it('shows the last twelve, and nothing as the lowest bar', () => {
    const none = { counts: { succeeded: 0, errored: 12, canceled: 0, expired: 0, other: 0 }, cutShort: 0 };
    const days = Array.from({ length: 14 }, (_, index) =>
      run(1, index < 2 ? all : none, { id: `r${index}`, startedAt: new Date(Date.UTC(2026, 0, index + 1)).toISOString() }),
    );
    assert.equal(trendOf(days, new Map()), `${'▁'.repeat(12)} 0% → 0% succeeded`);
  });
});
