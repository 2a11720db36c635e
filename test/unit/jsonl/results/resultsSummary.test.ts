import assert from 'node:assert/strict';
import { formatText } from '../../../../src/contract/problem';
import type { ResultsReport } from '../../../../src/jsonl/results/resultsReport';
import { answeredCount, toResultsDetails, toResultsFacts } from '../../../../src/jsonl/results/resultsSummary';

const nothing = { count: 0, first: [] };
const whole: ResultsReport = {
  rawBytes: 10,
  counts: { succeeded: 3, errored: 0, canceled: 0, expired: 0, other: 0 },
  cutShort: 0,
  refused: 0,
  inputTokens: 1,
  outputTokens: 1,
  missing: nothing,
  unexpected: nothing,
  duplicate: nothing,
  damaged: { count: 0, firstLines: [] },
  countsMatch: true,
  complete: true,
};

describe('jsonl/results/resultsSummary', () => {
  it('is brief if all is well', () => {
    assert.deepEqual(
      toResultsFacts(whole).map(fact => formatText(fact.text)),
      ['3 succeeded'],
    );
    assert.deepEqual(toResultsDetails(whole), []);
  });

  it('counts each result once: cut short and refused ones apart from successes', () => {
    const textsOf = (report: ResultsReport) => toResultsFacts(report).map(({ text }) => formatText(text));
    assert.deepEqual(textsOf({ ...whole, cutShort: 1, refused: 1 }), ['1 succeeded', '1 cut short', '1 refused']);
    assert.deepEqual(textsOf({ ...whole, cutShort: 3 }), ['3 cut short']);
  });

  it('names every irregularity', () => {
    const report: ResultsReport = {
      ...whole,
      counts: { succeeded: 6, errored: 4, canceled: 5, expired: 6, other: 7 },
      cutShort: 2,
      refused: 1,
      missing: { count: 12, first: Array.from({ length: 12 }, (_, index) => `id${index}`) },
      unexpected: { count: 1, first: ['x'] },
      duplicate: { count: 300, first: Array.from({ length: 100 }, (_, index) => `d${index}`) },
      damaged: { count: 2, firstLines: [0, 41] },
      countsMatch: false,
      complete: false,
    };
    const facts = toResultsFacts(report);
    assert.equal(answeredCount(report), 28);
    assert.equal(
      facts.map(fact => formatText(fact.text)).join('; '),
      '3 succeeded; 2 cut short; 1 refused; 4 failed; 6 expired; 5 canceled; 7 unknown; 12 without an answer; ' +
        '1 not in the file; 300 answered more than once; 2 damaged; the batch counts differ (28)',
    );
    assert.deepEqual(toResultsDetails(report).map(formatText), [
      'Without an answer: id0, id1, id2, id3, id4, id5, id6, id7, id8, id9, +2',
      'Not in the file: x',
      'Answered more than once: d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, +290',
      'Damaged lines: 1, 42',
    ]);
  });
});
