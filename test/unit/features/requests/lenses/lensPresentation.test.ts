import assert from 'node:assert/strict';
import {
  areCovered,
  toAnswersSummary,
  toCreateTitle,
  toLensLines,
  toOutcome,
} from '../../../../../src/features/requests/lenses/lensPresentation';
import { fillPlaces } from '../fillPlaces';

describe('features/requests/lenses/lensPresentation', () => {
  it('gives every line of a small file a lens', () => {
    assert.equal(toLensLines(200, []).length, 200);
  });

  it('gives only lines near what is seen or selected a lens in a large file', () => {
    const lines = toLensLines(80_000, [
      { first: 1000, last: 1040 },
      { first: 70_000, last: 70_000 },
    ]);
    assert.equal(lines[0], 960);
    assert.equal(lines.length, 121 + 81);
    assert.equal(lines.at(-1), 70_040);
  });

  it('bounds the number of lenses, whatever is said to be visible', () => {
    assert.ok(toLensLines(80_000, [{ first: 0, last: 79_999 }]).length <= 1001);
  });

  it('knows when what is seen has its lenses', () => {
    const covered = new Set(toLensLines(80_000, [{ first: 1000, last: 1040 }]));
    assert.equal(areCovered(80_000, [{ first: 1030, last: 1070 }], covered), true);
    assert.equal(areCovered(80_000, [{ first: 1045, last: 1085 }], covered), false);
    assert.equal(areCovered(100, [{ first: 0, last: 99 }], new Set()), true);
  });

  it('names requests and size of the batch', () => {
    assert.equal(toCreateTitle(412, 1_203_400, fillPlaces, 'en'), 'Create Batch (412 requests, 1.2 MB)');
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
