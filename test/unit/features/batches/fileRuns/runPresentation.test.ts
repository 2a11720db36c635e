import assert from 'node:assert/strict';
import type { FileRun } from '../../../../../src/features/batches/fileRuns/fileRuns';
import { fileRunsOf } from '../../../../../src/features/batches/fileRuns/fileRuns';
import { actualCost, estimatedCost } from '../../../../../src/features/batches/fileRuns/runCost';
import { presentRun } from '../../../../../src/features/batches/fileRuns/runPresentation';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { fillPlaces } from '../../requests/fillPlaces';
import { resultsAt, submissionOf } from './submissionOf';

const prices = new Map([
  ['small', { input: 1, output: 4 }],
  ['large', { input: 3, output: 10 }],
]);
const estimate = [{ model: 'small', inputLow: 800_000, inputHigh: 1_200_000, maxOutput: 1_000_000 }];

describe('features/batches/fileRuns/runPresentation', () => {
  const context = {
    ...{ translate: fillPlaces, locale: 'en', now: Date.parse('2026-01-03T00:00:00Z'), currency: 'USD' },
  };
  const only = (...submissions: Submission[]): FileRun => {
    const [found] = fileRunsOf(submissions, 'file:///evals.jsonl');
    assert.ok(found);
    return found;
  };
  const present = (fileRun: FileRun, isShown = false, known = prices) => presentRun(fileRun, isShown, { ...context, prices: known });

  it('says when, where and what was asked, and what it cost beside what was estimated', () => {
    const { label, description, detail } = present(only(submissionOf('1', { results: resultsAt('/1'), estimate })), true);
    assert.match(label, /^Whole file, .*2026/);
    assert.equal(description, 'shown at the lines · 2 days ago · Work · small');
    assert.equal(detail, '9 succeeded, 1 cut short, 2 failed · cost $3.00 · estimated $0.80 to $5.20 · 1M → 500K tokens');
  });

  it('calls canaries, rests, changes and retries what they are', () => {
    const selection = { firstLine: 0, lastLine: 3, digest: '' };
    const labelOf = (more: Partial<Submission>) => present(only(submissionOf('1', more))).label;
    assert.match(labelOf({ selection: { ...selection, purpose: 'canary' } }), /^Canary, /);
    assert.match(labelOf({ selection: { ...selection, purpose: 'rest' } }), /^Rest after the canary, /);
    assert.match(labelOf({ selection: { ...selection, purpose: 'changed' } }), /^What changed, /);
    const retry = { source: 'file:///evals.retry.jsonl', follows: { runId: '1', purpose: 'retry' } as const };
    const row = present(only(submissionOf('1'), submissionOf('2', retry)));
    assert.match(row.label, /^Retry, /);
    assert.match(row.description, / · evals\.retry\.jsonl$/);
  });

  it('says what it does not know', () => {
    const run = only(submissionOf('1', { results: resultsAt('/1'), estimate }));
    assert.match(present(run, false, new Map()).detail, / · cost unknown · 1M → 500K tokens$/);
    assert.match(present(only(submissionOf('1', { results: resultsAt('/1') }))).detail, /cost \$3\.00 · estimate unknown · /);
  });

  it('says how far a run without results is', () => {
    const detailOf = (more: Partial<Submission>) => present(only(submissionOf('1', more))).detail;
    assert.equal(detailOf({ estimate }), '12 requests · ended, results not fetched · estimated $0.80 to $5.20');
    const batch = { processing_status: 'in_progress' } as Submission['batch'];
    assert.equal(detailOf({ batch, requestCount: 1 }), '1 request · in progress');
    assert.match(detailOf({ state: 'failed', batchId: undefined, batch: undefined }), /^12 requests · no batch was created/);
    assert.equal(detailOf({ deleted: true, batch }), '12 requests · batch deleted');
  });

  it('keeps the cost of several models between the cheapest and the dearest, and of unknown models unknown', () => {
    const models = [['small', 6] as const, ['large', 6] as const];
    const { run } = only(submissionOf('1', { results: resultsAt('/1'), models }));
    const { low, high, missing } = actualCost(run, prices) ?? {};
    assert.deepEqual([low, high, missing?.models], [3, 8, true]);
    assert.equal(actualCost(only(submissionOf('1', { results: resultsAt('/1'), models: [...models, ['new', 1]] })).run, prices), undefined);
    assert.equal(actualCost(only(submissionOf('1')).run, prices), undefined);
    assert.equal(
      estimatedCost(only(submissionOf('1', { estimate: [...estimate, { ...estimate[0], model: 'new' } as never] })).run, prices),
      undefined,
    );
    assert.equal(estimatedCost(run, prices), undefined);
  });
});
