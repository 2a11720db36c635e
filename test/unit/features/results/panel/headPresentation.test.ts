import assert from 'node:assert/strict';
import { type HeadFacts, toHead } from '../../../../../src/features/results/panel/headPresentation';
import type { ResultsReport } from '../../../../../src/jsonl/results/resultsReport';

const none = { count: 0, first: [] };
const report: ResultsReport = {
  ...{ rawBytes: 10, counts: { succeeded: 400, errored: 0, canceled: 0, expired: 0, other: 0 }, cutShort: 0, refused: 0 },
  ...{ inputTokens: 1, outputTokens: 2, missing: none, unexpected: none, duplicate: none },
  ...{ damaged: { count: 0, firstLines: [] }, countsMatch: true, complete: true },
};
const facts: HeadFacts = {
  ...{ name: 'requests.jsonl', connection: 'Lab', batchIds: ['msgbatch_1'], parts: 1, generations: 1 },
  ...{ fetchedAt: '2026-11-21T20:00:00Z', report, problem: undefined },
};
const context = {
  translate: (text: string, ...args: readonly (string | number)[]) => text.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)])),
  locale: 'en',
};
const headOf = (change: Partial<HeadFacts>) => toHead({ ...facts, ...change }, context);

describe('features/results/panel/headPresentation', () => {
  it('says which results these are, and nothing more when all is well', () => {
    const { title, facts: shown, notices, isReady, acts } = headOf({});
    assert.equal(title, 'requests.jsonl');
    assert.deepEqual(shown.slice(0, 2), ['Lab', 'msgbatch_1']);
    assert.match(shown[2] ?? '', /^fetched Nov 21, 2026/);
    assert.deepEqual(notices, []);
    assert.equal(isReady, true);
    assert.deepEqual(acts, ['export', 'compare', 'openFile']);
  });

  it('offers a retry where something could be sent again', () => {
    const errored = { ...report, counts: { ...report.counts, errored: 3 } };
    assert.ok(headOf({ report: errored }).acts.includes('retry'));
    assert.ok(headOf({ report: { ...report, cutShort: 1 } }).acts.includes('retry'));
  });

  it('says of a file of which nothing is known here that it has no requests and lines, and offers what needs none', () => {
    const unknown = { connection: undefined, batchIds: [], fetchedAt: undefined, isUnknown: true };
    const { notices, acts, facts: shown } = headOf(unknown);
    assert.deepEqual(shown, []);
    assert.deepEqual(acts, ['export', 'openFile']);
    assert.match(notices.map(({ text }) => text).join(), /neither its requests nor their lines/);
    assert.match(headOf({ ...unknown, problem: 'notResults' }).notices[0]?.text ?? '', /^No line of this file is a result/);
    assert.match(headOf({ ...unknown, problem: 'unread' }).notices[0]?.text ?? '', /not read to its end/);
    assert.doesNotMatch(headOf({ ...unknown, problem: 'gone' }).notices[0]?.text ?? '', /fetched again/);
    assert.equal(headOf({ ...unknown, problem: 'gone' }).notices.length, 1);
  });

  it('names requests without an answer, and everything that is not as it should be', () => {
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
        '1,412 requests have no answer: a\\u{202e}, b, c, d, e…. They are not in the table.',
        'The results are not as they should be: 2 answers given more than once, 1 damaged line, the batch counts other results than these 400.',
      ],
    );
    assert.deepEqual(
      notices.map(({ act }) => act?.act),
      ['showMissing', 'showReport'],
    );
  });

  it('tells of groups and generations, and of the first batches of many', () => {
    const { facts: shown } = headOf({ parts: 3, generations: 2, batchIds: ['a', 'b', 'c', 'd', 'e'] });
    assert.deepEqual(shown.slice(1, 4), ['a, b, c and 2 more', '3 parts', '2 runs, the last success of each request']);
  });

  it('says that results are gone, changed or were never fetched, and offers to fetch them where that can be', () => {
    for (const problem of ['gone', 'changed', 'notFetched'] as const) {
      const { isReady, acts, notices } = headOf({ problem });
      assert.equal(isReady, false);
      assert.deepEqual(acts, []);
      assert.equal(notices.at(-1)?.act?.act, 'fetch');
    }
    assert.equal(headOf({ problem: 'unknown', connection: undefined }).notices[0]?.act, undefined);
  });
});
