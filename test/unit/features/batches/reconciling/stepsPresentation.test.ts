import assert from 'node:assert/strict';
import { isListedLate, isSearchExhausted, nextSearchIn } from '../../../../../src/features/batches/reconciling/searchSchedule';
import { toStepsPage } from '../../../../../src/features/batches/reconciling/stepsPresentation';
import { describeUnknownState } from '../../../../../src/features/batches/reconciling/unknownPresentation';
import type { Candidate, Search, Submission } from '../../../../../src/features/ledger/submission';
import { recordOf } from '../../ledger/ledgerOfTest';
import { english } from '../../requests/fillPlaceholders';
import { batch as batchOf } from '../batchUnderTest';

const startedAt = '2026-05-04T10:00:00.000Z';
const now = Date.parse('2026-05-04T10:01:00.000Z');
const context = { ...english, now };

const submission = (change: Partial<Submission> = {}) =>
  recordOf({ source: 'file:///a/my_requests.jsonl', requestCount: 1200, state: 'unknown', startedAt, ...change });

function search(looks: number, candidates: readonly Candidate[] = [], change: Partial<Search> = {}): Search {
  return {
    looks,
    lookedAt: '2026-05-04T10:00:58.000Z',
    listed: 40,
    backTo: '2026-05-03T10:00:00.000Z',
    reachedBack: true,
    candidates,
    ...change,
  };
}

const running: Candidate = { batchId: 'msgbatch_1', ended: false };

describe('features/batches/reconciling/unknownPresentation', () => {
  const words = (found: Search | undefined) => describeUnknownState(submission(found && { search: found }), context).words;

  it('summarizes the result of a search', () => {
    const lead = 'response lost';
    assert.equal(words(undefined), `${lead}, searching for the batch`);
    assert.equal(words(search(1)), `${lead}, no batch found`);
    assert.equal(words(search(7)), `${lead}, no batch found`);
    assert.equal(words(search(1, [running])), `${lead}, possible batches: 1`);
    assert.equal(words(search(1, [running, { ...running, batchId: 'b' }])), `${lead}, possible batches: 2`);
    assert.equal(words(search(7, [{ ...running, ended: true, ids: 'different' }])), `${lead}, no batch found`);
    assert.equal(words(search(1, [], { elsewhere: 'https://other.example' })), `${lead}, a batch may exist`);
    const damaged = describeUnknownState(submission({ connection: '' }), context).words;
    assert.equal(damaged, 'record damaged, a batch may exist');
  });
});

describe('features/batches/reconciling/searchSchedule', () => {
  const lookedAt = Date.parse(search(1).lookedAt);

  it('searches at once, then with growing delays, and as long as a candidate runs', () => {
    assert.equal(nextSearchIn(submission(), now), 0);
    assert.equal(nextSearchIn(submission({ state: 'created' }), now), undefined);
    assert.equal(nextSearchIn(submission({ search: search(1) }), lookedAt), 5_000);
    assert.equal(nextSearchIn(submission({ search: search(7) }), lookedAt), undefined);
    assert.equal(nextSearchIn(submission({ search: search(40, [running]) }), lookedAt), 1_800_000);
    assert.equal(nextSearchIn(submission({ search: search(40, [running]) }), lookedAt + 28 * 3_600_000), undefined);
    assert.equal(nextSearchIn(submission({ search: search(40, [{ ...running, ended: true, ids: 'same' }]) }), lookedAt), undefined);
  });

  it("searches once a day if the list couldn't be read far enough, but reports that the search is over", () => {
    const day = 24 * 3_600_000;
    const unlisted = search(7, [], { reachedBack: false, backTo: undefined });
    const one = submission({ search: unlisted });
    assert.deepEqual(
      [nextSearchIn(one, lookedAt), nextSearchIn(one, lookedAt + day), isSearchExhausted(one, lookedAt + day)],
      [day, 0, true],
    );
    assert.equal(describeUnknownState(one, context).words, 'response lost, no batch found');
    assert.equal(nextSearchIn(submission({ state: 'abandoned', search: unlisted }), lookedAt), undefined);
    assert.equal(isSearchExhausted(submission({ search: search(1) }), lookedAt), false);
  });

  it('continues for a while after the user marked the submission as not created', () => {
    const abandoned = (looks: number, candidates: readonly Candidate[] = []) =>
      submission({
        state: 'abandoned',
        steps: [{ what: 'abandoned', at: search(1).lookedAt }],
        search: search(looks, candidates),
        startedAt: '2026-05-04T05:00:00.000Z',
      });
    assert.deepEqual(
      [1, 2, 6, 7].map(looks => nextSearchIn(abandoned(looks), lookedAt)),
      [5_000, 15_000, 3_600_000, undefined],
    );
    assert.equal(nextSearchIn(abandoned(2), lookedAt + 4 * 3_600_000), undefined);
    assert.equal(nextSearchIn(abandoned(7, [running]), lookedAt + 4 * 3_600_000), 0);
    assert.equal(nextSearchIn(abandoned(7, [running]), lookedAt + 28 * 3_600_000), undefined);
    assert.equal(nextSearchIn(submission({ state: 'failed', search: search(1) }), lookedAt), undefined);
  });

  it('gives the service minutes to list a batch after its body was sent', () => {
    const minutes = (count: number) => Date.parse(startedAt) + count * 60_000;
    assert.deepEqual(
      [1, 4, 6].map(count => isListedLate(submission(), minutes(count))),
      [true, true, false],
    );
    const slow = submission({ steps: [{ what: 'handed_out', at: '2026-05-04T10:30:00.000Z' }] });
    assert.deepEqual([isListedLate(slow, minutes(34)), isListedLate(slow, minutes(36))], [true, false]);
  });

  it('never waits longer than its delay, even with a wrong clock', () => {
    assert.equal(nextSearchIn(submission({ search: search(2) }), lookedAt - 1e9), 15_000);
    assert.equal(nextSearchIn(submission({ search: search(2) }), lookedAt + 1e9), 0);
    assert.equal(nextSearchIn(submission({ search: search(2, [], { lookedAt: 'never' }) }), now), 15_000);
  });
});

