import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../../src/client/schemas/messageBatches';
import { describeRunOf, toFamilyList } from '../../../../../src/features/batches/details/runWords';
import { generationsOf, toRuns } from '../../../../../src/features/ledger';
import type { Submission } from '../../../../../src/features/ledger/submission';
import { submissionOf } from '../fileRuns/submissionOf';
import { context as words } from '../sheet/sheetUnderTest';

const context = { ...words, now: Date.parse('2026-02-01T00:00:00Z') };
const selection = { firstLine: 0, lastLine: 9, digest: 'd', total: 200 };
const counts = { processing: 0, succeeded: 9, errored: 1, canceled: 0, expired: 0 };
const batch = { id: 'b', processing_status: 'ended', request_counts: counts } as MessageBatch;
const canary = submissionOf('1', { batch, requestCount: 10, selection: { ...selection, purpose: 'canary' } });
const rest = submissionOf('2', { batch, selection: { ...selection, purpose: 'rest' }, follows: { runId: '1', purpose: 'rest' } });
const retry = submissionOf('3', { batch, source: 'file:///evals.retry.jsonl', follows: { runId: '2', purpose: 'retry' } });
const runs = toRuns([canary, rest, retry]);
const runOf = (id: string, all = runs) => all.find(run => run.id === id) ?? assert.fail(id);
const said = (submission: Submission, all = runs) => {
  const run = runOf(submission.id, all);
  return describeRunOf(submission, run, generationsOf(all, run), context);
};

describe('features/batches/details/runWords', () => {
  it('says what a batch is the canary, the rest or the retry of', () => {
    assert.equal(said(canary), 'A canary of evals.jsonl: 10 of its 200 requests.');
    assert.equal(said(rest), 'The rest of evals.jsonl after its canary.');
    assert.match(said(retry), /^A retry of evals\.jsonl, sent Jan 2, 2026, /);
    const changed = submissionOf('4', { selection: { ...selection, purpose: 'changed' } });
    assert.equal(said(changed, toRuns([changed])), 'What changed in evals.jsonl since it was sent before.');
    const whole = submissionOf('5');
    assert.equal(said(whole, toRuns([whole])), '');
  });

  it('says of a part which one it is', () => {
    const parts = [0, 1].map(index => submissionOf(`${index + 6}`, { group: { id: 'g', index, count: 3 } }));
    const [run] = toRuns(parts);
    assert.ok(run !== undefined && parts[1] !== undefined);
    assert.equal(describeRunOf(parts[1], run, [run], context), 'Part 2 of 3 of evals.jsonl.');
  });

  it('lists the runs around it, oldest first, each with its outcome and a way to its page', () => {
    const list = toFamilyList(generationsOf(runs, runOf('2')), runOf('2'), context).split('\n');
    assert.equal(list[0], '## Runs of These Requests');
    assert.match(list[2] ?? '', /^- \[Canary, .*\]\(command:managedAgents\.batch\.open\?[\w.%-]+\) · 9 answered, 1 failed$/);
    assert.match(list[3] ?? '', /^- Rest after the canary, .* · 9 answered, 1 failed · this one$/);
    assert.match(list[4] ?? '', /^- \[Retry, /);
    assert.equal(toFamilyList([runOf('2')], runOf('2'), context), '');
  });
});
