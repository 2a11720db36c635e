import assert from 'node:assert/strict';
import { type HeadFacts, toHead } from '../../../../../src/features/results/panel/headPresentation';
import { resultsAt } from '../../batches/fileRuns/submissionOf';
import { english } from '../../requests/fillPlaceholders';

const counts = { succeeded: 400, errored: 0, canceled: 0, expired: 0, other: 0 };
const report = { ...resultsAt('').report, counts, cutShort: 0 };
const facts: HeadFacts = {
  ...{ name: 'requests.jsonl', connection: 'Lab', batchIds: ['msgbatch_1'], parts: 1 },
  ...{ fetchedAt: '2026-11-21T20:00:00Z', report, problem: undefined },
};
const headOf = (change: Partial<HeadFacts>) => toHead({ ...facts, ...change }, english);

describe('features/results/panel/headPresentation', () => {
  it('shows whose results these are, and nothing more if all is well', () => {
    const { title, facts: shown, details, notices, isReady, acts } = toHead(facts, { ...english, cost: '$0.0465' });
    assert.equal(title, 'requests.jsonl');
    assert.deepEqual(shown, ['$0.0465']);
    assert.match(details ?? '', /^Lab\nmsgbatch_1\nfetched Nov 21, 2026/);
    assert.deepEqual(notices, []);
    assert.equal(isReady, true);
    assert.deepEqual(acts, ['export', 'compare', 'more']);
  });

  it('has a chip for each status with its count, and counts each result once', () => {
    const counts = { succeeded: 188, errored: 12, canceled: 0, expired: 0, other: 0 };
    const missing = { count: 7, first: ['a'] };
    assert.deepEqual(headOf({ report: { ...report, counts, cutShort: 44, missing } }).chips, [
      { label: 'All', query: '', count: 200 },
      { label: 'Succeeded', query: 'status=succeeded', count: 144 },
      { label: 'Cut short', query: 'status=cut_short', count: 44 },
      { label: 'Failed', query: 'status=failed', count: 12 },
    ]);
    assert.deepEqual(headOf({ report: undefined, problem: 'notFetched' }).chips, []);
  });

  it('shows no requests and lines for an unknown file, and offers what needs none', () => {
    const unknown = { connection: undefined, batchIds: [], fetchedAt: undefined, isUnknown: true };
    const { notices, acts, facts: shown } = headOf(unknown);
    assert.deepEqual(shown, []);
    assert.deepEqual(acts, ['export', 'more']);
    assert.match(notices.map(({ text }) => text).join(), /unknown on this machine/);
    assert.match(headOf({ ...unknown, problem: 'notResults' }).notices[0]?.text ?? '', /This file has no results/);
    assert.match(headOf({ ...unknown, problem: 'unread' }).notices[0]?.text ?? '', /Couldn't read/);
    assert.doesNotMatch(headOf({ ...unknown, problem: 'gone' }).notices[0]?.text ?? '', /fetch it again/);
    assert.equal(headOf({ ...unknown, problem: 'gone' }).notices.length, 1);
  });

  it('shows requests without an answer, and every irregularity', () => {
    const { notices } = headOf({
      report: {
        ...report,
        missing: { count: 1412, first: ['a\u202e', 'b', 'c', 'd', 'e', 'f'] },
        duplicate: { count: 2, first: ['x'] },
        damaged: { count: 1, firstLines: [4] },
        countsMatch: false,
        complete: false,
      },
    });
    assert.deepEqual(
      notices.map(({ text }) => text),
      [
        'Requests without an answer, not shown: 1,412 (a\\u{202e}, b, c, d, e…).',
        'The results are incomplete or damaged: 2 answered more than once, 1 damaged, the batch counts differ (400).',
      ],
    );
    assert.deepEqual(
      notices.map(({ act }) => act?.act),
      ['showMissing', 'showReport'],
    );
  });

  it('names the parts of a group, and the first of many batches', () => {
    const { details } = headOf({ parts: 3, batchIds: ['a', 'b', 'c', 'd', 'e'] });
    assert.match(details ?? '', /^Lab\na, b, c and 2 more\n3 parts\n/);
  });

  it('says that results are deleted, changed or not fetched, and offers to fetch them if possible', () => {
    for (const problem of ['gone', 'changed', 'notFetched'] as const) {
      const { isReady, acts, notices } = headOf({ problem });
      assert.equal(isReady, false);
      assert.deepEqual(acts, []);
      assert.equal(notices.at(-1)?.act?.act, 'fetch');
    }
    assert.equal(headOf({ problem: 'unknown', connection: undefined }).notices[0]?.act, undefined);
  });
});
