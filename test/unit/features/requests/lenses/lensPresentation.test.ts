import assert from 'node:assert/strict';
import { toAnswersSummary, toCreateTitle, toOutcome } from '../../../../../src/features/requests/lenses/lensPresentation';
import { fillPlaces } from '../fillPlaces';

describe('features/requests/lenses/lensPresentation', () => {
  it('names requests and size of the batch', () => {
    assert.equal(toCreateTitle(412, 1_203_400, fillPlaces, 'en'), 'Create Batch (412 requests, 1.2 MB)');
    assert.equal(toCreateTitle(412, undefined, fillPlaces, 'en'), 'Create Batch (412 requests)');
  });

  it('sums up answers without what is not there', () => {
    const report = {
      rawBytes: 1,
      counts: { succeeded: 12, errored: 2, canceled: 0, expired: 0, other: 0 },
      cutShort: 1,
      refused: 0,
      inputTokens: 0,
      outputTokens: 0,
      missing: { count: 0, first: [] },
      unexpected: { count: 0, first: [] },
      duplicate: { count: 0, first: [] },
      damaged: { count: 0, firstLines: [] },
      countsMatch: true,
      complete: true,
    };
    assert.equal(toAnswersSummary(report, fillPlaces, 'en'), '12 answers · 1 cut short · 2 errors');
    assert.equal(toOutcome(report, fillPlaces, 'en'), '11 succeeded · 3 need a look');
    assert.equal(toOutcome({ ...report, cutShort: 0, counts: { ...report.counts, errored: 0 } }, fillPlaces, 'en'), '12 succeeded');
    assert.equal(
      toAnswersSummary({ ...report, missing: { count: 3, first: [] } }, fillPlaces, 'en'),
      '12 answers · 1 cut short · 2 errors · 3 missing',
    );
  });
});
