import assert from 'node:assert/strict';
import { differingExcerpts } from '../../../../../src/features/resources/documents/mergeThreeWay';

describe('features/resources/definitions/differingExcerpts', () => {
  it('shows where two long texts differ, not their equal starts', () => {
    const same = 'You are careful.\n'.repeat(40);
    assert.deepEqual(differingExcerpts(`${same}Answer in French.\n`, `${same}Answer in German.\n`), [
      '…Answer in French. ⏎ ',
      '…Answer in German. ⏎ ',
    ]);
    const [mine, theirs] = differingExcerpts(`${'x'.repeat(500)}a`, `${'x'.repeat(500)}b`);
    assert.deepEqual([mine, theirs], [`…${'x'.repeat(30)}a`, `…${'x'.repeat(30)}b`]);
  });

  it('shows values of other types as JSON, and what is missing as nothing', () => {
    assert.deepEqual(differingExcerpts({ a: 1 }, undefined), ['{"a":1}', undefined]);
    assert.deepEqual(differingExcerpts('short', 'shirt'), ['short', 'shirt']);
  });
});
