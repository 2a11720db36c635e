import assert from 'node:assert/strict';
import { toRuns } from '../../../../../src/features/ledger/runs';
import type { FetchedResults, Submission } from '../../../../../src/features/ledger/submission';
import { answerRunsOf, keyOfResults } from '../../../../../src/features/requests/answers/answerRuns';

const report = { counts: {}, missing: { count: 0, first: [] } } as unknown as FetchedResults['report'];
const results = (joinedPath: string): FetchedResults => ({ joinedPath, fetchedAt: '2026-01-03T00:00:00Z', report });

function submission(id: string, day: number, more: Partial<Submission> = {}): Submission {
  return {
    id,
    connection: 'Work',
    origin: 'http://127.0.0.1:1',
    source: 'file:///a.jsonl',
    fileBytes: 1,
    sha256: 'v1',
    requestCount: 1,
    bodyBytes: 1,
    state: 'created',
    startedAt: `2026-01-0${day}T00:00:00Z`,
    ...more,
  };
}

const ids = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);

describe('features/requests/answers/answerRuns', () => {
  it('shows the newest fetched results, and newer submissions', () => {
    const { shown, pending } = answerRunsOf(
      [
        submission('newest', 5),
        submission('other', 5, { source: 'file:///b.jsonl' }),
        submission('gone', 4, { deleted: true }),
        submission('failed', 4, { state: 'failed' }),
        submission('shown', 3, { results: results('/3') }),
        submission('older', 2),
      ],
      'file:///a.jsonl',
    );
    assert.deepEqual(ids(shown?.runs ?? []), ['shown']);
    assert.equal(shown?.sourceSha256, 'v1');
    assert.deepEqual(ids(pending), ['newest']);
    assert.deepEqual(answerRunsOf([], 'file:///a.jsonl'), { shown: undefined, pending: [] });
  });

  it('shows the results of the chosen run, and running ones too', () => {
    const all = [
      submission('newest', 5),
      submission('new', 4, { results: results('/4') }),
      submission('old', 3, { results: results('/3') }),
    ];
    const chosen = toRuns(all).find(({ id }) => id === 'old');
    const { shown, pending } = answerRunsOf(all, 'file:///a.jsonl', chosen);
    assert.deepEqual([shown?.results.joinedPath, shown?.isChosen, ids(shown?.runs ?? [])], ['/3', true, ['old']]);
    assert.deepEqual(ids(pending), ['newest']);
    assert.equal(answerRunsOf(all, 'file:///a.jsonl').shown?.isChosen, undefined);
    const without = toRuns(all).find(({ id }) => id === 'newest');
    assert.equal(answerRunsOf(all, 'file:///a.jsonl', without).shown?.results.joinedPath, '/4');
  });

  it('shows the results of a group together, with its unanswered requests', () => {
    const part = (id: string, index: number, more: Partial<Submission> = {}) =>
      submission(id, 2, { group: { id: 'g', index, count: 2 }, ...more });
    const parts = [part('p0', 0, { results: results('/p0') }), part('p1', 1)];
    assert.equal(answerRunsOf(parts, 'file:///a.jsonl').shown, undefined);
    assert.deepEqual(ids(answerRunsOf(parts, 'file:///a.jsonl').pending), ['p1']);
    const done = [part('p0', 0, { results: results('/p0'), groupResults: results('/g') }), part('p1', 1, { results: results('/p1') })];
    const { shown, pending } = answerRunsOf(done, 'file:///a.jsonl');
    assert.deepEqual([shown?.results.indexName, shown?.results.joinedPath, shown?.runs[0]?.submissions.length], ['group.index', '/g', 2]);
    assert.deepEqual(pending, []);
  });

  it('shows merged runs at the original file, and only its own run at a derived file', () => {
    const merged = { ...results('/merged'), runIds: ['first', 'retry'] };
    const all = [
      submission('first', 1, { results: results('/1'), merged }),
      submission('retry', 2, {
        source: 'file:///a.retry.jsonl',
        sha256: 'v2',
        results: results('/2'),
        follows: { runId: 'first', purpose: 'retry' },
      }),
      submission('again', 3, { source: 'file:///b.jsonl', sha256: 'v3', follows: { runId: 'retry', purpose: 'retry' } }),
    ];
    const here = answerRunsOf(all, 'file:///a.jsonl');
    assert.deepEqual(ids(here.shown?.runs ?? []), ['first', 'retry']);
    assert.deepEqual([here.shown?.isMerged, here.shown?.sourceSha256, here.shown?.results.submissionId], [true, 'v1', 'first']);
    assert.deepEqual(ids(here.pending), ['again']);
    const there = answerRunsOf(all, 'file:///a.retry.jsonl');
    assert.deepEqual([there.shown?.results.joinedPath, there.shown?.sourceSha256, there.shown?.isMerged], ['/2', 'v2', false]);
  });

  it('returns no version for a file whose runs were sent from several versions', () => {
    const merged = { ...results('/merged'), runIds: ['first', 'changed'] };
    const all = [
      submission('first', 1, { results: results('/1'), merged }),
      submission('changed', 2, { sha256: 'v2', results: results('/2'), follows: { runId: 'first', purpose: 'changed' } }),
    ];
    assert.equal(answerRunsOf(all, 'file:///a.jsonl').shown?.sourceSha256, undefined);
    // A retry sends copies of the failed requests, so the answers still belong to the version of the first run.
    const [first, changed] = all as [Submission, Submission];
    const retry = { ...changed, follows: { runId: 'first', purpose: 'retry' as const } };
    assert.equal(answerRunsOf([first, retry], 'file:///a.jsonl').shown?.sourceSha256, 'v1');
  });

  it('returns a different key after results were fetched again', () => {
    const one = { ...results('/1'), submissionId: 's', indexName: 'results.index', filePath: '/1' };
    assert.equal(keyOfResults(one), keyOfResults({ ...one }));
    assert.notEqual(keyOfResults(one), keyOfResults({ ...one, fetchedAt: '2026-01-04T00:00:00Z' }));
  });
});
