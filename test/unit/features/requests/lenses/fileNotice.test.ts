import assert from 'node:assert/strict';
import { type FileState, toFileNotice } from '../../../../../src/features/requests/lenses/fileLenses';
import type { CountedReport } from '../../../../../src/jsonl/results/resultsReport';
import { fillPlaceholders } from '../fillPlaceholders';

const none = { error: 0, warning: 0, information: 0, hint: 0 };
const good: CountedReport = {
  counts: { succeeded: 200, errored: 0, canceled: 0, expired: 0, other: 0 },
  cutShort: 0,
  refused: 0,
  missing: { count: 0, first: [] },
};
const poor = { ...good, counts: { ...good.counts, succeeded: 188, errored: 12 }, cutShort: 44 };

describe('features/requests/lenses/fileNotice', () => {
  const of = (state: Partial<FileState>) =>
    toFileNotice({ problems: none, pending: undefined, report: undefined, hasConnection: true, ...state }, fillPlaceholders, 'en');
  const pending = (more: object) => ({ state: 'created', batchId: 'b_1', ...more }) as FileState['pending'];

  it('returns nothing for a file without problems that was never sent or has only good results', () => {
    assert.equal(of({}), undefined);
    assert.equal(of({ report: good, problems: undefined }), undefined);
  });

  it('shows only the most urgent notice', () => {
    const problems = { ...none, error: 1, warning: 2 };
    const all = { problems, pending: pending({}), report: poor, hasConnection: false };
    assert.equal(of(all)?.words, 'Running…');
    assert.equal(of({ ...all, pending: undefined })?.act, 'sendAgain');
    assert.equal(of({ ...all, pending: undefined, report: good })?.act, 'showProblems');
    assert.equal(of({ problems: { ...none, warning: 2 } })?.words, '2 warnings');
    assert.equal(of({ hasConnection: false })?.act, 'connect');
  });

  it('counts the requests without a good result by their common cause', () => {
    assert.equal(of({ report: poor })?.words, '56 failed or cut short');
    assert.equal(of({ report: { ...poor, cutShort: 0 } })?.words, '12 failed');
    assert.equal(of({ report: { ...good, cutShort: 44 } })?.words, '44 cut short');
    assert.equal(of({ report: { ...poor, refused: 1 } })?.words, '57 without a good result');
  });

  it('offers the results of an ended batch', () => {
    const batch = { processing_status: 'ended' };
    assert.deepEqual(of({ pending: pending({ batch }) }), { act: 'fetch', words: 'Fetch Results' });
    assert.equal(of({ pending: pending({ batch, group: {} }) })?.act, 'showBatches');
    assert.equal(of({ pending: pending({ state: 'unknown' }) })?.words, 'response lost, a batch may exist');
  });
});
