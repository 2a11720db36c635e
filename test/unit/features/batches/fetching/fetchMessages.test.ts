import assert from 'node:assert/strict';
import { describeResults, describeResultsDetails } from '../../../../../src/features/batches/fetching/fetchMessages';
import type { ResultsReport } from '../../../../../src/jsonl/results/resultsReport';
import { english } from '../../requests/fillPlaceholders';
import { resultsAt } from '../fileRuns/submissionOf';

const none = { count: 0, first: [] };
const report = (change: Partial<ResultsReport> = {}): ResultsReport => ({
  ...{ ...resultsAt('').report, counts: { succeeded: 1400, errored: 0, canceled: 0, expired: 0, other: 0 }, cutShort: 0 },
  damaged: { ...none, firstLines: [] },
  ...change,
});

const failed = report({ counts: { succeeded: 2, errored: 2, canceled: 3, expired: 4, other: 5 }, cutShort: 1 });

describe('features/batches/fetching/fetchMessages', () => {
  it('summarizes results in one sentence', () => {
    assert.equal(describeResults('requests.jsonl', report(), english), 'Results of requests.jsonl: 1,400 succeeded.');
    assert.match(
      describeResults('a', failed, english),
      /^Results of a: 1 succeeded, 1 cut short, 2 failed, 4 expired, 3 canceled, 5 unknown/,
    );
  });

  it('reports incomplete results, and what is missing', () => {
    const cut = report({ complete: false, missing: { count: 2, first: ['r1', 'r2'] } });
    assert.match(describeResults('a', cut, english), /2 without an answer\. Some are missing\.$/);
    assert.deepEqual(describeResultsDetails(cut, english), ['Without an answer: r1, r2']);
  });

  it('reports that there are no results', () => {
    const empty = report({ counts: { succeeded: 0, errored: 0, canceled: 0, expired: 0, other: 0 } });
    assert.equal(describeResults('a', empty, english), 'No results of a.');
  });
});