describe('features/batches/reconciling/stepsPresentation', () => {
  it("shows the state, the steps, and the list's findings", () => {
    const page = toStepsPage(
      submission({
        handedOut: true,
        problem: 'The connection broke',
        steps: [
          { what: 'written', at: startedAt },
          { what: 'handed_out', at: startedAt },
          { what: 'lost', at: startedAt, note: 'The connection broke' },
          { what: 'looked', at: startedAt, candidates: 1, listed: 40, times: 3 },
          { what: 'of_a_newer_version', at: startedAt },
        ],
        search: search(3, [running, { batchId: 'msgbatch_2', ended: true, ids: 'different', createdAt: startedAt }]),
      }),
      context,
    );
    assert.match(
      page,
      /^# my\\_requests\\.jsonl\n\nRecorded → Response lost → \*\*Needs your decision\*\* → Batch found or needs your decision\n/,
    );
    assert.match(page, /Possible batch: msgbatch\\_1\\\./);
    assert.match(page, /A batch may exist\\\. The connection broke/);
    assert.match(page, /1 of 40 batches match\\\. \\\(3 times\\\)/);
    assert.match(page, /of\\_a\\_newer\\_version/);
    assert.match(page, /msgbatch\\_2 \| Created .* Different IDs: not this batch/);
  });

  it('describes every state', () => {
    const batch = batchOf('in_progress', { processing: 1 });
    const path = (change: Partial<Submission>) => /\*\*(.*)\*\*/.exec(toStepsPage(submission(change), context))?.[1];
    assert.equal(path({ state: 'sending', handedOut: false }), 'Sending…');
    assert.equal(path({ state: 'sending', handedOut: true }), 'Waiting for the response');
    assert.equal(path({}), 'Searching for the batch');
    assert.equal(path({ search: search(1) }), 'Searching for the batch');
    assert.equal(path({ search: search(7) }), 'Needs your decision');
    assert.equal(path({ state: 'failed' }), 'No batch');
    assert.equal(path({ state: 'abandoned' }), 'No batch');
    assert.equal(path({ state: 'created', batchId: batch.id, batch }), 'Batch created');
    assert.equal(path({ state: 'created', batchId: batch.id, batch: { ...batch, processing_status: 'ended' } }), 'Batch ended');
  });

  it('renders no foreign markup', () => {
    const page = toStepsPage(submission({ state: 'failed', problem: '[run](command:x) <img src=x>\u202e' }), context);
    assert.doesNotMatch(page, /(?<!\\)\[run|(?<!\\)<img|\u202e/);
  });
});
